"""A line above a page while what its first click needs is still compiled beside it."""

from __future__ import annotations

import panel as pn

from solverlab.ui.parts.task_bar import TaskBar
from solverlab.ui.warm_children import WarmStart
from solverlab.ui.warm_start import BY_NAME

PERIOD = 300  # milliseconds
AFLOAT = {"position": "fixed", "left": "12px", "bottom": "8px", "z-index": "20", "max-width": "560px"}
AFLOAT |= {
    "background": "var(--card)",
    "border": "1px solid var(--line)",
    "border-radius": "6px",
    "padding": "2px 6px",
}


class Ahead:
    """A page's errands as one task: its share by the seconds they take, the step under way in words."""

    def __init__(self, warm: WarmStart, page: str):
        self.warm, self.page = warm, page
        self.words, self.share = "", 0.0
        self.whole = max(warm.seconds_left(page), 1e-9)
        self.left = self.whole

    def look(self) -> bool:
        """See how far it is; whether something is left."""
        names = self.warm.left(self.page)
        self.left = self.warm.seconds_left(self.page)
        self.share = min(max(1 - self.left / self.whole, self.share), 0.99)
        self.words = f"{BY_NAME[names[0]].words}, once on this machine" if names else ""
        return bool(names)


def with_warm_bar(body: pn.viewable.Viewable, warm: WarmStart | None, page: str) -> pn.viewable.Viewable:
    """The page, and as long as something is compiled for it a line that says what and how long."""
    if warm is None:
        return body
    warm.visited(page)
    task = Ahead(warm, page)
    if not task.look():
        return body
    bar = TaskBar(None, quick=0.3, inline=True)
    afloat = pn.Column(bar.pane, styles=AFLOAT, visible=False, margin=0)

    def look() -> None:
        more = task.look()
        bar.show(task if more else None, left=task.left)
        afloat.visible = bar.visible
        if not more:
            clock.stop()

    clock = pn.state.add_periodic_callback(look, PERIOD)
    return pn.Column(body, afloat, sizing_mode="stretch_both", margin=0)
