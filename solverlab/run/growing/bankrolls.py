"""One hold'em forest for each stack: strategy trees by bankroll, position and hole cards.

Document 000 asks for a separate tree for each position, each holding, "and possibly for each bank-role
(#BB's)". A forest is the first two; here is the third.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from inspect import signature
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from solverlab.core.errors import BadValue, TooLarge, UnknownName
from solverlab.core.frame import frame
from solverlab.core.rows import Row, Setting
from solverlab.core.snapshot import Snapshot
from solverlab.games.holdem.game import KNOWN, Holdem
from solverlab.solvers import Rebalance
from solverlab.solvers.growing.frontier import FrontierRule, MostReached
from solverlab.solvers.growing.sampled.ground import SampledGround
from solverlab.solvers.growing.sampled.nodes import MOST_NODES
from solverlab.solvers.growing.sampled.sample import MOST_BYTES, check_sample

if TYPE_CHECKING:
    import pandas as pd

Stack = float | tuple[float, ...]  # big blinds: the same for all seats, or one a seat

TABLE = frozenset(KNOWN)
SOLVER = frozenset(signature(Rebalance).parameters) - {"game", "unknown", "start", "returned"}
USUAL = MostReached(169)  # a leaf an epoch for every hand, on average


@dataclass(frozen=True)
class HandTree:
    """The tree of one (stack, position, holding) as it is now.

    `ev` in big blinds and its standard `error` are those of the last sweep, not a number before the first.
    `decision` is what happened before the first own decision ("" for nothing), None while the tree has none;
    `strategy` are the probabilities of its actions, as now played.
    """

    stack: Stack
    position: str
    hand: str
    nodes: int
    ev: float
    error: float
    decision: str | None
    strategy: Mapping[str, float]


class Bankrolls:
    """A forest for each of several stacks, grown together and asked by (stack, position, holding).

    A stack is a number of big blinds that all seats have, or a tuple with one for each seat. The other
    settings are those of the table (`sl.Holdem`) and of its forest (`sl.Rebalance`), alike for all stacks.

    All forests have the same seed, so in the same epoch every stack is dealt the same cards: what differs
    between stacks is money and play, not luck. With a `tolerance` epochs may end apart; then deals differ.

    >>> bankrolls = Bankrolls([5, 50], players=3, samples=50, sweeps=2)
    >>> shown = bankrolls.step(4)
    >>> shown[5].iteration, bankrolls
    (4, Bankrolls(3-handed no-limit hold'em, 5 and 50 big blinds))
    >>> tree = bankrolls.tree(50, "button", "AA")
    >>> tree.decision, list(tree.strategy), tree.ev > 1
    ('', ['fold', 'call', 'raise 100%', 'all-in'], True)
    """

    def __init__(
        self,
        stacks: Iterable[float | tuple[float, ...]],
        players: int = 6,
        frontier: FrontierRule | None = USUAL,
        **settings: Setting,
    ):
        unknown = sorted(set(settings) - TABLE - SOLVER)
        if unknown:
            raise UnknownName("setting", unknown[0], sorted(TABLE | SOLVER))
        of_table = {name: value for name, value in settings.items() if name in TABLE}
        of_solver = {name: value for name, value in settings.items() if name in SOLVER}
        forests: dict[Stack, Rebalance] = {}
        for stack in _listed(stacks):
            game = Holdem(players, stack, **of_table)
            key = _key(game.rules.stacks)
            if key in forests:
                raise BadValue(f"the stack {_text(key)} is there twice; give every stack once")
            forests[key] = Rebalance(game, frontier=frontier, **of_solver)
            of_solver["rng"] = forests[key].seed  # a generator would give every forest another
        _share_memory(list(forests.values()))
        self.forests: Mapping[Stack, Rebalance] = MappingProxyType(forests)

    @property
    def stacks(self) -> tuple[Stack, ...]:
        """The keys, in the order given."""
        return tuple(self.forests)

    def step(self, n: int = 1) -> dict[Stack, Snapshot]:
        """Rebalance every forest `n` times, growing wherever an epoch ends, and show each."""
        return {stack: forest.step(n) for stack, forest in self.forests.items()}

    def forest(self, stack: float | tuple[float, ...]) -> Rebalance:
        """The forest of a stack: save it, look into it, or go on with it alone."""
        try:
            return self.forests[_key(stack)]
        except (KeyError, TypeError, ValueError):
            raise UnknownName("stack", stack, map(_text, self.forests)) from None

    def tree(self, stack: float | tuple[float, ...], position: str | int, hand: str | int) -> HandTree:
        """One tree: how large it is, what the hand is worth, and its first decision."""
        forest = self.forest(stack)
        seats = forest.game.seats
        if position not in seats and position not in range(len(seats)):
            raise UnknownName("position", position, seats)
        seat = seats.index(position) if isinstance(position, str) else int(position)
        root = _ground(forest).forest.root(seat, forest.game.hand(hand))
        return next(_hand_trees(_key(stack), forest, [root]))

    def frame(self) -> pd.DataFrame:
        """Every tree in a row: stack, position, hand, nodes, ev, error, decision, and a column an action.

        An action that a tree's first decision does not offer, and a tree without one, has no number there.
        """
        trees = [
            tree
            for stack, forest in self.forests.items()
            for tree in _hand_trees(stack, forest, range(1, _ground(forest).forest.trees + 1))
        ]
        names = ("stack", "position", "hand", "nodes", "ev", "error", "decision")
        table: Row = {name: [getattr(tree, name) for tree in trees] for name in names}
        for action in dict.fromkeys(label for tree in trees for label in tree.strategy):
            table[action] = [tree.strategy.get(action, np.nan) for tree in trees]
        return frame(table)

    def __repr__(self) -> str:
        *most, last = map(_text, self.forests)
        told = f"{', '.join(most)} and {last}" if most else last
        return f"Bankrolls({self.forest(self.stacks[0]).game.name}, {told} big blinds)"


# ---- at the door -------------------------------------------------------------------------------------------


def _listed(stacks: object) -> list:
    if isinstance(stacks, str) or not isinstance(stacks, Iterable):
        raise BadValue(f"{stacks!r} is no list of stacks; write [{stacks}], or several")
    several = list(stacks)
    if not several:
        raise BadValue("there are no stacks; give at least one, such as [10, 20, 100]")
    return several


def _key(stack: float | Iterable[float]) -> Stack:
    """A number where all seats have the same, else one a seat.

    >>> _key(20), _key([20, 20.0]), _key((5, 20))
    (20.0, 20.0, (5.0, 20.0))
    """
    several = tuple(map(float, stack)) if isinstance(stack, Iterable) else (float(stack),)
    return several[0] if len(set(several)) == 1 else several


def _text(stack: Stack) -> str:
    return "/".join(f"{one:g}" for one in stack) if isinstance(stack, tuple) else f"{stack:g}"


def _ground(forest: Rebalance) -> SampledGround:
    assert isinstance(forest.ground, SampledGround)
    return forest.ground


def _share_memory(forests: list[Rebalance]) -> None:
    """Deals and nodes of all forests together take no more room than one forest may; nothing is dealt yet."""
    share = len(forests)
    for ground in map(_ground, forests):
        try:
            check_sample(ground.game, ground.samples, MOST_BYTES // share)
        except TooLarge as one:
            whole = f"{share} forests share {MOST_BYTES / 1e9:.1f} GB"
            raise TooLarge(f"{whole}, and {one}, or fewer stacks") from None
        ground.forest.most = MOST_NODES // share


# ---- one tree ----------------------------------------------------------------------------------------------


def _hand_trees(stack: Stack, solver: Rebalance, roots: Iterable[int]) -> Iterator[HandTree]:
    ground = _ground(solver)
    ev, error, size = ground.node_ev(), ground.node_error(), np.diff(ground.trees.start)
    own = np.zeros(len(ev), bool)
    own[ground.trees.owners] = True
    seats, hands = ground.game.seats, ground.game.hand_names
    for root in roots:
        node = _first_decision(ground, root, own)
        way = None if node is None else ground.forest.way_to(int(ground.trees.nodes.public[node]))
        yield HandTree(
            stack,
            seats[ground.forest.position(root)],
            hands[ground.forest.hand(root)],
            int(size[root - 1]),
            float(ev[root]) if solver.iteration else np.nan,
            float(error[root]) if solver.iteration else np.nan,
            None if way is None else "/".join(way),
            {} if node is None else _strategy(ground, node),
        )


def _first_decision(ground: SampledGround, root: int, own: np.ndarray) -> int | None:
    """The first own decision of a tree, where the others have done least: folded rather than called."""
    nodes, waiting = ground.trees.nodes, [root]
    while waiting:
        node = waiting.pop()
        if own[node]:
            return node
        first = int(nodes.first[node])
        if first:
            waiting += reversed(range(first, first + int(nodes.count[node])))
    return None


def _strategy(ground: SampledGround, node: int) -> dict[str, float]:
    nodes = ground.trees.nodes
    first = int(nodes.first[node])
    played = nodes.sigma[first : first + int(nodes.count[node])].tolist()
    return dict(zip(ground.game.names_of(int(nodes.state[node])), played, strict=True))
