"""Sizes told before anything is built are those of what is built; what does not fit is refused."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import solverlab as sl
from solverlab.cards.cards import cards_text
from solverlab.core.boards.passes import Scratch
from solverlab.core.boards.room import boards_bytes, bytes_text, work_bytes
from solverlab.core.boards.shape import FOLD, NEXT, SHOW
from solverlab.core.boards.walk import Walk, table_lengths
from solverlab.solvers.boards.cfr import SpotCFR

PUBLIC = (
    "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s",
    "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+",
)
SWITCHES = {"add_allin": 1.5, "force_allin": 0.15, "merge": 0.1}
FLOP = {"board": "Td9d6h", "pot": 200, "stack": 900, "ranges": PUBLIC}

SIZES = st.lists(st.sampled_from(["33%", "60%", "100%", "e", "75c", "1p", "a"]), max_size=3, unique=True)
RAISES = st.lists(st.sampled_from(["2.5x", "50%", "2p", "a"]), max_size=2, unique=True)
HANDS = st.lists(
    st.sampled_from("AA KK TT 99 22 AKs AKo A5s KQs T9s 76s 65o AdKd AhKh:0.5 7c6c 5h4h".split()),
    min_size=1,
    max_size=5,
    unique=True,
)


@st.composite
def spots(draw: st.DrawFn) -> sl.Spot:
    """Any board with any few hands and menus; a third of them of one suit, a third with a pair."""
    cards = draw(st.sampled_from([5] * 6 + [4] * 6 + [3]))
    look = draw(st.sampled_from(["one suit", "pair", "any"]))
    if look == "one suit":
        board = [4 * rank + 1 for rank in draw(st.permutations(range(13)))[:cards]]
    else:
        board = draw(st.permutations(range(52)))[:cards]
        if look == "pair":
            board = list(dict.fromkeys([board[0], board[0] // 4 * 4 + (board[0] + 1) % 4, *board]))[:cards]
    menus = SIZES if cards > 3 else SIZES.map(lambda sizes: sizes[:1])
    bets = draw(st.one_of(menus.map(", ".join), st.tuples(menus.map(", ".join), menus.map(", ".join))))
    ranges = [", ".join(draw(HANDS)) for _ in range(2)]
    try:
        return sl.Spot(
            cards_text(board),
            pot=draw(st.sampled_from([2, 7, 100])),
            stack=draw(st.sampled_from([1, 30, 250])),
            ranges=(ranges[0] + ", 8c3d, QsJh", ranges[1] + ", 8s3s, QdJc, 4d4h"),
            bets=bets,
            raises=", ".join(draw(RAISES)),
            donk=draw(st.sampled_from([None, "25%"])),
            cap=draw(st.sampled_from([1, 2, 3])),
            **(SWITCHES if draw(st.booleans()) else {}),
            merge_suits=draw(st.booleans()),
        )
    except sl.SolverlabError as refused:  # a board may take all of somebody's hands
        assert "empty" in str(refused) or "no deal is left" in str(refused)
        return draw(spots())


@settings(max_examples=200, deadline=None, derandomize=True)
@given(spots())
def test_a_size_is_that_of_what_is_built(spot):
    for told, betting, boards in zip(spot.size.rounds, spot.rounds, spot.boards, strict=True):
        assert told.betting.nodes == len(betting.kind) and told.betting.roots == betting.roots
        kinds = [int((betting.kind == kind).sum()) for kind in (0, 1, FOLD, SHOW, NEXT)]
        count = told.betting
        assert [*count.decisions, count.folds, count.showdowns, count.awaiting] == kinds
        assert list(count.actions) == betting.edges.tolist()
        assert count.widest == betting.count.max(initial=1)
        assert told.boards == boards.number and np.array_equal(told.room.size, boards.size)
        decisions = np.array([(betting.kind == player).sum() for player in range(2)])
        assert told.infosets == int((boards.size * decisions[:, None]).sum())
        assert told.rows == int(betting.edges.sum()) * boards.number
        assert boards_bytes(told.room) == sum(part.nbytes for part in boards if isinstance(part, np.ndarray))
    lengths = table_lengths(spot)
    assert [told.numbers for told in spot.size.rounds] == lengths
    assert spot.size.table_bytes == 8 * sum(lengths)
    tables = [np.zeros(length, np.float32) for length in lengths]
    walk = Walk(spot, tables, tables)
    rooms = [told.room for told in spot.size.rounds]
    assert work_bytes(rooms) == sum(array.nbytes for array in arrays_of(walk))


def arrays_of(walk: Walk) -> Iterator[np.ndarray]:
    """Work space of one thread, each array once."""
    later = walk.later[0] if walk.rounds > 1 else ()
    for scratch in (walk.top, *later):
        assert isinstance(scratch, Scratch)
        yield from (part for part in scratch if isinstance(part, np.ndarray))
        yield from scratch.lanes
    yield walk.slab


def test_the_flop_of_the_prototype():
    """Numbers that another program measured on the same spot."""
    size = sl.size(**FLOP, bets="60%, e, a", raises="2.5x", **SWITCHES)
    assert [one.numbers for one in size.rounds] == [5_928, 1_014_000, 76_696_176]
    assert size.public_nodes == 443_734 and sum(one.public.total for one in size.apart) == 728_902
    assert [(one.boards, one.sets) for one in size.rounds] == [(1, 1), (36, 36), (1429, 721)]
    assert [(one.boards, one.sets) for one in size.apart] == [(1, 1), (49, 49), (2352, 1176)]
    assert [one.cards for one in size.rounds] == [0, 45, 44]
    deals = 42_672
    assert size.pairs == deals
    assert size.histories.total == deals * (27 + 45 * 139 + 45 * 44 * 307)
    assert size.histories.ends == deals * (8 + 45 * 40 + 45 * 44 * 193)


def test_histories_are_what_a_walk_through_every_deal_meets():
    spot = sl.Spot("Td9d6hQc", 100, 50, ("AdAc, 7c6c", "KdKh, AdKd, 2c2d"), bets="a", raises="")
    pairs = cards = 0
    taken = {spot.columns(spot.place(""), player)[k] for player in range(2) for k in range(2)}
    assert len(taken) == 4
    for mine in ("AdAc", "7c6c"):
        for theirs in ("KdKh", "AdKd", "2c2d"):
            held = {mine[:2], mine[2:], theirs[:2], theirs[2:]}
            if len(held) == 4:
                pairs += 1
                cards += 52 - len(held) - 4
    turn, river = (one.betting.nodes for one in spot.size.rounds)
    assert spot.size.pairs == pairs and spot.size.histories.total == pairs * turn + cards * river


def test_a_table_has_a_row_for_every_round_and_one_for_all():
    table = sl.size(**FLOP, bets="60%", raises="a").frame()
    assert table["round"].tolist() == ["flop", "turn", "river", "all"]
    assert table["public cards"].tolist()[:3] == [0, 49, 48]
    for name in ("histories", "public nodes", "information sets", "table bytes"):
        assert table[name].iloc[3] == table[name].iloc[:3].sum()
    halved = table["table bytes, river in 16 bits"]
    assert (
        halved.iloc[1] == table["table bytes"].iloc[1]
        and halved.iloc[2] < 0.51 * table["table bytes"].iloc[2]
    )


def test_what_no_machine_holds_is_counted_all_the_same():
    size = sl.size("Td9d6h", 20, 4000, bets="33%, 50%, 75%, 100%, 150%, a", raises="50%, 100%, a")
    assert size.rounds[-1].betting.nodes > 1_000_000 and not size.fits()
    assert size.verdict(1e9).startswith("does not fit: ") and size.verdict(1e9).endswith(" of 1 GB free")


def test_nothing_is_built_before_it_is_asked_for():
    spot = sl.Spot(**FLOP, bets="60%", raises="a")
    assert repr(spot).endswith("180 x 265 hands, 1,466 boards, 181 nodes")
    assert not {"boards", "rounds", "ranges"} & set(vars(spot))


# ---- what does not fit -------------------------------------------------------------------------------------


def test_a_spot_that_does_not_fit_is_refused_with_three_menus_that_do():
    with pytest.raises(sl.SolverlabError) as refused:
        sl.Spot(**FLOP, bets="33%, 75%, a", raises="2.5x, a", most_bytes=1e9)
    needed = sl.size(**FLOP, bets="33%, 75%, a", raises="2.5x, a").bytes
    sentence = str(refused.value)
    assert sentence.startswith(f"this spot takes {bytes_text(needed)} to solve and 1 GB may be taken; take ")
    menus = sl.Spot(**FLOP, bets="33%, 75%, a", raises="2.5x, a", most_bytes=math.inf).cheaper(1e9)
    assert len(menus) == 3
    for settings_told, size in menus:
        assert f"{settings_told} ({bytes_text(size)})" in sentence
        spot = sl.Spot(
            **{**FLOP, "bets": "33%, 75%, a", "raises": "2.5x, a", **eval(f"dict({settings_told})")}
        )
        assert spot.size.bytes == size <= 1e9


def test_if_nothing_fits_the_smallest_menus_are_told():
    with pytest.raises(sl.SolverlabError, match=r"take bets='a' \(37.* MB\), or bets="):
        sl.Spot(**FLOP, bets="33%, 75%, a", raises="2.5x, a", most_bytes=1e6)
    with pytest.raises(sl.SolverlabError, match="take narrower ranges, or begin on a later round"):
        sl.Spot(**FLOP, bets="", raises="", cap=1, most_bytes=1e6)


def test_more_lines_than_are_built_are_refused_with_their_number():
    with pytest.raises(
        sl.SolverlabError, match=r"takes [\d,]+ lines on one round, at most 100,000, and .*B; take "
    ):
        sl.Spot("Td9d6h", 20, 1000, ("AA", "KK"), bets="33%, 50%, 75%, 100%, 150%, a", raises="50%, 100%, a")


def test_a_solver_refuses_tables_that_do_not_fit(monkeypatch):
    spot = sl.Spot("Td9d6hQc", 200, 900, ("66+", "22+"), bets="33%, 75%", raises="a")
    needed = SpotCFR.bytes_needed(spot)
    monkeypatch.setattr("solverlab.core.boards.room.free_bytes", lambda: needed - 1)
    with pytest.raises(
        sl.SolverlabError, match=r"the tables of this postflop spot take .* are free; take cap=1 \("
    ):
        SpotCFR(spot)


@pytest.mark.parametrize("most", [0, -1, math.nan, "much", True])
def test_a_limit_that_is_none_is_told_in_a_sentence(most):
    with pytest.raises(sl.SolverlabError, match="most_bytes is .*; give bytes above 0"):
        sl.Spot(**FLOP, most_bytes=most)
