"""The rules of betting against pokerkit's: random no-limit decisions of 2 to 9 seats, short stacks included."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from solverlab.core.rows import Row
from solverlab.games.betting.keys import exact, nominal
from solverlab.games.betting.raising import may_raise
from solverlab.games.betting.states import State, act, choices, first_state, open_street
from solverlab.games.betting.table import Betting, Street
from solverlab.proof.verdict import Claim, Verdict

DECISIONS, QUICK = 50_000, 2_000
SMALL, BIG, LEAST_STACK = 50, 100, 30  # chips; a stack of 30 does not cover the small blind
DEPTHS = (300, 1_000, 4_000)
MENU = "50%, 100%, a"
FOLDS = 0.3


ALWAYS: Row = {"opening_counts": False, "allin_at_cap": True, "unit": 1}
RAISES = "1p, 1.5p, 2p, 3p, 4p, 6p, 8p, 12p, a"
BETS = "25%, 50%, 100%, 150%, 200%, 300%, 400%, 600%, 800%, 1200%, a"
BLUEPRINT_2 = Betting(  # the small blind begins every street: the seats behind it have folded
    stacks=(10_000, 10_000),
    blinds=(50, 100),
    streets=(Street("", RAISES, 3), *(Street(BETS, RAISES, cap) for cap in (2, 2, 1))),
    total=6,
    **ALWAYS,
)
BLUEPRINT_6 = Betting(
    stacks=(10_000,) * 6,
    blinds=(50, 100, 0, 0, 0, 0),
    streets=(
        Street("", "1p, 2p, a", 2, first=2),
        Street("100%, 200%, 400%, a", "1p, 2p, 4p, a", 1),
        Street("100%, 200%, 400%, a", "1p, 2p, 4p, a", 1),
        Street("50%, 100%, 200%, 400%, a", "a", 0),
    ),
    total=4,
    **ALWAYS,
)
KNOWN = {  # counted by a program of another make: nodes of every street, edges, ends
    ("two seats", nominal, 1): (BLUEPRINT_2, (1_588, 6_980, 21_332, 19_636), 203_769, 55_321),
    ("two seats", exact, 1): (BLUEPRINT_2, (1_588, 13_076, 34_988, 32_040), 286_573, None),
    ("six seats", nominal, 0): (BLUEPRINT_6, (3_200, 49_600, 84_419, 62_967), 655_471, 69_877),
}


class Tally(NamedTuple):
    """What was compared, and what differed."""

    compared: dict[str, int]
    differs: dict[str, int]


def prove(quick: bool = False) -> Verdict:
    """Play random hands in both, decision by decision, and count where they do not agree."""
    tally = compare(QUICK if quick else DECISIONS)
    decisions, differing = tally.compared["decisions"], sum(tally.differs.values())
    claims = [
        Claim("decisions in which the rules differ from pokerkit's", differing, 0),
        Claim("decisions missing of those to compare", max(0, (QUICK if quick else DECISIONS) - decisions), 0),
        Claim("share of decisions without a short blind", 1 - tally.compared["short blinds"] / decisions, 0.99),
    ]
    if not quick:  # too rare, and too long, for a few seconds
        claims.append(Claim("no decision that short all-ins reopened", tally.compared["reopened"] == 0, 0))
        claims += graphs()
    return Verdict(claims, {"compared": tally.compared, "differs": tally.differs})


def graphs() -> list[Claim]:
    """Graphs of two printed tables against known counts: how far off nodes, edges and ends are."""
    claims = []
    for (seats, key, from_street), (row, nodes, edges, ends) in KNOWN.items():
        found = row.count(key, from_street)
        off = sum(abs(mine - known) for mine, known in zip(found.nodes, nodes, strict=True))
        off += abs(sum(found.edges) - edges)
        off += 0 if ends is None else abs(found.folds + found.showdowns - ends)
        claims.append(Claim(f"{seats}, {key.__name__}: {sum(nodes):,} nodes; off by", off, 0))
    return claims


def compare(decisions: int, seed: int = 0) -> Tally:
    """Hands until so many decisions are compared; a hand stops where the two first differ."""
    rng = np.random.default_rng(seed)
    seen = dict.fromkeys(("hands", "decisions", "short blinds", "raises refused", "reopened", "forgotten"), 0)
    tally = Tally(seen, {})
    while seen["decisions"] < decisions:
        seats = int(rng.integers(2, 10))
        stacks = rng.integers(LEAST_STACK, rng.choice(DEPTHS), seats)
        _play(table(tuple(map(float, stacks))), rng, tally)
    return tally


def table(stacks: tuple[float, ...]) -> Betting:
    """A hold'em table in whole chips; heads-up the small blind is the button."""
    seats = len(stacks)
    later = Street(MENU, MENU, first=1 if seats == 2 else 0)
    return Betting(
        stacks=stacks,
        blinds=(float(SMALL), float(BIG), *(0.0,) * (seats - 2)),
        streets=(Street(MENU, MENU, first=2 % seats), later, later, later),
        unit=1,
    )


def _play(row: Betting, rng: np.random.Generator, tally: Tally) -> None:
    hand, state = _pokerkit(row), first_state(row)
    tally.compared["hands"] += 1
    short = row.stacks[0] < SMALL or row.stacks[1] < BIG
    while True:
        while state.deals:
            state = open_street(row, state)
        if state.over or hand.actor_index is None:
            _note(tally, "who acts", state.over == (hand.actor_index is None))
            return
        tally.compared["decisions"] += 1
        tally.compared["short blinds"] += short
        if not _same(row, state, hand, tally):
            return
        label, total = _chosen(choices(row, state), rng)
        _follow(hand, label, round(total - state.paid[state.actor]))
        state = act(row, state, total)


def _chosen(offered: dict[str, float], rng: np.random.Generator) -> tuple[str, float]:
    """Any action, folds less often: many seats left make the rare rules matter."""
    kept = [one for one in offered.items() if one[0] != "fold" or rng.random() < FOLDS]
    return kept[int(rng.integers(len(kept)))]


def _same(row: Betting, state: State, hand: Any, tally: Tally) -> bool:
    """Whether both ask the same seat, for the same call, and allow the same raises from the same least one."""
    seat = 1 - state.actor if row.seats == 2 else state.actor
    if not _note(tally, "who acts", seat == hand.actor_index):
        return False
    p, paid = state.actor, state.paid[state.actor]
    before = paid - hand.bets[seat]  # pokerkit counts bets street by street
    offered = choices(row, state)
    call = offered["call" if "call" in offered else "check"] - paid
    least = min(state.level + state.least_raise, row.stacks[p]) if may_raise(row, state) else None
    theirs = hand.min_completion_betting_or_raising_to_amount
    tally.compared["raises refused"] += least is None
    tally.compared["reopened"] += least is not None and p in state.closed
    if least is not None and theirs is None and _forgets(state, hand):
        tally.compared["forgotten"] += 1
        return False
    return (
        _note(tally, "fold", ("fold" in offered) == hand.can_fold())
        and _note(tally, "call", call == hand.checking_or_calling_amount)
        and _note(tally, "raise", least == (None if theirs is None else theirs + before))
        and _note(tally, "all-in", least is None or hand.can_complete_bet_or_raise_to(row.stacks[p] - before))
    )


def _forgets(state: State, hand: Any) -> bool:
    """Whether pokerkit refuses a raise by the last short all-ins alone.

    Once short all-ins have added up to a full raise it forgets them, so that one more closes the betting
    again, although the bet has grown by more than a full raise since the seat acted.
    """
    short, full = sum(hand.consecutive_short_all_in_amounts), hand.completion_betting_or_raising_amount
    return state.actor in state.closed and 0 < short < full <= state.level - state.paid[state.actor]


def _note(tally: Tally, what: str, agree: bool) -> bool:
    if not agree:
        tally.differs[what] = tally.differs.get(what, 0) + 1
    return agree


def _follow(hand: Any, label: str, added: int) -> None:
    """The same action in pokerkit."""
    if label == "fold":
        hand.fold()
    elif label in ("call", "check"):
        hand.check_or_call()
    else:
        hand.complete_bet_or_raise_to(added + hand.bets[hand.actor_index])


def _pokerkit(row: Betting) -> Any:
    from pokerkit import Automation, NoLimitTexasHoldem

    stacks = [int(stack) for stack in row.stacks]
    return NoLimitTexasHoldem.create_state(
        tuple(Automation), False, 0, (SMALL, BIG), BIG, stacks[::-1] if row.seats == 2 else stacks, row.seats
    )
