"""The tree on the page: what is open, which node and hand are chosen, and whose strategy is written on it."""

from __future__ import annotations

from collections.abc import Callable

import panel as pn

from solverlab.core.errors import SolverlabError
from solverlab.core.game import Game
from solverlab.core.policy import Policy
from solverlab.core.snapshot import Snapshot
from solverlab.games import HiddenMoves, LimitPoker
from solverlab.ui.look import INLINE
from solverlab.ui.notice import sentence
from solverlab.ui.tree.pane import TreePane
from solverlab.views import tree_fold
from solverlab.views.tree_layout import repaint, visible_tree

FIRST_PICTURE = 13  # nodes, few enough to read their labels


class Explorer:
    """The tree with the chosen node and hand; `on_change` is called when either changes."""

    def __init__(self, on_change: Callable[[], None]):
        self._on_change = on_change
        self._game: Game | None = None
        self._nodes: dict[str, list] = {}
        self._quiet = False
        self.hand = pn.widgets.Select(
            label="Hand",
            options={},
            width=140,
            stylesheets=[INLINE],
            margin=(0, 5),
            description="Probabilities on the branches are those of a player holding this hand (key H).",
        )
        self.strategy = pn.widgets.Select(
            label="Strategy",
            options={"average": "average", "current": "current"},
            width=190,
            stylesheets=[INLINE],
            margin=(0, 5),
            description="The average strategy converges; the current one is played right now (key A).",
        )
        self.pane = TreePane(height=None, min_height=200, sizing_mode="stretch_both", margin=0)
        self.pane.param.watch(self._toggled, "toggled")
        self.pane.param.watch(self._chosen, "selected")
        for select in (self.hand, self.strategy):
            select.param.watch(self._chosen, "value")

    # ---- what is chosen -----------------------------------------------------------------------------

    @property
    def node(self) -> int:
        return self.pane.selected

    @property
    def hand_index(self) -> int:
        return self.hand.value or 0

    def policy_of(self, snap: Snapshot) -> Policy:
        return snap.policy if self.strategy.value == "average" else snap.current

    def payoff_at(self, node: int) -> str:
        """What is written beside a leaf."""
        leaf = -1 if self._game is None else int(self._game.tree.leaf[node])
        return self._payoffs[leaf] if leaf >= 0 and self._payoffs else ""

    def open(self, game: Game, node: str = "", hand: str = "") -> list[str]:
        """Show another game; a node or hand it does not have becomes a sentence and the first one."""
        complaints: list[str] = []
        names, self._game, self._nodes = game.names, game, {}
        chosen = _known(lambda: names.node(node), complaints)
        held = _known(lambda: names.hand(hand or 0), complaints)
        self._expanded = tree_fold.open_path(game.tree, tree_fold.open_some(game.tree, FIRST_PICTURE), chosen)
        self._below = tree_fold.descendants(game.tree)
        self._payoffs = leaf_words(game)
        self._quiet = True
        options = {name or "any": i for i, name in enumerate(names.hands)}
        self.hand.param.update(options=options, value=held, visible=len(names.hands) > 1)
        self.pane.selected = chosen
        self._quiet = False
        return complaints

    def next_hand(self) -> None:
        self.hand.value = (self.hand_index + 1) % max(len(self.hand.options), 1)

    def other_strategy(self) -> None:
        self.strategy.value = "current" if self.strategy.value == "average" else "average"

    # ---- drawing ------------------------------------------------------------------------------------

    def draw(self, snap: Snapshot) -> None:
        """Write a snapshot's probabilities on the branches; only folding lays the tree out anew."""
        sigma, hand = self.policy_of(snap).sigma, self.hand_index
        if not self._nodes:
            args = (snap.tree, snap.names, sigma, hand, self._expanded, self.node, None)
            self._nodes = visible_tree(*args, self._payoffs, self._below)
        else:
            self._nodes = repaint(self._nodes, snap.tree, sigma, hand)
        self._quiet = True
        self.pane.draw(self._nodes)
        self._quiet = False

    def _toggled(self, event) -> None:
        if self._game is None or not event.new:
            return
        node, deep = int(event.new["node"]), bool(event.new["deep"])
        if 0 <= node < len(self._game.tree.parent):
            self._expanded = tree_fold.toggle(self._game.tree, self._expanded, node, deep)
            self._nodes = {}
            self._on_change()

    def _chosen(self, event) -> None:
        if self._game is None or self._quiet:
            return
        if event.obj is self.pane and not 0 <= event.new < len(self._game.tree.parent):
            self.pane.selected = 0
            return
        self._on_change()


def _known(find: Callable[[], int], complaints: list[str]) -> int:
    try:
        return find()
    except SolverlabError as problem:
        complaints.append(sentence(problem))
        return 0


def leaf_words(game: Game) -> list[str] | None:
    """What is written beside each leaf: who wins how much, as far as the public cards tell.

    >>> import solverlab as sl
    >>> leaf_words(sl.Kuhn())[:2]
    ['±1', 'first +1']
    """
    leaves = [state for n, state in enumerate(getattr(game, "states", [])) if game.tree.leaf[n] >= 0]
    if isinstance(game, HiddenMoves):
        return [f"{game.payoff(state)[0]:+g}".replace("+0", "0") for state in leaves]
    if not isinstance(game, LimitPoker):
        return None
    return [_poker_words(game, state) for state in leaves]


def _poker_words(game: LimitPoker, state) -> str:
    live = [seat for seat in range(game.n_players) if seat not in state.folded]
    if len(live) > 1:
        return f"±{min(state.paid):g}" if game.n_players == 2 else f"pot {sum(state.paid):g}"
    return f"{game.names.players[live[0]]} +{sum(state.paid) - state.paid[live[0]]:g}"
