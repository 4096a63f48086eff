"""Menus of postflop spots: sizes, switches, bets into the last to bet, dead money; numbers done by hand."""

from __future__ import annotations

import pytest
from games.betting_lines import after

from solverlab.games.betting.pots import payoffs, pots
from solverlab.games.betting.states import choices
from solverlab.games.betting.street_counts import street_counts
from solverlab.games.betting.table import Betting, Street

FULL = Street("60%, e, a", "2.5x")
SWITCHES = {"add_allin": 1.5, "force_allin": 0.15, "merge": 0.1}


def spot(*streets: Street, pot: float = 200, behind: float = 900, **settings: float) -> Betting:
    half = pot / 2
    whole = {"least_bet": 1, "unit": 1, "beyond": "all-in", **settings}
    return Betting((behind + half,) * 2, streets, antes=(half, half), **whole)


def offered(row: Betting, *labels: str) -> dict[str, float]:
    """What may be bet after a line, as totals of the street; checks, calls and folds left out."""
    menu, base = choices(row, after(row, *labels)), _opened(row, labels)
    return {name: total - base for name, total in menu.items() if name not in ("check", "call", "fold")}


def _opened(row: Betting, labels: tuple[str, ...]) -> float:
    """What everybody had paid when the street of a line began."""
    street = after(row, *labels).street
    first = next(k for k in range(len(labels) + 1) if after(row, *labels[:k]).street == street)
    return min(after(row, *labels[:first]).paid)


@pytest.mark.parametrize(
    ("streets", "nodes", "roots", "actions"),
    [
        (1, [27], [1], [13]),
        (2, [51, 155], [1, 17], [25, 69]),
        (3, [27, 139, 307], [1, 9, 49], [13, 65, 129]),
    ],
)
def test_spots_have_the_known_sizes(streets, nodes, roots, actions):
    counts = street_counts(spot(*(FULL,) * streets, **SWITCHES))
    assert [count.nodes for count in counts] == nodes and [count.roots for count in counts] == roots
    assert [count.actions for count in counts] == [(each, each) for each in actions]


def test_a_flop_spot_by_hand():
    """Pot 200, 900 behind. The geometric size of three streets, 115, is too near to 60 %, 120."""
    row = spot(FULL, FULL, FULL, **SWITCHES)
    assert offered(row) == {"bet 60%": 120, "all-in": 900}
    assert offered(row, "bet 60%") == {"raise 2.5x": 300}
    # 750 of 900: a call would leave 150 behind in a pot of 1,700.
    assert offered(row, "bet 60%", "raise 2.5x") == {"all-in": 900}
    assert offered(row, "bet 60%", "call") == {"bet 60%": 264, "all-in": 780}
    assert offered(row, "bet 60%", "call", "bet 60%") == {"all-in": 780}
    assert offered(row, "bet 60%", "call", "bet 60%", "call") == {"all-in": 516}


def test_every_switch_alone():
    river = Street("25%, 50%, 60%, 200%", "2.5x")
    assert offered(spot(river)) == {"bet 25%": 50, "bet 50%": 100, "bet 60%": 120, "bet 200%": 400}
    # 50 % goes: 0.5 is not below (0.6 - 0.1) / 1.1 = 0.4545.
    assert offered(spot(river, merge=0.1)) == {"bet 25%": 50, "bet 60%": 120, "bet 200%": 400}
    assert "all-in" not in offered(spot(river, add_allin=4.49)) and offered(spot(river, add_allin=4.5)) == {
        "bet 25%": 50, "bet 50%": 100, "bet 60%": 120, "bet 200%": 400, "all-in": 900,
    }  # fmt: skip
    # A call of 400 makes a pot of 1,000 and leaves 500 behind.
    assert offered(spot(river, force_allin=0.49))["bet 200%"] == 400
    assert list(offered(spot(river, force_allin=0.5)).values()) == [50, 100, 120, 900]


def test_a_geometric_size_has_a_most_and_counts_raises_as_streets():
    assert offered(spot(Street("e80%"))) == {"bet e80%": 160}
    assert offered(spot(Street("e"))) == {"all-in": 900}
    row = spot(Street("50%", "e"), Street("50%", "e"))
    # Facing 100: the pot is 400 after calling, 800 are behind, two streets: 400 (5^(1/2) - 1) / 2 = 247.
    assert offered(row, "bet 50%") == {"raise e": 347}
    assert offered(row, "bet 50%", "raise e") == {"all-in": 900}


def test_chips_may_end_after_some_bets():
    row = spot(Street("50c", "50c2r"))
    line = ["bet 50c", "raise 50c", "raise 50c"]
    assert [offered(row, *line[:k]) for k in range(1, 4)] == [{"raise 50c": 100}, {"raise 50c": 150}, {}]


def test_bets_into_the_last_to_bet_have_a_menu_of_their_own():
    row = spot(Street("100%"), Street("50%", donk="25%"), behind=5000)
    assert list(offered(row, "check", "bet 100%", "call")) == ["bet 25%"]
    assert list(offered(row, "check", "bet 100%", "call", "check")) == ["bet 50%"]
    assert list(offered(row, "check", "check")) == ["bet 50%"]
    assert list(offered(row, "bet 100%", "call")) == ["bet 50%"]
    three = spot(Street("100%"), Street("50%", donk="25%"), Street("50%", donk="25%"), behind=5000)
    # On a street without a bet the last to bet is forgotten.
    assert list(offered(three, "check", "bet 100%", "call", "check", "check")) == ["bet 50%"]
    assert row.graph().states and row.count().nodes[1] > 0


def test_unequal_antes_are_dead_money():
    row = Betting(stacks=(9, 10), antes=(0, 1), streets=(Street("100%", cap=1),))
    assert offered(row) == {"bet 100%": 1}
    shown = pots(row, after(row, "check", "check"))
    assert payoffs(shown, ranks=[1, 0]) == [1, -1] and payoffs(shown, ranks=[0, 1]) == [0, 0]
    called = pots(row, after(row, "bet 100%", "call"))
    assert payoffs(called, ranks=[1, 0]) == [2, -2] and payoffs(called, ranks=[0, 1]) == [-1, 1]
    folded = pots(row, after(row, "bet 100%", "fold"))
    assert payoffs(folded, ranks=[0, 1]) == [1, -1]
    everybody = Betting(stacks=(10, 10), antes=(1, 1), streets=(Street("100%", cap=1),))
    assert everybody.dead == () and row.stacks == (9, 9)
