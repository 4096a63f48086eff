"""What a policy does at one node, hand by hand."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.frame import frame
from solverlab.core.policy import Policy
from solverlab.core.snapshot import Snapshot
from solverlab.views.inline import holoviews
from solverlab.views.theme import action_fills

if TYPE_CHECKING:
    import holoviews as hv
    import pandas as pd


def strategy_frame(policy: Policy, node: str | int) -> pd.DataFrame:
    """One row a hand: hand, own reach, and a column with the probability of each action.

    >>> import solverlab as sl
    >>> list(strategy_frame(sl.uniform_policy(sl.Kuhn()), "raise").columns)
    ['hand', 'reach', 'fold', 'call']
    """
    names, tree = policy.names, policy.tree
    n = names.node(node)
    player = int(tree.player[n])
    if player < 0:
        raise BadValue(f"nobody acts at node {names.path(n)!r}; choose a node where a player acts")
    dealt = [
        card for card in names.path(n).split("/") if card
    ]  # at the start the path is empty, and so may a hand be
    possible = np.array([hand not in dealt for hand in names.hands])
    columns = {
        "hand": np.array(names.hands, dtype=object)[possible],
        "reach": policy.reach(player, n)[possible],
    }
    for child, row in enumerate(policy.rows(n), int(tree.first[n])):
        columns[names.actions[child]] = row[possible]
    return frame(columns)


def strategy(snap: Snapshot | Policy, node: str | int = "") -> hv.Bars:
    """What the player to act does with each hand: one bar a hand, one colour an action.

    A snapshot shows its average; for the strategy played last, give ``snap.current``.
    """
    policy = snap if isinstance(snap, Policy) else snap.policy
    table = strategy_frame(policy, node)
    actions = list(table.columns[2:])
    tall = table.melt(["hand"], actions, "action", "probability")
    n = policy.names.node(node)
    who = policy.names.player(int(policy.tree.player[n]))
    title = f"{who} player, {policy.names.path(n) or 'at the start'}"
    bars = holoviews().Bars(
        tall.astype({"hand": object, "action": object}), ["hand", "action"], "probability"
    )
    return bars.opts(
        stacked=True,
        cmap=dict(zip(actions, action_fills(actions), strict=True)),
        title=title,
        ylim=(0, 1),
        tools=["hover"],
        width=max(320, min(900, 140 + 60 * len(table))),
        height=300,
        legend_position="right",
        fontscale=1.2,
        backend="bokeh",
    )


def strategy_html(policy: Policy, node: str | int, chosen: str = "") -> str:
    """The same as a table with a bar a hand, for places where a plotting library would be too much.

    >>> import solverlab as sl
    >>> strategy_html(sl.uniform_policy(sl.Kuhn()), "raise", chosen="K").count("<tr")
    4
    """
    table = strategy_frame(policy, node)
    actions = list(table.columns[2:])
    colours = dict(zip(actions, action_fills(actions), strict=True))
    keys = "".join(
        f'<th><span class="swatch" style="background: {colour}"></span>{escape(action)}</th>'
        for action, colour in colours.items()
    )
    rows = "".join(_row(row, colours, chosen) for row in table.to_dict("records"))
    head = f"<tr><th>hand</th>{keys}<th></th><th>own reach</th></tr>"
    return f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"


def _row(row: dict, colours: dict[str, str], chosen: str) -> str:
    numbers = "".join(f"<td>{row[action]:.3f}</td>" for action in colours)
    bar = "".join(f'<i style="width: {100 * row[a]:.2f}%; background: {c}"></i>' for a, c in colours.items())
    mark = ' class="chosen"' if row["hand"] == chosen and chosen else ""
    hand = escape(str(row["hand"])) or "–"
    bar = f'<td style="width: 40%"><div class="bar">{bar}</div></td>'
    return f"<tr{mark}><th>{hand}</th>{numbers}{bar}<td>{row['reach']:.3f}</td></tr>"
