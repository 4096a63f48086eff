"""The convergence plot as a standing picture: a small SVG for slides and papers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from solverlab.ui.live import points, round_up
from solverlab.ui.look import FONT, INK, LINE
from solverlab.views.theme import CLOCKS, run_colour

WIDE, TALL, LEFT, RIGHT, TOP, BOTTOM = 900, 560, 84, 24, 24, 60


def convergence_svg(runs: Mapping[str, Sequence[dict[str, Any]]], clock: str, distance: str) -> str:
    """Two logarithmic axes, a colour a run; solid lines are averages, dashed lines current strategies."""
    lines = [
        (i, name, strategy, points(list(rows), strategy))
        for i, (name, rows) in enumerate(runs.items())
        for strategy in ("average", "current")
    ]
    xs = [x for *_, columns in lines for x in columns[clock]] or [1.0, 10.0]
    ys = [y for *_, columns in lines for y in columns["distance"]] or [1e-3, 1.0]
    across = (min(xs), round_up(max(max(xs), min(xs) * 10)))
    up = (10.0 ** math.floor(math.log10(min(ys)) - 0.02), 10.0 ** math.ceil(math.log10(max(ys)) + 0.02))
    body = _grid(across, up) + "".join(
        _line(columns[clock], columns["distance"], across, up, i, strategy)
        for i, _, strategy, columns in lines
    )
    titles = _text(WIDE / 2, TALL - 14, CLOCKS[clock], "middle") + (
        f'<text transform="translate(20 {TALL / 2}) rotate(-90)" text-anchor="middle">'
        f"{escape(distance)}</text>"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE}" height="{TALL}" viewBox="0 0 {WIDE} {TALL}" '
        f'font-family="{FONT}" font-size="16" fill="{INK}"><rect width="100%" height="100%" fill="white"/>'
        f"{body}{titles}{_legend(list(runs))}</svg>"
    )


def _place(value: float, span: tuple[float, float], low: float, high: float) -> float:
    share = math.log(value / span[0]) / math.log(span[1] / span[0])
    return round(low + share * (high - low), 2)


def _x(value: float, span: tuple[float, float]) -> float:
    return _place(value, span, LEFT, WIDE - RIGHT)


def _y(value: float, span: tuple[float, float]) -> float:
    return _place(value, span, TALL - BOTTOM, TOP)


def _grid(across: tuple[float, float], up: tuple[float, float]) -> str:
    parts = []
    for power in range(math.ceil(math.log10(across[0]) - 1e-9), math.floor(math.log10(across[1]) + 1e-9) + 1):
        x = _x(10.0**power, across)
        parts.append(f'<path d="M{x} {TOP}V{TALL - BOTTOM}" stroke="{LINE}"/>')
        parts.append(_text(x, TALL - BOTTOM + 22, _power(power), "middle"))
    for power in range(round(math.log10(up[0])), round(math.log10(up[1])) + 1):
        y = _y(10.0**power, up)
        parts.append(f'<path d="M{LEFT} {y}H{WIDE - RIGHT}" stroke="{LINE}"/>')
        parts.append(_text(LEFT - 8, y + 5, _power(power), "end"))
    return "".join(parts)


def _power(power: int) -> str:
    return f"{10**power:,}" if 0 <= power <= 4 else f"{10.0**power:g}"


def _line(
    xs: list[float],
    ys: list[float],
    across: tuple[float, float],
    up: tuple[float, float],
    i: int,
    strategy: str,
) -> str:
    if not xs:
        return ""
    path = " ".join(f"{_x(x, across)},{_y(y, up)}" for x, y in zip(xs, ys, strict=True))
    dash = ' stroke-dasharray="6 4" opacity="0.75"' if strategy == "current" else ""
    return f'<polyline points="{path}" fill="none" stroke="{run_colour(i)}" stroke-width="2.5"{dash}/>'


def _legend(names: list[str]) -> str:
    parts = []
    for i, name in enumerate(names):
        y = TALL - BOTTOM - 16 - 22 * (len(names) - 1 - i)
        parts.append(f'<path d="M{LEFT + 12} {y}h30" stroke="{run_colour(i)}" stroke-width="3"/>')
        parts.append(_text(LEFT + 50, y + 5, name, "start"))
    return "".join(parts)


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{escape(words)}</text>'
