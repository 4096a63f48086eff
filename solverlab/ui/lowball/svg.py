"""The curves of value by stack as an SVG picture, for slides and papers."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from solverlab.ui.lowball.curves import Curve
from solverlab.views.theme import run_colour

WIDTH, HEIGHT = 900, 520
LEFT, RIGHT, TOP, BOTTOM = 76, 24, 46, 56
FONT = "Helvetica, Arial, sans-serif"


def curves_svg(curves: Sequence[Curve], stack: float) -> str:
    """Lines, roots and the chosen stack."""
    columns = [curve.columns() for curve in curves]
    values = [value for column in columns for value in column["value"]] + [0.0]
    low, high = min(values), max(values)
    room = 0.08 * (high - low)
    picture = _Picture(low - room, high + room, max(10.3, stack))
    parts = [picture.frame(), picture.upright(stack, "#1f2328", "4 4")]
    for slot, (curve, column) in enumerate(zip(curves, columns, strict=True)):
        colour = run_colour(slot)
        points = zip(column["stack"], column["value"], strict=True)
        told = " ".join(f"{picture.x(x):.1f},{picture.y(y):.1f}" for x, y in points)
        parts.append(f'<polyline points="{told}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        if curve.root is not None:
            parts.append(picture.upright(curve.root, colour, ""))
        parts.append(_text(WIDTH - RIGHT - 8, TOP + 20 + 20 * slot, curve.label, "end", colour))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" font-family="{FONT}" font-size="15"><rect width="100%" height="100%" '
        'fill="white"/>'
    )
    return head + "".join(parts) + "</svg>"


class _Picture:
    """Where a stack and a value are on the sheet."""

    def __init__(self, low: float, high: float, last: float):
        self.low, self.high, self.last = low, high, last

    def x(self, stack: float) -> float:
        return LEFT + (stack - 1) / (self.last - 1) * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        return HEIGHT - BOTTOM - (value - self.low) / (self.high - self.low) * (HEIGHT - TOP - BOTTOM)

    def frame(self) -> str:
        """Axes with their words."""
        zero = self.y(0.0)
        parts = [
            _text(LEFT, 28, "The button's value by stack, in big blinds", "start", "#1f2328"),
            _line(LEFT, TOP, LEFT, HEIGHT - BOTTOM, "#57606a"),
            _line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "#57606a"),
            _line(LEFT, zero, WIDTH - RIGHT, zero, "#1f2328"),
            _text(LEFT - 8, zero + 5, "0", "end", "#1f2328"),
            _text(LEFT - 8, self.y(self.high) + 5, f"{self.high:.2f}", "end", "#1f2328"),
            _text(LEFT - 8, self.y(self.low) + 5, f"{self.low:.2f}", "end", "#1f2328"),
            _text((WIDTH + LEFT) / 2, HEIGHT - 14, "stack in big blinds", "middle", "#1f2328"),
        ]
        for stack in range(2, int(self.last) + 1):
            parts.append(_text(self.x(stack), HEIGHT - BOTTOM + 20, str(stack), "middle", "#1f2328"))
        return "".join(parts)

    def upright(self, stack: float, colour: str, dash: str) -> str:
        end = TOP if dash else self.y(0.0)
        return _line(self.x(stack), end, self.x(stack), HEIGHT - BOTTOM, colour, dash)


def _line(x0: float, y0: float, x1: float, y1: float, colour: str, dash: str = "") -> str:
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="{colour}"{dashes}/>'


def _text(x: float, y: float, words: str, anchor: str, colour: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{escape(words)}</text>'
