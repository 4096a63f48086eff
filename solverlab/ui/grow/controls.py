"""The controls of the Grow page: what is played, how probabilities move, how trees grow."""

from __future__ import annotations

from collections.abc import Callable

import panel as pn
from bokeh.models import Tooltip

from solverlab.core.rows import Config
from solverlab.ui.buttons import LEFT, button
from solverlab.ui.grow.control_words import GROUPS
from solverlab.ui.grow.settings import HIDDEN, RULE, GrowSettings
from solverlab.ui.look import BUTTON, TEXT
from solverlab.ui.setting_widgets import standing

WIDTH = "clamp(260px, 17vw, 320px)"  # of the left column
# Boxes stand close together, so that a whole table fits a small screen.
SMALL = """
.bk-input-group > label { font-size: 13px; line-height: 1.2; white-space: nowrap; }
.bk-input-group .bk-description { margin-left: 2px; }
.bk-input { padding-top: 3px; padding-bottom: 3px; min-height: 28px; height: 28px; }
"""
WHOLE = {"max-height": "none"}  # a part of the column is scrolled, never squeezed
BOX = LEFT | {"margin": (1, 4), "stylesheets": [SMALL]}
HELP = f"""
:host {{ left: calc({WIDTH} + 4px) !important; max-width: 300px; white-space: normal; pointer-events: none; }}
"""
HUSH = """
const again = () => { if (tip.visible) setTimeout(again, 500); else tip.position = "right"; };
tip.position = null;
setTimeout(again, 1500);
"""


def beside(help: str) -> Tooltip:
    """Help that appears right of the column, at the height of what it explains: no control is covered."""
    return Tooltip(content=help, position="right", show_arrow=False, stylesheets=[HELP], syncable=False)


class HelpBeside:
    """A box whose help appears beside the column; Panel's own covers the box to its right."""

    def _process_param_change(self, params: Config) -> Config:
        help = params.get("description")
        params = super()._process_param_change(params)
        return params | {"description": beside(help)} if help else params


class TextBox(HelpBeside, pn.widgets.TextInput):
    """A box to type into."""


class Menu(HelpBeside, pn.widgets.Select):
    """A menu to choose from."""


class Controls:
    """Widgets; `changed(name, value)` is called when a visitor moved one."""

    def __init__(self, choice: GrowSettings, changed: Callable[[str, object], None]):
        self._changed, self._quiet = changed, False
        self.widgets: dict[str, pn.widgets.Widget] = {}
        self._declared = choice.declared()
        for name, one in self._declared.items():
            kind = TextBox if one.options is None else Menu
            self.widgets[name] = kind(label=one.label, description=one.help, **BOX)
        self.play = _order("▶  Play", "Rebalance and expand in turns until paused (Space).", "primary")
        self.rebalance = _order("Rebalance", "One sweep: EVs of all nodes, then all probabilities (B).")
        self.expand = _order("Expand", "Grow the chosen leaves by one level (E).")
        self.sub_step = _order("Sub-step", "Leaves, back-up, update: one at a time (U).")
        self.reset = _order("↺  Start over", "Throw the trees away and begin with hole cards alone (R).")
        self.grow = _order("Grow node", "Expand the node that is selected in the tree (G).")
        self.pending = pn.pane.HTML("", stylesheets=[TEXT], margin=(2, 6), sizing_mode="stretch_width")
        self.pending.css_classes = ["pending"]
        self.heads = {words: heading(words) for words in GROUPS}
        self.show(choice)
        for name, widget in self.widgets.items():
            widget.param.watch(self._moved(name), "value")

    def _moved(self, name: str) -> Callable:
        def moved(event) -> None:
            if not self._quiet:
                self._changed(name, event.new)

        return moved

    def show(self, choice: GrowSettings) -> None:
        """Set every widget to a choice, and hide what its game has not."""
        self._quiet = True
        for name, widget in self.widgets.items():
            changes = standing(self._declared[name], choice)
            differs = {key: value for key, value in changes.items() if getattr(widget, key) != value}
            widget.param.update(**differs)
        for one in (self.expand, self.grow):
            one.disabled = choice.game in HIDDEN
        self.heads["Table"].visible = choice.sampled
        self.heads["Expand"].visible = choice.game not in HIDDEN
        self._quiet = False

    def layout(self, notice: pn.viewable.Viewable, pace: pn.viewable.Viewable) -> pn.Column:
        """Everything on the left but the exports."""
        row = {"sizing_mode": "stretch_width", "margin": 0}
        parts = [
            self.widgets["game"],
            pn.Row(self.play, self.sub_step, **row),
            pn.Row(self.rebalance, self.expand, **row),
            pn.Row(self.reset, self.grow, **row),
            pace,
            notice,
            self.pending,
            *[part for head, names in GROUPS.items() for part in (self.heads[head], self._pairs(*names))],
        ]
        return pn.Column(*parts, **row, styles=WHOLE)

    def _pairs(self, *names: str) -> pn.Column:
        """Two boxes a row; what is hidden leaves no hole."""
        grid = {"display": "grid", "grid-template-columns": "minmax(0, 1fr) minmax(0, 1fr)"}
        return pn.Column(
            *[self.widgets[name] for name in names], styles=grid, sizing_mode="stretch_width", margin=0
        )

    def tell(self, differences: list[str]) -> None:
        """Which settings wait for a branch or a new start."""
        words = ""
        if differences:
            press = "Press <b>Branch</b> or <b>Start over</b>."
            words = f"<p class='note'>Waiting: {', '.join(differences)}. {press}</p>"
        if self.pending.object != words:
            self.pending.object = words


def _order(label: str, help: str, color: str = "default") -> pn.widgets.Button:
    """A button; once it was pressed its help stays away from the tree, until the pointer comes anew."""
    made = button(label, help, color)
    made.description = tip = beside(help)
    made.js_on_click(args={"tip": tip}, code=HUSH)
    return made


def heading(words: str) -> pn.pane.HTML:
    """A word above some boxes."""
    return pn.pane.HTML(
        f"<b>{words}</b>", stylesheets=[TEXT, BUTTON], margin=(8, 6, 0, 6), sizing_mode="stretch_width"
    )


def is_rule(name: str) -> bool:
    """Whether a setting may change midway, in a branch; all others need a new start."""
    return name in RULE
