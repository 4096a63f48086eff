"""Who wins what where a hand stops, peeled off the pot layer by layer; nothing is added up in advance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


def peeled(paid: Sequence[float], reach: Mapping[int, float]) -> Iterator[tuple[list[float], set[int]]]:
    """What everybody has in each layer, and who may win it; `reach` says how far each live seat plays along.

    >>> [(chips, sorted(seats)) for chips, seats in peeled([2, 1, 2], {0: 2, 1: 1, 2: 2})]
    [([1.0, 1.0, 1.0], [0, 1, 2]), ([1.0, 0.0, 1.0], [0, 2])]
    """
    left, inside, below = [float(chips) for chips in paid], set(reach), 0.0
    while inside:
        level = min(reach[seat] for seat in inside)
        last = all(reach[seat] == level for seat in inside)  # dead chips above everybody are won here
        layer = left if last else [min(chips, level - below) for chips in left]
        if any(layer):
            yield layer, inside
        left = [chips - taken for chips, taken in zip(left, layer, strict=True)]
        inside, below = {seat for seat in inside if reach[seat] > level}, level


def winnings(
    stacks: Sequence[float], paid: Sequence[float], live: Sequence[bool], level: float,
    ranks: Sequence[int], match: bool = True,
) -> list[float]:  # fmt: skip
    """Net chips of each seat if cards are shown now; with `match` live seats first call as far as they can.

    >>> winnings([9, 9], [1, 2], [True, True], 2, ranks=[5, 4])
    [2.0, -2.0]
    >>> winnings([9, 9], [1, 2], [False, True], 2, ranks=[5, 4])
    [-1.0, 1.0]
    """
    inside = [seat for seat, alive in enumerate(live) if alive]
    reach = {seat: min(level, stacks[seat]) for seat in inside}
    chips = [float(one) for one in paid]
    if match and len(inside) > 1:
        for seat in inside:
            chips[seat] = max(chips[seat], reach[seat])
    first, second = sorted(chips)[-1], sorted(chips)[-2]
    chips[chips.index(first)] = second  # what nobody called comes back
    net = [-one for one in chips]
    for layer, seats in peeled(chips, reach):
        best = max(ranks[seat] for seat in seats)
        winners = [seat for seat in seats if ranks[seat] == best]
        for seat in winners:
            net[seat] += sum(layer) / len(winners)
    return net
