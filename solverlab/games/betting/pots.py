"""Who plays for how much where a hand stops: the pot in layers, and how a deal pays each seat."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from solverlab.games.betting.states import State

if TYPE_CHECKING:
    from solverlab.games.betting.table import Betting

Chips = tuple[float, ...]  # of each seat


class Layer(NamedTuple):
    """A layer of the pot: what each seat has in it, and the seats that may win it."""

    paid: Chips
    seats: frozenset[int]


class Pots(NamedTuple):
    """What each seat has paid, and every layer of the pot: its amount and the seats that may win it."""

    paid: Chips
    amounts: Chips
    seats: tuple[frozenset[int], ...]


def layers(
    paid: Sequence[float], live: Collection[int], reach: Sequence[float] | None = None
) -> Iterator[Layer]:
    """The pot in layers, lowest first; `reach` is how far each seat contests it (as far as it paid).

    What folded seats put in beyond everybody's reach lies in the top layer. A layer of one goes back to it.

    >>> [(layer.paid, sorted(layer.seats)) for layer in layers((2.0, 1.0, 2.0), {0, 1, 2})]
    [((1.0, 1.0, 1.0), [0, 1, 2]), ((1.0, 0.0, 1.0), [0, 2])]
    """
    reaches = paid if reach is None else reach
    steps, below = sorted({reaches[p] for p in live}), 0.0
    for level in steps:
        top = level == steps[-1]
        layer = tuple((chips if top else min(chips, level)) - min(chips, below) for chips in paid)
        if any(layer):
            yield Layer(layer, frozenset(p for p in live if reaches[p] >= level))
        below = level


def matched(paid: Sequence[float], live: Collection[int]) -> list[Layer]:
    """The one layer there is once every live seat has put in as much as the largest bet of a live seat."""
    most = max(paid[p] for p in live)
    return [Layer(tuple(most if p in live else chips for p, chips in enumerate(paid)), frozenset(live))]


def pots(row: Betting, state: State, match: bool = True) -> Pots:
    """The layers of the pot if the hand stopped here and the cards were shown.

    With `match`, live seats that still owe chips match the largest bet, as far as their stacks go; without it
    nobody adds anything and the part of the largest bet that nobody called goes back.

    >>> from solverlab.games.betting.states import first_state
    >>> from solverlab.games.betting.table import Betting, Street
    >>> row = Betting(stacks=(100.0, 100.0), blinds=(0.5, 1.0), streets=(Street(raises="a"),))
    >>> pots(row, first_state(row)), pots(row, first_state(row), match=False).paid
    (Pots(paid=(1.0, 1.0), amounts=(2.0,), seats=(frozenset({0, 1}),)), (0.5, 0.5))
    """
    seats = [p for p in range(row.seats) if state.live[p]]
    # A live seat contests the pot up to the largest bet, or to its own stack when that is less.
    reach = [min(state.level, stack) for stack in row.stacks]
    paid = list(state.paid)
    if match and len(seats) > 1:
        for p in seats:
            paid[p] = max(paid[p], reach[p])
    first = max(range(row.seats), key=paid.__getitem__)
    paid[first] = min(paid[first], max(paid[p] for p in range(row.seats) if p != first))
    found = [layer for layer in layers(paid, seats, reach) if sum(layer.paid) > 0]
    amounts, winners = [sum(layer.paid) for layer in found], [layer.seats for layer in found]
    if row.dead:  # everybody who is left plays for it
        amounts, winners = amounts or [0.0], winners or [frozenset(seats)]
        amounts[0] += sum(row.dead)
        paid = [one + dead for one, dead in zip(paid, row.dead, strict=True)]
    return Pots(tuple(paid), tuple(amounts), tuple(winners))


def payoffs(won: Pots, ranks: Sequence[int]) -> list[float]:
    """What each seat wins or loses, given how good the hands are; ties split a layer evenly.

    >>> payoffs(Pots((1, 1, 3, 3), (4, 4), (frozenset({0, 2, 3}), frozenset({2, 3}))), ranks=[9, 0, 5, 5])
    [3.0, -1.0, -1.0, -1.0]
    """
    net = [-float(paid) for paid in won.paid]
    for amount, seats in zip(won.amounts, won.seats, strict=True):
        best = max(ranks[p] for p in seats)
        winners = [p for p in seats if ranks[p] == best]
        for p in winners:
            net[p] += amount / len(winners)
    return net
