"""The chosen hand: what it does at the decisions on the screen, and what every action is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

from solverlab.core.policy import Policy
from solverlab.ui.tokens import css
from solverlab.views.pushfold_cells import ev, node_title
from solverlab.views.pushfold_chart import combos_of
from solverlab.views.theme import action_fills

READING = (
    "<h2>Read the grids</h2><p>Pairs on the diagonal, suited above, offsuit below. <b>Strong colour goes "
    "all in, pale folds</b>; a number is the per cent of a hand that does both. Blinds 0.5 and 1, "
    "equal stacks.</p>"
    "<p>Click a hand, or use the arrow keys, to see what its actions are worth.</p>"
)
NEARLY = 0.005  # big blinds: two actions so near each other are worth the same


def hand_html(policy: Policy, nodes: Sequence[str], hand: str, values: Mapping[str, np.ndarray]) -> str:
    """A table a decision: how often each action is taken, its EV in big blinds, and what that means."""
    if not hand:
        return READING
    parts = [f"<h2>{escape(hand)} <small>{combos_of(hand)} combos</small></h2>"]
    parts += [_table(policy, node, hand, values[node]) for node in dict.fromkeys(nodes)]
    return "".join(parts)


def _table(policy: Policy, node: str, hand: str, values: np.ndarray) -> str:
    chances = policy.at(node, hand=hand)
    worth = values[:, policy.names.hand(hand)].tolist()
    names, fills = list(chances), action_fills(list(chances))
    rows = "".join(
        f"<tr><td><i class='chip' style='background: {css(fill)}'></i>{escape(SAID.get(name, name))}</td>"
        f"<td>{100 * chances[name]:.0f} %</td><td>{ev(x)}</td></tr>"
        for name, x, fill in reversed(list(zip(names, worth, fills, strict=True)))
    )
    title = node_title(policy.names, node)
    head = f"<thead><tr><th>{escape(title)}</th><th>plays</th><th>EV, BB</th></tr></thead>"
    return f"<table>{head}<tbody>{rows}</tbody></table><p class='quiet'>{_said(names, worth)}</p>"


SAID = {"jam": "all in"}


def _said(names: Sequence[str], worth: Sequence[float]) -> str:
    """Which action is better, and by how much."""
    fold, other = worth
    gain, name = other - fold, SAID.get(names[1], names[1])
    if gain != gain:
        return "Nobody lets this hand come so far."
    if abs(gain) < NEARLY:
        return f"Within {NEARLY} BB of each other: this hand may mix."
    better = name.capitalize() if gain > 0 else "Fold"
    return f"{better} wins {abs(gain):.2f} BB more than {'fold' if gain > 0 else name}."
