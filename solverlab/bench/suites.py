"""What is measured: a suite is a function from plan and contestants to rows and joins by one entry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from solverlab.bench import cards, clusters, forest, lowball, scaling, solving, startup
from solverlab.bench.contestants import Contestant
from solverlab.bench.plan import Plan
from solverlab.bench.rows import Row


@dataclass(frozen=True)
class Suite:
    """A title for the table and the function that measures."""

    title: str
    measure: Callable[[Plan, Sequence[Contestant]], list[Row]]


SUITES = {
    "speed": Suite("iterations a second", solving.speed),
    "targets": Suite("seconds until the average strategy is that close to equilibrium", solving.targets),
    "exploitability": Suite("seconds for one exact exploitability", solving.exploitability),
    "scaling": Suite("how cost grows with nodes and hands", scaling.scaling),
    "startup": Suite("seconds in a fresh process, compile cache warm", startup.startup),
    "evaluation": Suite("hands ranked a second", cards.evaluation),
    "flop strength": Suite("seconds for E[HS] of a flop hand", cards.flop_strength),
    "k-means": Suite("seconds to cluster every flop hand", clusters.clustering),
    "lowball": Suite("the real 2-to-7 deck", lowball.lowball),
    "forest": Suite("the growing forest of hold'em", forest.forest),
}
