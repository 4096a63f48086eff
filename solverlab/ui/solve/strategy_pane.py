"""The strategy of the chosen node: bars by hand, and the same numbers as a table."""

from __future__ import annotations

from html import escape

import panel as pn

from solverlab.core.names import Names
from solverlab.core.policy import Policy
from solverlab.ui.solve.bars import StrategyBars
from solverlab.ui.text import Text
from solverlab.ui.tokens import css
from solverlab.views.strategy import strategy_frame
from solverlab.views.theme import action_shades

MOST_ROWS = 200


class StrategyPane:
    """Bars and table of one node; chance and finished hands are told in a sentence."""

    def __init__(self) -> None:
        self.bars = StrategyBars()
        self.plot = pn.pane.Bokeh(self.bars.figure, sizing_mode="stretch_both", margin=0, min_height=120)
        self.title = Text("strategy-title")
        self.table = Text("strategy-table", fill=True)

    def layout(self) -> pn.Column:
        grid = {
            "display": "grid",
            # Open lessons leave less room: they put the table below the bars.
            "grid-template-columns": "var(--bars-and-table, minmax(0, 1fr) auto)",
            "min-height": "0",
        }
        body = pn.Row(self.plot, self.table.pane, sizing_mode="stretch_both", margin=0, styles=grid)
        return pn.Column(self.title.pane, body, sizing_mode="stretch_both", margin=0)

    def draw(self, policy: Policy, node: int, hand: int, which: str, payoff: str = "") -> None:
        """Show what a policy does at a node."""
        names = policy.names
        heading = node_words(names, node, payoff)
        acts = names.tree.player[node] >= 0
        self.title.write(f"<h2>{heading}{f' <small>{which} strategy, %</small>' if acts else ''}</h2>")
        if self.plot.visible != bool(acts):
            self.plot.visible = bool(acts)
        if acts:
            frame = strategy_frame(policy, node)
            table = {name: frame[name].tolist() for name in frame}
            self.bars.draw(table)
            self.table.write(table_html(table, names.hands[hand]))
        else:
            self.table.write("")


def node_words(names: Names, node: int, payoff: str = "") -> str:
    """Where a node is and who acts there.

    >>> import solverlab as sl
    >>> node_words(sl.Kuhn().names, 1)
    'second to act after check'
    """
    path = escape(names.path(node).replace("/", " › "))
    where = f" after {path}" if path else " at the start"
    player = int(names.tree.player[node])
    if player >= 0:
        return f"{names.players[player]} to act{where}"
    return f"chance deals{where}" if player == -1 else f"the hand is over{where}: {escape(payoff)}"


def table_html(table: dict[str, list], chosen: str) -> str:
    """One row a hand: the probability of each action, and the player's own reach."""
    actions = [name for name in table if name not in ("hand", "reach")]
    heads = "".join(
        f"<th style='color:{css(shade.line)}'>{escape(name)}</th>"
        for name, shade in zip(actions, action_shades(actions), strict=True)
    )
    rows = []
    for hand, reach, *chances in zip(
        table["hand"], table["reach"], *(table[a] for a in actions), strict=True
    ):
        cells = "".join(f"<td>{x:.3f}</td>" for x in chances)
        mark = " class='chosen'" if hand == chosen else ""
        rows.append(f"<tr{mark}><td>{escape(hand) or 'any'}</td>{cells}<td>{reach:.3f}</td></tr>")
    over = len(rows) - MOST_ROWS
    more = f"<p class='quiet'>and {over:,} more hands</p>" if over > 0 else ""
    told = "<th title='own probability of playing to this node'>reach</th>"
    head = f"<thead><tr><th>hand</th>{heads}{told}</tr></thead>"
    return f"<table>{head}<tbody>{''.join(rows[:MOST_ROWS])}</tbody></table>{more}"
