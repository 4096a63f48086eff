"""2-to-7 with limps, raises and bets after the draw: the same exactness, checked two ways."""

from __future__ import annotations

import json
from hashlib import sha256

import numpy as np
import pytest

import solverlab as sl
from solverlab.core.draw_game import Act, Draw, DrawNode, Paid, Show
from solverlab.core.errors import TooLarge
from solverlab.core.game import TabulatedGame, check_game
from solverlab.core.history import unroll
from solverlab.core.tree import leaf_nodes
from solverlab.games.lowball.after import LowballAfterDraw, LowballAfterDrawTable
from solverlab.games.lowball.real import RealLowball
from solverlab.games.lowball.real_betting import BettingLowball
from solverlab.naive.lowball import badness
from solverlab.studies.lowball import lowball_variants, solve_lowball


def ends(game) -> dict[str, float]:
    """What the button wins or risks at each leaf."""
    outcomes = [game.outcome(game.states[n])[-1] for n in leaf_nodes(game.tree)]
    return dict(zip((game.names.paths[n] for n in leaf_nodes(game.tree)), outcomes, strict=True))


def test_limps_and_raises_cost_what_they_say():
    game = sl.Lowball(6, ranks=6, limp=True, raises=(2, 4))
    check_game(game)
    paid = ends(game)
    assert paid["limp/check/draw 0/draw 1"] == 1 and paid["limp/raise 2/fold"] == -1
    assert paid["raise 2/fold"] == 1 and paid["raise 2/all-in/fold"] == -2
    assert paid["raise 2/raise 4/all-in/fold"] == 4
    assert paid["raise 2/call/draw 1/draw 1"] == 2 and paid["all-in/all-in/draw 0/draw 0"] == 6
    assert "raise 4/raise 6" not in game.names.paths and "limp/limp" not in game.names.paths
    assert "raise 2/raise 4" in game.names.paths and "raise 4/raise 4" not in game.names.paths


def test_bets_after_the_draw_cost_what_they_say():
    game = sl.Lowball(6, ranks=5, limp=True, after_draw=(1,))
    check_game(game)
    paid, start = ends(game), "limp/check/draw 1/draw 0/"
    assert paid[start + "check/check"] == 1 and paid[start + "bet 2/fold"] == -1
    assert paid[start + "bet 2/call"] == 3 and paid[start + "check/bet 2/fold"] == 1
    assert paid[start + "bet 2/all-in/fold"] == 3 and paid[start + "check/bet 2/all-in/all-in"] == 6
    assert game.tree.player[game.names.node(start)] == 1, "the big blind speaks first after the draw"
    assert paid["all-in/all-in/draw 1/draw 0"] == 6, "nobody can bet who is all-in"


def test_a_bet_beyond_the_stack_is_all_in():
    game = sl.Lowball(2, ranks=5, limp=True, after_draw=(0.25, 3))
    labels = {game.names.actions[child] for child in range(len(game.tree.parent))}
    assert "bet 0.5" in labels and not any(label.startswith("bet 6") for label in labels)
    assert ends(game)["limp/check/draw 0/draw 0/all-in/all-in"] == 2


AFTER = [
    {"stack": 3, "cards": 1, "ranks": 6, "limp": True, "after_draw": (1,)},
    {"stack": 4, "cards": 1, "per_rank": 3, "ranks": 4, "limp": True, "raises": (2,), "after_draw": (0.5,)},
    {"stack": 3, "cards": 2, "ranks": 8, "limp": True, "after_draw": (1,)},
    {"stack": 4, "cards": 2, "per_rank": 2, "ranks": 4, "discard": "free", "limp": True, "after_draw": (1,)},
    {"stack": 4, "cards": 2, "per_rank": 4, "ranks": 3, "discard": "free", "limp": True, "after_draw": (1,)},
]


@pytest.mark.parametrize("rules", AFTER, ids=str)
def test_sums_without_pairs_equal_the_table_of_pairs(rules):
    """Inclusion and exclusion over shared cards against the joint probability of every pair of hands."""
    table, summed = LowballAfterDrawTable(**rules), LowballAfterDraw(**rules)
    assert isinstance(table, TabulatedGame) and not hasattr(summed, "leaves")
    assert table.deal_mass(0).sum() == pytest.approx(1.0)
    leaves = int(table.tree.leaf.max()) + 1
    reach = np.random.default_rng(2).random((2, leaves, len(table.hands)))
    reach[:, :, ::3] = 0.0
    for me in (0, 1):
        np.testing.assert_allclose(summed.leaf_cfv(me, reach), table.leaf_cfv(me, reach), atol=1e-14)


def test_deals_with_replacements_equal_plain_enumeration():
    """Five cards told apart: who is dealt what, and what would replace it."""
    from itertools import permutations

    game = sl.Lowball(3, per_rank=2, ranks=3, limp=True, after_draw=(1,))
    deck = [(rank, copy) for rank in range(3) for copy in range(2)]
    full = zip(game.full.dealt, game.full.replacements, strict=True)
    counted = np.zeros((len(game.hands),) * 2)
    place = {(d, *order): h for h, (d, order) in enumerate(full)}
    dealt = {hand[0]: d for d, hand in enumerate(game.dealt)}
    every = list(permutations(deck, 4))
    for (mine, _), (theirs, _), (first, _), (second, _) in every:
        counted[place[dealt[mine], first], place[dealt[theirs], second]] += 1 / len(every)
    np.testing.assert_allclose(game.deal_mass(0), counted, atol=1e-15)
    for choice, drawn in ((0, 0), (1, 1)):
        for h, final in enumerate(game.full.final[choice]):
            card = game.full.replacements[h] if drawn else game.dealt[game.full.dealt[h]]
            assert badness(card) == badness(game.dealt[final])


@pytest.mark.parametrize(
    "rules", [AFTER[0], {"stack": 4, "cards": 1, "ranks": 5, "after_draw": (1,)}], ids=str
)
def test_unused_bets_change_nothing(rules):
    """Without limps nobody can bet after the draw, and the replacements dealt in advance do no harm."""
    plain = {name: value for name, value in rules.items() if name not in ("after_draw", "limp")}
    value = sl.solve_lp(sl.Lowball(**plain, after_draw=(1,))).value
    assert value == pytest.approx(sl.solve_lp(sl.Lowball(**plain)).value, abs=1e-9)


@pytest.mark.parametrize(
    "rules",
    [
        {"stack": 5, "limp": True},
        {"stack": 5, "limp": True, "raises": (2, 3)},
        {"stack": 5, "cards": 2, "ranks": 8, "limp": True},
        {"stack": 5, "ranks": 5, "limp": True, "after_draw": (1,)},
        AFTER[3],
    ],
    ids=str,
)
def test_cfr_finds_the_referees_value(rules):
    game = sl.Lowball(**rules)
    referee = sl.solve_lp(game)
    snap = sl.solve(game, "PCFR+", until=sl.below("exploitability", 5e-6) | sl.iterations(6_000))
    assert snap.exploitability <= 5e-6
    assert snap.value == pytest.approx(referee.value, abs=1e-5)
    assert sl.exploitability(game, referee.policy) < 1e-8


def test_every_bet_more_helps_the_button_at_five_big_blinds():
    """The document's intuition: limps and raises win back what push/fold gives up, and later bets more."""
    rows = {row["variant"]: row for row in lowball_variants(5, ranks=6)}
    values = [rows[name]["value"] for name in ("push/fold", "limp", "limp and raise")]
    assert values == sorted(values) and max(row["exploitability"] for row in rows.values()) < 1e-6
    assert rows["limp, bet after the draw"]["adds"] > rows["limp"]["adds"] > 0.01
    for row in rows.values():
        assert row["adds"] == pytest.approx(row["value"] - values[0], abs=1e-15)
        assert 2 * row["exploitability"] <= row["adds_error"] < 4e-6


def test_two_cards_of_thirteen_ranks_with_bets_after_the_draw():
    """8,580 hands with their replacements and no table: a few iterations halve the exploitability."""
    game = sl.Lowball(4, 2, limp=True, after_draw=(1,))
    assert len(game.hands) == 8_580 and type(game) is LowballAfterDraw
    solver = sl.CFR(game, "PCFR+")
    far, near = (sl.deviation_gains(game, solver.step(steps).policy) for steps in (2, 10))
    assert sum(near) < 0.5 * sum(far) and min(near) > -1e-12
    policy = solver.snapshot().policy
    assert sl.value(game, policy, 0) == pytest.approx(-sl.value(game, policy, 1), abs=1e-12)


def test_samplers_and_exports_take_the_tables():
    game = sl.Lowball(3, ranks=4, limp=True, after_draw=(1,))
    history = unroll(game)
    assert history.payoff.sum(axis=1) == pytest.approx(np.zeros(len(history.payoff)))
    solved = solve_lowball(game)
    snap = sl.solve(game, "LCFR", sl.iterations(20_000), sampling="external", rng=5)
    assert snap.exploitability < 0.1 and abs(snap.value - solved.value) < 0.1


def test_too_many_cards_are_told():
    with pytest.raises(TooLarge, match="999,635 hands with their replacements; .* deal at most 2 cards"):
        sl.Lowball(3, 3, 4, after_draw=(1,))


# ---- betting of the whole deck -----------------------------------------------------------------------------

RECORDED_TREES = {  # as the first version built them, whose limps and raises could not be raised again
    "8ce4abc5f8fe5f36": {"stack": 3.0},
    "9bbaa22f67b95cb5": {"stack": 4.0, "limp": True},
    "96313b1821c0942e": {"stack": 4.0, "limp": True, "bets": (1.0,)},
    "d81dfe07ef1fc2bc": {"stack": 8.0, "limp": True, "raises": (2,), "bets": (1,)},
    "e988890dee6613fd": {"stack": 8.0, "raises": (2, 3.5), "bets": (0.5, 1.0)},
    "4a32bc20922b8a9e": {"stack": 5.0, "raises": (1.5,), "bets": (0.25, 0.5, 1, 3)},
    "27d2c41af0f84637": {"stack": 2.0, "limp": True, "bets": (2,)},
    "8eb516c0e4e974f9": {"stack": 20.0, "limp": True, "raises": (3, 2, 7), "bets": (0.33,)},
}


def told(node: DrawNode) -> list:
    """A tree as plain values."""
    if isinstance(node, Act):
        return [node.player, {action: told(child) for action, child in node.following.items()}]
    if isinstance(node, Draw):
        return ["draw", told(node.after)]
    return [type(node).__name__.lower(), round(node[0], 9)]


@pytest.mark.parametrize(("recorded", "rules"), RECORDED_TREES.items())
def test_trees_of_the_whole_deck_are_those_recorded(recorded, rules):
    tree = told(BettingLowball(cards=1, **rules).root)
    assert sha256(json.dumps(tree).encode()).hexdigest()[:16] == recorded


def test_with_reraises_the_whole_deck_plays_by_the_rules_of_the_small_rungs():
    game = BettingLowball(8.0, limp=True, raises=(2, 4), bets=(1,), reraise=True, cards=1)
    limped = game.root.following["limp"]
    assert list(limped.following) == ["check", "raise 2", "raise 4", "push"]
    assert list(limped.following["raise 2"].following) == ["fold", "call", "raise 4", "push"]
    late = limped.following["check"].after.following["bet 2"]
    assert list(late.following) == ["fold", "call", "push"]
    assert late.following["push"].following == {"fold": Paid(3.0), "call": Show(8.0)}
    assert game.sizes()["decisions"] > BettingLowball(8.0, limp=True, cards=1).sizes()["decisions"]
    assert BettingLowball(8.0, cards=1).sizes() == RealLowball(8.0, cards=1).sizes()
