"""The curves on the plot: added beside the page, removed, cleared, drawn while they grow."""

from __future__ import annotations

from solverlab.core.errors import BadValue
from solverlab.ui.lowball.curves import Curve, known_curve, solved_curve
from solverlab.ui.lowball.lines import SLOTS, CurvePlot
from solverlab.ui.lowball.settings import LowballSettings
from solverlab.ui.tasks import TaskQueue

ASK = "“Add to the curves” solves every stack."


class CurveTasks:
    """At most seven curves; one is solved at a time."""

    def __init__(self) -> None:
        self.plot, self.tasks = CurvePlot(), TaskQueue()
        self.curves: list[Curve] = []
        self._growing: Curve | None = None

    @property
    def names(self) -> list[str]:
        return [curve.choice.name for curve in self.curves]

    def add(self, choice: LowballSettings) -> None:
        """Solve a rung at every stack, or put up what is solved already."""
        if any(curve.choice.rung == choice.rung for curve in self.curves):
            raise BadValue(f"the curve of {choice.name} is on the plot already; choose another rung")
        if len(self.curves) >= SLOTS:
            raise BadValue(f"{SLOTS} curves are on the plot; remove one first")
        if self.tasks.busy:
            raise BadValue("another curve is being solved; wait for it, or cancel it")
        found = known_curve(choice)
        if found is not None:
            self._done(found)
            return

        def tell(curve: Curve) -> None:
            self._growing = curve

        self.tasks.order(lambda *hooks: solved_curve(choice, *hooks, tell), self._done)

    def _done(self, curve: Curve) -> None:
        self._growing = None
        self.curves = [*self.curves, curve]

    def remove(self, name: str | None) -> None:
        """Take a curve off the plot; it is not forgotten."""
        self.curves = [curve for curve in self.curves if curve.choice.name != name]

    def clear(self) -> None:
        """Take all curves off the plot and stop the one that is growing."""
        self.tasks.cancel()
        self.curves, self._growing = [], None

    def cancel(self) -> None:
        """Stop the curve that is being solved."""
        self.tasks.cancel()

    def close(self) -> None:
        self.tasks.close()

    def look(self) -> str:
        """Put up what is finished; returns what went wrong, if anything did."""
        problem = self.tasks.look()
        growing = [self._growing] if self._growing is not None and self.tasks.busy else []
        self.plot.show([*self.curves, *growing][:SLOTS])
        shown = self.curves or growing
        self.plot.say("" if shown else "Solving the curve ..." if self.tasks.busy else ASK)
        return problem
