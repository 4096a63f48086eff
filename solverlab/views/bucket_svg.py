"""The cloud of hands as a file for slides and papers: vector axes, curves and words around the raster."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from html import escape

import numpy as np

from solverlab.views.bucket_raster import EVERYTHING, Cloud, Span, envelopes, raster
from solverlab.views.theme import LIGHT

LEFT, TOP, RIGHT, BOTTOM = 80, 56, 24, 64
WIDE, TALL = 820, 660
INK = LIGHT.ink
FONT = "'Helvetica Neue', Helvetica, Arial, sans-serif"


def png(picture: np.ndarray) -> bytes:
    """A raster (RGBA words, bottom row first) as a PNG file."""
    from PIL import Image

    file = io.BytesIO()
    rows = np.ascontiguousarray(picture[::-1]).view(np.uint8).reshape(*picture.shape, 4)
    Image.fromarray(rows, "RGBA").save(file, "PNG")
    return file.getvalue()


def cloud_svg(
    cloud: Cloud,
    colours: Sequence[str],
    names: Sequence[str],
    title: str,
    across: Span = EVERYTHING,
    up: Span = EVERYTHING,
) -> str:
    """The cloud as a still SVG picture with its legend."""
    picture = raster(cloud, colours, across, up, (2 * WIDE, 2 * TALL))
    link = base64.b64encode(png(picture)).decode()
    parts = [
        f'<image x="{LEFT}" y="{TOP}" width="{WIDE}" height="{TALL}" href="data:image/png;base64,{link}"/>',
        *_curves(across, up),
        *_axis(across, True),
        *_axis(up, False),
        _words(LEFT, 34, title, "start", 20),
        _words(LEFT + WIDE / 2, TOP + TALL + 52, "E[HS]", "middle"),
        f'<text transform="translate(24 {TOP + TALL / 2}) rotate(-90)" text-anchor="middle">E[HS²]</text>',
        *_legend(names, colours),
    ]
    width, height = LEFT + WIDE + RIGHT, TOP + TALL + BOTTOM
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="{FONT}" font-size="16" fill="{INK}">'
        '<rect width="100%" height="100%" fill="white"/>'
        f'<clipPath id="frame"><rect x="{LEFT}" y="{TOP}" width="{WIDE}" height="{TALL}"/></clipPath>'
        f"{''.join(parts)}</svg>"
    )


def _place(value: float, span: Span, start: float, length: float) -> float:
    return round(start + (value - span[0]) / (span[1] - span[0]) * length, 2)


def _curves(across: Span, up: Span) -> list[str]:
    x, low, high = envelopes()
    out = []
    for y, dash in ((low, ""), (high, ' stroke-dasharray="7 5"')):
        points = " ".join(
            f"{_place(a, across, LEFT, WIDE)},{_place(b, up, TOP + TALL, -TALL)}"
            for a, b in zip(x, y, strict=True)
        )
        out.append(
            f'<polyline points="{points}" fill="none" stroke="{INK}" stroke-width="1.6"{dash} '
            'clip-path="url(#frame)"/>'
        )
    return out


def _axis(span: Span, flat: bool) -> list[str]:
    """Frame, ticks and numbers of one axis."""
    out = [f'<rect x="{LEFT}" y="{TOP}" width="{WIDE}" height="{TALL}" fill="none" stroke="{INK}"/>'] * flat
    for tick in _ticks(span):
        if flat:
            x = _place(tick, span, LEFT, WIDE)
            out.append(f'<path d="M{x} {TOP + TALL}v6" stroke="{INK}"/>')
            out.append(_words(x, TOP + TALL + 26, f"{tick:g}", "middle"))
        else:
            y = _place(tick, span, TOP + TALL, -TALL)
            out.append(f'<path d="M{LEFT} {y}h-6" stroke="{INK}"/>')
            out.append(_words(LEFT - 10, y + 5, f"{tick:g}", "end"))
    return out


def _ticks(span: Span) -> list[float]:
    """About six round numbers in a range.

    >>> _ticks((-0.02, 1.02))
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    rough = (span[1] - span[0]) / 6
    power = 10.0 ** np.floor(np.log10(rough))
    step = power * min((1, 2, 5, 10), key=lambda m: abs(m * power - rough))
    first = int(np.ceil(span[0] / step - 1e-9))
    last = int(np.floor(span[1] / step + 1e-9))
    return [float(round(number * step, 12)) for number in range(first, last + 1)]


def _legend(names: Sequence[str], colours: Sequence[str]) -> list[str]:
    every = max(1, -(-len(names) // 24))
    out = []
    for row, number in enumerate(reversed(range(0, len(names), every))):
        y = TOP + 18 + 24 * row
        out.append(f'<rect x="{LEFT + 16}" y="{y}" width="16" height="16" fill="{colours[number]}"/>')
        out.append(_words(LEFT + 40, y + 14, str(names[number]), "start"))
    return out


def _words(x: float, y: float, text: str, anchor: str, size: int = 16) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}">{escape(text)}</text>'
