"""A hold'em forest watched as it grows: EVs from shared deals, trees of many hands drawn as one."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.rows import Row
from solverlab.run.growing.alarm import FAR
from solverlab.run.growing.rows import (
    ACTION,
    DEAL,
    END,
    LEAF,
    PASSIVE,
    ActionRow,
    DealRow,
    Inspection,
    Pick,
    RowBook,
    Rows,
)
from solverlab.run.growing.watched import GrowingRun
from solverlab.solvers import Expanded, Rebalance, deals_at, gains
from solverlab.solvers.growing.sampled.ground import SampledGround
from solverlab.solvers.growing.sampled.sweep import MASS


class SampledRun(GrowingRun):
    """Hold'em for any table, two to ten players, on sampled deals.

    >>> import solverlab as sl
    >>> run = SampledRun(sl.Rebalance(sl.Holdem(players=6), frontier=sl.MostReached(1), samples=500))
    >>> run.rebalance()
    >>> {line.hand for line in run.expand()}
    {'AA'}
    """

    exact = False
    unit = "big blinds"

    def __init__(self, solver: Rebalance):
        super().__init__(solver)
        assert isinstance(solver.ground, SampledGround)
        self.ground, self.game = solver.ground, solver.ground.game
        self.forest = solver.ground.forest
        self.seats, self.hands = tuple(self.game.seats), tuple(self.game.hand_names)
        self.weight = self.game.hand_combos / self.game.hand_combos.sum()
        self._drawn: tuple[Pick, Drawn] | None = None

    def _leaves(self, rows: list[tuple[int, int, int]]) -> list:
        return [self.find(*row) for row in rows]

    def _key(self, one: Expanded) -> Hashable:
        return one.node

    # ---- what to draw --------------------------------------------------------------------------------------

    def rows(self, pick: Pick) -> Rows:
        """The trees of a seat (or all seats) and some hands (or all), drawn as one."""
        if self._drawn is None or self._drawn[0] != pick:
            self._drawn = pick, Drawn(self, pick)
        return self._drawn[1].rows()

    def public(self, node: int) -> int:
        return int(self.forest.columns.public[node])

    def path(self, public: int) -> str:
        """How one comes to a public node, as labels."""
        return " / ".join(self.forest.way_to(public)) or "hole cards"

    def find(self, seat: int, public: int, hand: int) -> int:
        """The node of one hand's tree at a public node."""
        columns, way = self.forest.columns, []
        common = self.forest.common
        while public > 0:
            above = int(common.parent[public])
            way.append(public - int(common.first[above]))
            public = above
        node = self.forest.root(seat, hand)
        for place in reversed(way):
            if not columns.first[node]:
                whose = f"{self.hands[hand]}, {self.seats[seat]}"
                raise BadValue(f"the tree of {whose}, ends before this node; grow it first")
            node = int(columns.first[node]) + place
        return node

    # ---- one node ------------------------------------------------------------------------------------------

    def inspect(self, seat: int, node: int, hand: int) -> Inspection:
        forest, ground, here = self.forest, self.ground, self.find(seat, node, hand)
        columns, comes = forest.columns, ground.sums[here, MASS] > 0
        over = columns.first[here] == 0 and not forest.can_grow(here)
        waits = "the hand is over" if over else "on the frontier: it has not grown"
        return Inspection(
            seat=self.seats[seat],
            hand=self.hands[hand],
            path=self.path(node),
            kind="end" if over else forest.kind(here),
            reach=float(ground.node_reach()[here]),
            others=float(ground.sums[here, MASS] / ground.samples),
            ev=float(ground.node_ev()[here]) if comes else float("nan"),
            error=float(ground.node_error()[here]),
            deals=self._deals(here),
            actions=self._actions(here),
            grown=self.reasons.get(here, "grown earlier" if columns.first[here] else waits),
        )

    def deals(self, seat: int, node: int, hand: int) -> tuple[DealRow, ...]:
        """Every deal of the last sweep, as dealt; none if trees have grown since, or nobody comes there."""
        ground, here = self.ground, self.find(seat, node, hand)
        mass = float(ground.sums[here, MASS]) / ground.samples
        if not self.solver.swept or mass <= 0:
            return ()
        found, own = deals_at(self.solver, here), float(ground.node_reach()[here]) / mass
        held = [[self.hands[h] for h in row] for row in found["info"][:, 0]]
        others = zip(*(row for p, row in enumerate(held) if p != seat), strict=True)
        numbers = zip((own * found["reach"]).tolist(), found["worth"].tolist(), strict=True)
        return tuple(DealRow(held, *two) for held, two in zip(others, numbers, strict=True))

    def _deals(self, node: int) -> int:
        """How many of the deals that the last sweep saw come to a node; 0 if trees have grown since."""
        if not self.solver.swept:
            return 0
        self.ground.deal(self.solver.clock)  # after going back they are dealt again, the same ones
        ranges = self.ground.trees.ranges
        return int(ranges.high[node] - ranges.low[node])

    def _actions(self, node: int) -> tuple[ActionRow, ...]:
        forest, ground = self.forest, self.ground
        columns = forest.columns
        if forest.kind(node) != "action":
            return ()
        begin, count = int(columns.first[node]), int(columns.count[node])
        place = np.searchsorted(ground.trees.actions, begin)
        squeezed = self.solver.squeezed()[place : place + count]
        squashed = self.solver.squash.function(squeezed)
        ev, error = np.where(ground.sums[:, MASS] > 0, ground.node_ev(), np.nan), ground.node_error()
        names = self.game.names_of(int(columns.state[node]))
        return tuple(
            ActionRow(
                action=names[j],
                before=float(self.before[begin + j]),
                ev=float(ev[begin + j]),
                error=float(error[begin + j]),
                squeezed=float(squeezed[j]),
                squashed=float(squashed[j]),
                after=float(columns.sigma[begin + j]),
                watch=begin + j,
            )
            for j in range(count)
        )

    def hand_table(self, seat: int, node: int) -> tuple[list[str], np.ndarray]:
        """Actions and probabilities of every hand at a public node, NaN where a tree ends before."""
        nodes = self.forest
        columns = nodes.columns
        inner = np.flatnonzero(
            (columns.public == node) & (columns.first > 0) & (columns.tree // len(self.hands) == seat)
        )
        if not len(inner) or nodes.kind(int(inner[0])) != "action":
            return [], np.full((len(self.hands), 0), np.nan)
        names = self.game.names_of(int(columns.state[inner[0]]))
        table = np.full((len(self.hands), len(names)), np.nan)
        children = columns.first[inner][:, None] + np.arange(len(names))
        table[nodes.hand(inner)] = columns.sigma[children]
        return names, table

    def hand_sizes(self, seat: int) -> np.ndarray:
        """Nodes in each hand's tree; seat -1 counts all seats."""
        tree = self.forest.columns.tree[1:]
        chosen = tree if seat < 0 else tree[tree // len(self.hands) == seat]
        return np.bincount(chosen % len(self.hands), minlength=len(self.hands))

    def _places(self, seat: int, node: int) -> np.ndarray:
        """A public node in all trees of a seat that have it."""
        columns = self.forest.columns
        return np.flatnonzero((columns.public == node) & (columns.tree // len(self.hands) == seat))

    def hands_ending_at(self, seat: int, node: int) -> list[int]:
        """The hands whose trees end at a public node and could grow there."""
        nodes = self.forest
        return [int(nodes.hand(n)) for n in self._places(seat, node) if nodes.can_grow(int(n))]

    def hands_at(self, seat: int, node: int) -> list[int]:
        """The hands whose trees have a public node, likeliest first."""
        found = self._places(seat, node)
        likely = self.ground.node_reach()[found] * self.weight[self.forest.hand(found)]
        return self.forest.hand(found[np.argsort(-likely, kind="stable")]).tolist()

    def watches(self) -> list[tuple[str, int]]:
        """None: a forest begins without a decision. Inspect a node to find its probabilities."""
        return []

    # ---- numbers and saving --------------------------------------------------------------------------------

    def measure(self) -> Row:
        found = gains(self.solver) if self.iteration else ()
        owners, misses = len(self.ground.trees.owners), self.ground.misses
        row = self.told() | {"action_nodes": owners, "miss_rate": misses, "gains": found}
        if found:
            row["gain"] = max(found)
            row["alarm"] = self.solver.tested < self.solver.tolerance and max(found) > FAR
        return row


class Drawn:
    """The rows of one pick, which follow the forest as it grows."""

    def __init__(self, growing: SampledRun, pick: Pick):
        self.growing, self.pick = growing, pick
        self.book = RowBook(growing.seats, pick)
        self.row_of = np.full(growing.forest.trees + 1, -1, np.int64)
        seats, hands = len(growing.seats), len(growing.hands)
        mask = np.zeros((seats, hands), bool)
        mask[np.ix_(list(self.book.seats), range(hands) if pick.hands is None else list(pick.hands))] = True
        self.mask = mask.ravel()  # by tree
        weight = np.where(mask, growing.weight, 0.0)
        self.weight = (weight / weight.sum(1, keepdims=True).clip(1e-300)).ravel()
        self.roots = np.flatnonzero(self.mask) + 1
        if not pick.apart:
            self.row_of[self.roots] = [self.book.at[int(root - 1) // hands, 0, -1] for root in self.roots]

    def _follow(self) -> None:
        """Give rows to whatever has grown since; with hands apart, a root comes when it grows."""
        nodes = self.growing.forest
        columns = nodes.columns
        begin, end = len(self.row_of), columns.size
        self.row_of = np.concatenate([self.row_of, np.full(end - begin, -1, np.int64)])
        fresh = np.arange(begin, end)
        fresh = fresh[self.mask[columns.tree[fresh]]]
        seats, hands = nodes.position(fresh).tolist(), nodes.hand(fresh).tolist()
        parents, publics = columns.parent[fresh].tolist(), columns.public[fresh].tolist()
        for n, seat, hand, parent, public in zip(fresh.tolist(), seats, hands, parents, publics, strict=True):
            if self.row_of[parent] < 0:
                self.row_of[parent] = self.book.add(seat, 0, hand, -1, self.growing.hands[hand])
            above = int(nodes.common.parent[public])
            self.row_of[n] = self.book.add(seat, public, hand, above, nodes.labels[public])

    def rows(self) -> Rows:
        """The rows as they are now."""
        forest, ground = self.growing.forest, self.growing.ground
        columns, book = forest.columns, self.book
        if len(self.row_of) < columns.size:
            self._follow()
        mine = np.flatnonzero(self.row_of >= 0)
        row, count = self.row_of[mine], len(book.parent)
        tree = columns.tree[mine]
        weight = ground.node_reach()[mine] * (1.0 if self.pick.apart else self.weight[tree])
        reach, total = np.zeros(count), np.zeros(count)
        np.add.at(reach, row, weight)
        np.add.at(total, row, weight * ground.node_ev()[mine])
        state, grown = np.zeros(count, np.int64), np.zeros(count, bool)
        state[row] = columns.state[mine]
        grown[row[columns.first[mine] > 0]] = True
        if self.pick.apart:
            self._seat_rows(reach, total, grown)
        ev = np.divide(total, reach, out=np.full(count, np.nan), where=reach > 0)
        kind, who = self._kinds(state, grown)
        return book.rows(kind, who, reach, ev)

    def _seat_rows(self, reach: np.ndarray, total: np.ndarray, grown: np.ndarray) -> None:
        """A seat's own row stands for all its hands."""
        ev = self.growing.ground.node_ev()[1 : len(self.mask) + 1] * self.weight
        means = ev.reshape(len(self.growing.seats), -1).sum(1)
        for seat in self.book.seats:
            row = self.book.at[seat, -1, -1]
            reach[row], total[row], grown[row] = 1.0, means[seat], True

    def _kinds(self, state: np.ndarray, grown: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        table, seat = self.growing.game.rows(), np.array(self.book.seat)
        actor = table.actor[state]
        inside = table.live[state] >> seat.astype(np.uint32) & 1
        over = ((actor < 0) & ~table.deals[state]) | (inside == 0)
        kind = np.where(actor < 0, DEAL, np.where(actor == seat, ACTION, PASSIVE))
        kind = np.where(over, END, np.where(grown, kind, LEAF))
        who = np.where(over, -1, actor)
        if self.pick.apart:  # hands are dealt at a seat's own row
            own = np.array(self.book.node) < 0
            kind, who = np.where(own, DEAL, kind), np.where(own, -1, who)
        return kind.astype(np.uint8), who.astype(np.int8)
