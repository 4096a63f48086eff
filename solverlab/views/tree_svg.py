"""The game tree as a still picture: one standalone SVG text, for saved notebooks, papers and static viewers.

It draws what ``tree_layout.visible_tree`` returns, mark for mark like the interactive tree in
``ui/tree/tree_widget.js``. Shapes and digits repeat what colours say.
"""

from __future__ import annotations

import math
from html import escape

from solverlab.views import theme
from solverlab.views.theme import Palette


def tree_look(palette: Palette) -> dict[str, str | list[str]]:
    """The colours of a drawn tree, as the widget takes them."""
    return {
        "players": list(palette.players),
        "digits": [palette.on_player],  # on the players' discs
        "chance": palette.chance,
        "leaf": palette.chance,
        "ink": palette.ink,
        "muted": palette.muted,
        "paper": palette.paper,
        "halo": palette.halo,
    }


LIGHT, DARK = tree_look(theme.LIGHT), tree_look(theme.DARK)
FONT = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif"
RADIUS, BEND, EDGE, LEGEND, LETTER = 10, 44, 24, 46, 8.6  # marker, bend of a line, border, legend, a letter


def svg(nodes: dict[str, list], selected: int | None = None, theme: dict | None = None) -> str:
    """A standalone picture of the opened tree, with a legend; `selected` marks the path from the root.

    >>> lone = {"id": [0], "parent": [-1], "x": [0.0], "y": [0.0], "label": [""], "kind": ["player 0"],
    ...         "probability": [None], "reach": [1.0], "n_hidden": [0], "payoff": [""], "tooltip": [""],
    ...         "players": ["first"]}
    >>> svg(lone).startswith("<svg") and "first" in svg(lone)
    True
    """
    look = LIGHT | (theme or {})
    if selected is None:
        selected = next(iter(nodes.get("selected", [])), None)
    at, marked = {n: i for i, n in enumerate(nodes["id"])}, path(nodes, selected)
    inner = [i for i, above in enumerate(nodes["parent"]) if above in at]
    lines = [_edge(nodes, at, i, look, 8) for i in inner if nodes["id"][i] in marked]
    lines += [_edge(nodes, at, i, look) for i in inner]
    marks = [_node(nodes, at, i, look, selected) for i in range(len(nodes["id"]))]
    keys, legend_width = _legend(nodes["players"], look)
    tail = max((len(text) for text in nodes["payoff"]), default=0) * LETTER + 60
    across = math.ceil(max(max(nodes["x"], default=0) + 2 * EDGE + tail, legend_width))
    down = math.ceil(max(nodes["y"], default=0) + 2 * EDGE + LEGEND)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{across}" height="{down}" '
        f'viewBox="0 0 {across} {down}" font-family="{FONT}" font-size="14" role="img" '
        f'aria-label="game tree"><rect width="100%" height="100%" fill="{look["paper"]}"/>{keys}'
        f'<g transform="translate({EDGE} {EDGE + LEGEND})">{"".join(lines + marks)}</g></svg>'
    )


def path(nodes: dict[str, list], selected: int | None) -> set[int]:
    """The visible nodes from the root to the selected one; empty when nothing visible is selected."""
    above = dict(zip(nodes["id"], nodes["parent"], strict=True))
    marked = set()
    while selected is not None and selected in above:
        marked.add(selected)
        selected = above[selected]
    return marked


def edge_width(reach: float) -> float:
    """Line width in pixels: a line always shows, and one that is always taken is eight pixels wide."""
    return 1.2 + 6.8 * min(max(reach, 0.0), 1.0)


def percent(probability: float) -> str:
    """Two decimals, halves up: what the page's JavaScript writes, too.

    >>> percent(0.125), percent(0.4166)
    ('0.13', '0.42')
    """
    return f"{math.floor(probability * 100 + 0.5) / 100:.2f}"


def _round(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _never(probability: float | None) -> bool:
    return probability is not None and probability < 0.005


def _colour(kind: str, look: dict) -> str:
    if kind in ("chance", "leaf"):
        return look[kind]
    return look["players"][int(kind.split()[1]) % len(look["players"])]


def _edge(nodes: dict[str, list], at: dict[int, int], i: int, look: dict, halo: float = 0.0) -> str:
    """The line into node i: it bends beside its parent and runs level under its label."""
    p = at[nodes["parent"][i]]
    x0, y0, x1, y1 = (_round(nodes[axis][k]) for k in (p, i) for axis in "xy")
    a, b, c = (_round(nodes["x"][p] + more) for more in (26, 14, BEND))
    stroke = look["halo"] if halo else _colour(nodes["kind"][p], look)
    dash = ' stroke-dasharray="2 4"' if _never(nodes["probability"][i]) and not halo else ""
    return (
        f'<path d="M{x0} {y0}C{a} {y0} {b} {y1} {c} {y1}H{x1}" fill="none" stroke="{stroke}" '
        f'stroke-width="{_round(edge_width(nodes["reach"][i]) + halo)}"{dash}/>'
    )


def _node(nodes: dict[str, list], at: dict[int, int], i: int, look: dict, selected: int | None) -> str:
    """Marker, edge label, and payoff or "+12" badge of node i."""
    ink = look["muted" if _never(nodes["probability"][i]) else "ink"]
    hidden = nodes["n_hidden"][i]
    parts = [
        f"<title>{escape(nodes['tooltip'][i])}</title>{_marker(nodes['kind'][i], look)}",
        _text(-RADIUS - 7, -8, _label(nodes, at, i), ink, "end", look),
        _text(RADIUS + 8, 5, escape(nodes["payoff"][i]), look["muted"], "start", look),
        _badge(f"+{hidden}", look) if hidden else "",
        _ring(look) if nodes["id"][i] == selected else "",
    ]
    return _place(nodes["x"][i], nodes["y"][i], "".join(parts))


def _label(nodes: dict[str, list], at: dict[int, int], i: int) -> str:
    """What is written on an edge: the action, and how often it is taken where that is known."""
    if nodes["parent"][i] not in at:
        return ""
    p = nodes["probability"][i]
    number = "" if p is None else f' <tspan font-weight="700">{percent(p)}</tspan>'
    return escape(nodes["label"][i]) + number


def _marker(kind: str, look: dict) -> str:
    """A numbered disc for a player, a diamond for chance, a small square for a leaf."""
    fill, r = _colour(kind, look), RADIUS
    if kind == "leaf":
        return f'<rect x="-4" y="-4" width="8" height="8" fill="{fill}"/>'
    if kind == "chance":
        return f'<path d="M0 -{r}L{r} 0L0 {r}L-{r} 0Z" fill="{fill}"/>'
    seat = int(kind.split()[1])
    digit = look["digits"][seat % len(look["digits"])]
    return (
        f'<circle r="{r}" fill="{fill}"/><text y="5" text-anchor="middle" font-weight="700" '
        f'fill="{digit}">{seat + 1}</text>'
    )


def _badge(words: str, look: dict) -> str:
    wide = 12 + 8 * len(words)
    return (
        f'<g class="badge"><rect x="{RADIUS + 7}" y="-10" width="{wide}" height="20" rx="10" '
        f'fill="{look["paper"]}" stroke="{look["ink"]}"/><text x="{_round(RADIUS + 7 + wide / 2)}" y="5" '
        f'text-anchor="middle" fill="{look["ink"]}">{words}</text></g>'
    )


def _ring(look: dict) -> str:
    return f'<circle r="{RADIUS + 4}" fill="none" stroke="{look["ink"]}" stroke-width="2.5"/>'


def _text(x: float, y: float, inside: str, fill: str, anchor: str, look: dict) -> str:
    if not inside:
        return ""
    return (
        f'<text x="{_round(x)}" y="{_round(y)}" text-anchor="{anchor}" fill="{fill}" '
        f'stroke="{look["paper"]}" stroke-width="3" stroke-linejoin="round" paint-order="stroke">{inside}'
        "</text>"
    )


def _place(x: float, y: float, inside: str) -> str:
    return f'<g transform="translate({_round(x)} {_round(y)})">{inside}</g>'


def _legend(players: list[str], look: dict) -> tuple[str, float]:
    """The row of markers with their names, and how wide it is."""
    keys = [(f"player {i}", name) for i, name in enumerate(players)] + [
        ("chance", "chance"),
        ("leaf", "leaf"),
    ]
    items, x = [], float(EDGE + RADIUS)
    for kind, name in keys:
        label = _text(RADIUS + 6, 5, escape(name), look["ink"], "start", look)
        items.append(_place(x, EDGE, _marker(kind, look) + label))
        x += 52 + LETTER * len(name)
    return "".join(items), x - RADIUS + EDGE
