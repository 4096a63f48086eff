"""Document 004's estimates, factors and slips shown; the command `solverlab size`."""

from __future__ import annotations

import pytest

import solverlab as sl
from solverlab.cli import main
from solverlab.games.spot.estimates import ESTIMATES, SIZES, power_sizes, street_classes

SPOT = ["Td9d6h", "--first", "66+, AJs+", "--last", "QQ-22, KJs+", "--bets", "60%", "--raises", "2.5x"]


def test_the_document_s_products_are_not_what_it_prints():
    small, medium, large, hybrid = ESTIMATES
    assert small.product == 2500 * 15 * 45 * 15 * 44 * 10 == 11_137_500_000 and small.printed == 100e9
    assert (medium.product, large.product) == (16 * small.product, 100 * small.product)
    assert hybrid.product == 500 * 50 * 50 * 5 * 45 * 5 * 44
    assert [round(one.slip, 1) for one in (small, medium, large)] == [9.0, 56.1, 89.8]
    assert round(1 / hybrid.slip) == 619 and "619 times too little" in str(hybrid)


def test_classes_of_streets_with_and_without_order():
    table = street_classes().set_index("street")
    assert table["hand and board classes"].tolist() == [169, 1_286_792, 13_960_050, 123_156_254]
    assert table["hand and board classes, in order"].tolist() == [169, 1_286_792, 55_190_538, 2_428_287_420]
    assert table.loc["turn", "board deals, in order"] == 49 * table.loc["flop", "board deals"]
    assert table.loc["river", "board deals"] == 2_598_960


def test_both_geometric_sizings_are_menus():
    """The document's powers of a ratio, and the players' one fraction that is all-in by the river."""
    powers, players = (
        sl.size("Td9d6h", 20, 4000, ("AA", "KK"), bets=bets, raises="") for bets in (power_sizes(2, 3), "e")
    )
    opened = sl.Spot("Td9d6h", 20, 4000, ("AA", "KK"), bets=power_sizes(2, 3), raises="")
    assert opened.actions(opened.place("")) == ["check", "bet 40", "bet 80", "bet 160"]
    assert players.public_nodes < powers.public_nodes
    with pytest.raises(sl.SolverlabError, match="is no menu; give 1.5 and 3"):
        power_sizes(0.5, 3)


def test_nodes_of_a_river_grow_with_the_sizes_on_its_menu():
    """The document's six sizes beside fifty (the most a menu takes); its 95 % are arithmetic on actions."""
    few, many = (
        sl.size("Td9d6hQc3s", 200, 900, ("AA", "KK"), bets=bets, raises="")
        for bets in (SIZES, ", ".join(f"{chips}c" for chips in range(18, 901, 18)))
    )
    for size, bets in ((few, 6), (many, 50)):
        assert size.rounds[0].betting.widest == 1 + bets
        assert size.public_nodes == 3 + 2 * 3 * bets  # root, check, check; bet, fold, call of either


def test_the_command_counts_a_spot(capsys):
    assert main(["size", *SPOT, "--free", "4"]) == 0
    told = capsys.readouterr().out
    size = sl.size("Td9d6h", 200, 900, ("66+, AJs+", "QQ-22, KJs+"), bets="60%", raises="2.5x")
    rows = {line[:31].strip(): line[31:].split() for line in told.splitlines()}
    assert rows["cards a deal"] == ["0", "45", "44"] and rows["public cards"] == ["0", "49", "48"]
    assert rows["public nodes"][-1] == f"{size.public_nodes:,}" == "477,310"
    mine, theirs = size.rounds[0].room.size[:, 0]
    assert told.startswith(f"deals {size.pairs:,} of {mine} x {theirs} = {mine * theirs:,}")
    assert told.rstrip().endswith(size.verdict(4e9)) and "of 4 GB free" in told
    assert main(["size", *SPOT, "--free", "0.1"]) == 0
    assert "does not fit" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "no board was given"),
        (["Td9d"], "Td9d"),
        ([*SPOT, "--free", "0"], "--free 0 is no memory"),
        (["Td9d6h", "--bets", "60q"], "60q"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(words, sentence, capsys):
    assert main(["size", *words]) == 2
    told = capsys.readouterr().err
    assert sentence in told and told.count("\n") == 1
