"""The controls of the Grow page: what is played, how probabilities move, how trees grow."""

from __future__ import annotations

from collections.abc import Callable

import panel as pn

from solverlab.solvers.rebalance_settings import BASELINES, EV_KINDS
from solverlab.solvers.squash import SQUASHES
from solverlab.ui.buttons import LEFT, button
from solverlab.ui.grow.choice import BETTING, GAMES, HIDDEN, HOLDINGS, LEAVES, ORDERS, RULE, Choice
from solverlab.ui.look import BUTTON, TEXT

TABLE = ("players", "stack", "betting", "bets", "raises", "buckets", "holdings", "deals")  # hold'em alone
WORDS = {
    "players": ("Players", "2 to 10."),
    "stack": ("Stacks", "In big blinds: one for all, or one for each seat from the small blind on."),
    "bets": ("Bets", "Fractions of the pot; add all-in to allow it at any time: 0.5, 1, all-in."),
    "raises": ("Raises", "Bets and raises a street; the big blind counts as one."),
    "buckets": ("Buckets", "How many kinds of flop, turn and river a player tells apart, by exact strength."),
    "deals": ("Deals a tree", "Sampled hands for each (position, holding), shared by all its leaves."),
    "scale": ("Scale", "EV is divided by this before it is squashed, in the game's unit."),
    "floor": ("Floor", "No probability falls below this; 0 is as written."),
    "tolerance": ("Tolerance", "Its own test of convergence: no probability moves by more in a sweep."),
    "k": ("k", "How many leaves of each position grow after an epoch."),
    "sweeps": ("Sweeps", "Rebalances in an epoch, before the trees grow."),
    "start": ("Start", "The first player's probability of the first action."),
    "seed": ("Seed", "The same seed deals the same hands."),
}
MENUS = {
    "game": ("Game", {title: name for name, title in GAMES.items()}, "Hold'em is sampled, the rest exact."),
    "betting": ("Betting", list(BETTING), "No-limit with the bets below, or fixed limit."),
    "holdings": ("Holdings", list(HOLDINGS), "A tree for each of 169 classes, or of 1,326 combos."),
    "squash": ("Squash", list(SQUASHES), "What squeezes EV into -1 to 1; the document says tanh."),
    "ev": ("EV", list(EV_KINDS), "As written, less the node's own EV, or times how often others come there."),
    "baseline": ("Counted from", list(BASELINES), "Chips from the start of the hand, or from the node on."),
    "order": ("Grow by", list(ORDERS), "Reach first and EV second, as the document suggests, or EV first."),
    "leaf": ("A leaf is worth", list(LEAVES), "A showdown; playing on as now; or the solved game's value."),
}


class Controls:
    """Widgets; `changed(name, value)` is called when a visitor moved one."""

    def __init__(self, choice: Choice, changed: Callable[[str, object], None]):
        self._changed, self._quiet = changed, False
        self.widgets: dict[str, pn.widgets.Widget] = {}
        for name, (label, help) in WORDS.items():
            self.widgets[name] = pn.widgets.TextInput(label=label, description=help, **LEFT)
        for name, (label, options, help) in MENUS.items():
            self.widgets[name] = pn.widgets.Select(label=label, options=options, description=help, **LEFT)
        for name, widget in self.widgets.items():
            widget.param.watch(self._moved(name), "value")
        self.play = button("▶  Play", "Rebalance and expand in turns until paused (Space).", "primary")
        self.rebalance = button("Rebalance", "One sweep: EVs of all nodes, then all probabilities (B).")
        self.expand = button("Expand", "Grow the chosen leaves by one level (E).")
        self.sub_step = button("Sub-step", "Leaves, back-up, update: one at a time (U).")
        self.reset = button("↺  Start over", "Throw the trees away and begin with hole cards alone (R).")
        self.grow = button("Grow node", "Expand the node that is selected in the tree (G).")
        self.pending = pn.pane.HTML("", stylesheets=[TEXT], margin=(2, 6), sizing_mode="stretch_width")
        self.pending.css_classes = ["pending"]
        self.heads = {words: heading(words) for words in ("Table", "Rebalance", "Expand")}
        self.show(choice)

    def _moved(self, name: str) -> Callable:
        def moved(event) -> None:
            if not self._quiet:
                self._changed(name, event.new)

        return moved

    def show(self, choice: Choice) -> None:
        """Set every widget to a choice, and hide what its game has not."""
        self._quiet = True
        for name, widget in self.widgets.items():
            value = getattr(choice, name)
            shown = f"{value:g}" if isinstance(value, float) else value if name in MENUS else str(value)
            if widget.value != shown:
                widget.value = shown
            widget.visible = _offered(choice, name)
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
            self.heads["Table"],
            self._pairs("players", "stack", "betting", "bets", "raises", "buckets", "holdings", "deals"),
            self.heads["Rebalance"],
            self._pairs("squash", "scale", "ev", "baseline", "floor", "tolerance", "start"),
            self.heads["Expand"],
            self._pairs("order", "k", "sweeps", "leaf", "seed"),
        ]
        return pn.Column(*parts, **row)

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


def _offered(choice: Choice, name: str) -> bool:
    if name in TABLE:
        return choice.sampled
    if name in ("order", "k", "sweeps"):
        return choice.game not in HIDDEN
    if name == "leaf":
        return not choice.sampled and choice.game not in HIDDEN
    if name == "start":
        return choice.game in HIDDEN
    return name != "seed" or choice.sampled


def heading(words: str) -> pn.pane.HTML:
    """A word above some boxes."""
    return pn.pane.HTML(
        f"<b>{words}</b>", stylesheets=[TEXT, BUTTON], margin=(8, 6, 0, 6), sizing_mode="stretch_width"
    )


def is_rule(name: str) -> bool:
    """Whether a setting may change midway, in a branch; all others need a new start."""
    return name in RULE
