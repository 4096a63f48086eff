"""A small game watched as it grows: exact EVs, and exact distances inside the trees and in the whole game."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping

import numpy as np

from solverlab.analysis import deviation_gains
from solverlab.core.errors import BadValue
from solverlab.core.rows import Row
from solverlab.core.tree import CHANCE
from solverlab.run.growing.alarm import FAR
from solverlab.run.growing.growth import distance_inside
from solverlab.run.growing.rows import (
    ACTION,
    DEAL,
    END,
    LEAF,
    PASSIVE,
    ActionRow,
    Inspection,
    Pick,
    RowBook,
    Rows,
)
from solverlab.run.growing.watched import GrowingRun
from solverlab.solvers import Expanded, Rebalance
from solverlab.solvers.growing.exact.ground import ExactGround
from solverlab.solvers.phases import Phase

MOST_WATCHES = 60
KIND_NAMES = {LEAF: "leaf", ACTION: "action", PASSIVE: "passive", DEAL: "deal", END: "end"}


class ExactRun(GrowingRun):
    """Kuhn, Leduc, push/fold, matching pennies: anything small enough for exact EVs.

    >>> import solverlab as sl
    >>> run = ExactRun(sl.Rebalance(sl.Kuhn(), frontier=sl.MostReached(1)))
    >>> run.rebalance()
    >>> [(line.seat, line.hand) for line in run.expand()]
    [('first', 'K'), ('second', 'K')]
    """

    exact = True

    def __init__(self, solver: Rebalance):
        super().__init__(solver)
        assert isinstance(solver.ground, ExactGround)
        self.ground, self.game = solver.ground, solver.ground.game
        names = self.game.names
        self.seats, self.hands = tuple(names.players), tuple(names.hands)
        self.unit = "big blinds" if "big blinds" in solver.game.name else "chips"
        self._drawn: tuple[Pick, RowBook] | None = None
        self._drawn_size = -1
        self._valued: Phase | None = None  # the sub-step last taken, while it has valued only leaves
        if not solver.iteration:
            self.ground.look(solver.clock)  # so that EVs are there before the first sweep

    def phases(self) -> Iterator[Phase]:
        for phase in super().phases():
            self._valued = phase if phase.name == "leaves" else None
            yield phase

    def _leaves(self, rows: list[tuple[int, int, int]]) -> list:
        return list(rows)

    def _key(self, one: Expanded) -> Hashable:
        return self.seats.index(one.position), one.node, self.hands.index(one.hand)

    def public(self, node: int) -> int:
        return node

    # ---- what to draw --------------------------------------------------------------------------------------

    def path(self, node: int) -> str:
        return self.game.names.path(node).replace("/", " / ") or "the beginning"

    def _inside(self) -> np.ndarray:
        """Where trees go on, bool[P, N, H]."""
        return self.ground.inside

    def _shown(self) -> np.ndarray:
        """Which nodes a tree has, bool[P, N, H]: roots, and whatever follows an inner node."""
        parent, inside = self.game.tree.parent, self._inside()
        shown = inside[:, np.maximum(parent, 0)].copy()
        shown[:, parent < 0] = True
        if self.ground.cut is not None:
            shown &= self.ground.cut.possible
        return shown

    def rows(self, pick: Pick) -> Rows:
        """The trees of a seat (or all seats) and some hands (or all), apart or drawn as one."""
        if self.hands == ("",):
            pick = pick._replace(apart=False)
        book = self._book(pick)
        seat, node, hand = np.array(book.seat), np.array(book.node), np.array(book.hand)
        chosen = np.zeros(len(self.hands), bool)
        chosen[slice(None) if pick.hands is None else list(pick.hands)] = True
        values, inside = self.ground.values, self._inside()
        weight = values.mass * values.reach * chosen
        ev = np.stack([self._node_ev(p) for p in range(len(self.seats))])
        worth = np.multiply(weight, ev, out=np.zeros_like(weight), where=weight > 0)
        root = (values.mass * chosen)[:, 0]
        # Hands drawn as one are the last column; a seat's own row is the first node of all hands.
        at = seat, np.maximum(node, 0), hand
        weight, worth, root = (_with_sum(array) for array in (weight, worth, root))
        grown = np.concatenate([inside, (inside & chosen).any(2, keepdims=True)], 2)[at] | (node < 0)
        reach = weight[at] / root[seat, hand].clip(1e-300)
        ev = np.divide(worth[at], weight[at], out=np.full(len(seat), np.nan), where=weight[at] > 0)
        kind, who = self._kinds(seat, node, grown)
        return book.rows(kind, who, reach, ev)

    def _node_ev(self, seat: int) -> np.ndarray:
        """EVs of a seat, [N, H]; while only its leaves are valued, what is above them has none."""
        if self._valued is None or self._valued.player != seat:
            return self.ground.node_ev(seat)
        return np.where(self._inside()[seat], np.nan, self._valued.arrays["ev"])

    def _book(self, pick: Pick) -> RowBook:
        """Rows for whatever has grown since the last look; with hands apart, a tree comes when it grows."""
        if self._drawn is None or self._drawn[0] != pick:
            self._drawn, self._drawn_size = (pick, RowBook(self.seats, pick)), -1
        book, tree, actions = self._drawn[1], self.game.tree, self.game.names.actions
        if self._drawn_size == self.size:
            return book
        self._drawn_size = self.size
        shown, hands = self._shown(), range(len(self.hands)) if pick.hands is None else pick.hands
        for seat in book.seats:
            for hand in hands:
                nodes = np.flatnonzero(shown[seat, :, hand]).tolist()
                for n in nodes if len(nodes) > 1 else []:
                    above = int(tree.parent[n])
                    book.add(seat, n, hand, above, actions[n] if above >= 0 else self.hands[hand])
        return book

    def _kinds(self, seat: np.ndarray, node: np.ndarray, grown: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        tree, own = self.game.tree, node < 0
        actor, over = tree.player[node], (tree.leaf[node] >= 0) & ~own
        kind = np.where((actor == CHANCE) | own, DEAL, np.where(actor == seat, ACTION, PASSIVE))
        kind = np.where(over, END, np.where(grown, kind, LEAF))
        who = np.where(over | own, -1, np.maximum(actor, -1))
        return kind.astype(np.uint8), who.astype(np.int8)

    # ---- one node ------------------------------------------------------------------------------------------

    def inspect(self, seat: int, node: int, hand: int) -> Inspection:
        solver = self.solver
        values, tree = self.ground.values, self.game.tree
        inside = bool(self._inside()[seat, node, hand])
        kinds, _ = self._kinds(np.array([seat]), np.array([node]), np.array([inside]))
        if not self._shown()[seat, node, hand]:
            raise BadValue(
                f"the tree of {self.hands[hand]}, {self.seats[seat]}, ends before this node; grow it first"
            )
        others = float(values.mass[seat, node, hand])
        waits = "the hand is over" if tree.leaf[node] >= 0 else "on the frontier: it has not grown"
        root = float(values.mass[seat, 0, hand]) or 1.0
        own = float(values.reach[seat, node, hand])
        return Inspection(
            seat=self.seats[seat],
            hand=self.hands[hand],
            path=self.path(node),
            kind=KIND_NAMES[int(kinds[0])],
            reach=others / root * own,
            others=others / root,
            ev=float(self._node_ev(seat)[node, hand]),
            error=0.0,
            deals=solver.samples or 0,
            actions=self._actions(node, hand) if inside and tree.player[node] == seat else (),
            grown=self.reasons.get((seat, node, hand), "part of the tree" if inside else waits),
        )

    def _actions(self, node: int, hand: int) -> tuple[ActionRow, ...]:
        solver, tree = self.solver, self.game.tree
        squeezed = solver.squeezed()
        squashed = solver.squash.function(squeezed)
        ev = self._node_ev(int(tree.player[node]))
        rows = []
        for child in range(tree.first[node], tree.first[node] + tree.count[node]):
            at = self._place(child, hand)
            rows.append(
                ActionRow(
                    action=self.game.names.actions[child],
                    before=float(self.before[at]),
                    ev=float(ev[child, hand]),
                    error=0.0,
                    squeezed=float(squeezed[at]),
                    squashed=float(squashed[at]),
                    after=float(self.ground.sigma[at]),
                    watch=at[0] * self.ground.sigma.shape[1] + at[1],
                )
            )
        return tuple(rows)

    def _place(self, child: int, hand: int) -> tuple[int, int]:
        """The row and column of an action's probability."""
        tie = self.ground.tie
        return int(tie.slot[child]), int(tie.bucket[tie.texture[child], hand])

    def hand_table(self, seat: int, node: int) -> tuple[list[str], np.ndarray]:
        """Actions and probabilities of every hand at a node, NaN where a tree ends before."""
        tree = self.game.tree
        if node >= len(tree.parent) or tree.player[node] != seat:
            return [], np.full((len(self.hands), 0), np.nan)
        children = range(int(tree.first[node]), int(tree.first[node] + tree.count[node]))
        table = self.ground.values.sigma[children.start : children.stop].T.copy()
        table[~self._inside()[seat, node]] = np.nan
        return [self.game.names.actions[child] for child in children], table

    def hand_sizes(self, seat: int) -> np.ndarray:
        """Nodes in each hand's tree; seat -1 counts all seats."""
        sizes = self._shown().sum(1)
        return sizes.sum(0) if seat < 0 else sizes[seat]

    def hands_at(self, seat: int, node: int) -> list[int]:
        """The hands whose trees have a node, likeliest first."""
        found = np.flatnonzero(self._shown()[seat, node])
        likely = (self.ground.values.mass * self.ground.values.reach)[seat, node, found]
        return found[np.argsort(-likely, kind="stable")].tolist()

    def hands_ending_at(self, seat: int, node: int) -> list[int]:
        """The hands whose trees end at a node and could grow there."""
        cut = self.ground.cut
        return [] if cut is None else np.flatnonzero(cut.frontier(seat)[node]).tolist()

    def watches(self) -> list[tuple[str, int]]:
        """The first action of every decision and hand, while they are few enough for a menu."""
        tree, names = self.game.tree, self.game.names
        found: dict[int, str] = {}
        for node in np.flatnonzero(tree.player >= 0).tolist():
            child = int(tree.first[node])
            for hand in range(len(self.hands)):
                slot, column = self._place(child, hand)
                where = f", {self.hands[hand]}" if len(self.hands) > 1 else ""
                after = f" after {self.path(node)}" if node else ""
                words = f"{self.seats[tree.player[node]]}{where}: {names.actions[child]}{after}"
                found.setdefault(slot * self.ground.sigma.shape[1] + column, words)
        return [(words, watch) for watch, words in found.items()][:MOST_WATCHES]

    # ---- numbers and saving --------------------------------------------------------------------------------

    def measure(self) -> Row:
        solver, snap = self.solver, self.solver.snapshot()
        inside = distance_inside(solver, snap.current)
        row = self.told() | {
            "gains": inside,
            "gain": max(inside),
            "inside": _mean(distance_inside(solver, snap.policy)),
            "current_inside": _mean(inside),
            "lifted": _mean(deviation_gains(self.game, snap.policy)),
            "current_lifted": _mean(deviation_gains(self.game, snap.current)),
        }
        row |= {name: snap.metrics[name] for name in ("action_nodes", "miss_rate") if name in snap.metrics}
        far = max(deviation_gains(self.game, snap.current)) > FAR
        return row | {"alarm": bool(solver.tested < solver.tolerance and far)}

    def _look_again(self, state: Mapping[str, np.ndarray]) -> None:
        """The EVs that the last update was made from, or after a growth those of the strategy as it is."""
        ground, now = self.ground, self.ground.sigma.copy()
        if self.solver.swept or not self.grows:
            ground.sigma[...] = self.before
        ground.play()
        ground.look(self.solver.clock)
        ground.sigma[...] = now
        ground.play()
        for name in ("value", "weight"):
            getattr(ground.values, name)[...] = state[name]


def _with_sum(array: np.ndarray) -> np.ndarray:
    """One more column, the sum over hands: where hands are drawn as one."""
    return np.concatenate([array, array.sum(-1, keepdims=True)], -1)


def _mean(gains: tuple[float, ...]) -> float:
    return sum(gains) / len(gains)
