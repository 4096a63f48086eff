"""Arithmetic of colours: mixing as eyes mix, letters that can be read, steps of a scale."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np

BLACK, WHITE = "#000000", "#ffffff"
READABLE = 4.8  # contrast of dark letters and a ground made paler for them
# Oklab (Ottosson 2020): linear light to cone responses, and their cube roots to lightness and two hues.
_CONES = np.array(
    [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
     [0.0883024619, 0.2817188376, 0.6299787005]]
)  # fmt: skip
_LAB = np.array(
    [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
     [0.0259040371, 0.7827717662, -0.8086757660]]
)  # fmt: skip


@cache
def mixed(one: str, other: str, share: float) -> str:
    """A colour between two, as far from the first as `share` says, evenly for the eye.

    >>> mixed("#000000", "#ffffff", 0.0), mixed("#000000", "#ffffff", 1.0), mixed("#000000", "#ffffff", 0.5)
    ('#000000', '#ffffff', '#636363')
    """
    first, second = (_LAB @ np.cbrt(_CONES @ linear(colour)) for colour in (one, other))
    between = first + share * (second - first)
    light = np.linalg.solve(_CONES, np.linalg.solve(_LAB, between) ** 3).clip(0, 1)
    return colour_text(np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055))


def steps(anchors: Sequence[str], count: int) -> list[str]:
    """`count` colours at even steps through the anchors, both ends among them.

    >>> steps(("#000000", "#ffffff"), 3)
    ['#000000', '#636363', '#ffffff']
    """
    places = np.linspace(0, len(anchors) - 1, count)
    lows = np.minimum(places.astype(int), len(anchors) - 2)
    return [
        mixed(anchors[k], anchors[k + 1], float(place - k)) for k, place in zip(lows, places, strict=True)
    ]


def luminance(colour: str) -> float:
    """How light a colour is, from 0 for black to 1 for white (WCAG 2)."""
    return float(linear(colour) @ [0.2126, 0.7152, 0.0722])


def contrast(one: str, other: str) -> float:
    """How well two colours stand out from each other, from 1 to 21 (WCAG 2).

    >>> round(contrast("#000000", "#ffffff"), 6), contrast("#777777", "#777777")
    (21.0, 1.0)
    """
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@cache
def ink_on(colour: str) -> str:
    """Black or white, whichever stands out more on a colour.

    >>> ink_on("#00224e"), ink_on("#fee838")
    ('#ffffff', '#000000')
    """
    return BLACK if contrast(BLACK, colour) > contrast(WHITE, colour) else WHITE


@cache
def lightened(colour: str, ink: str) -> str:
    """A colour with as much white in it as letters in `ink` need to be read on it.

    >>> lightened("#f0e442", "#16202b")
    '#f0e442'
    >>> contrast(lightened("#000000", "#16202b"), "#16202b") >= READABLE
    True
    """
    parts = parts_of(colour)
    whiter = (colour_text(parts + white * (1 - parts)) for white in np.arange(0.0, 1.0, 0.01))
    return next(made for made in whiter if contrast(made, ink) >= READABLE)


def parts_of(colour: str) -> np.ndarray:
    """Red, green and blue from 0 to 1."""
    return np.array([int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)])


def linear(colour: str) -> np.ndarray:
    """Red, green and blue as amounts of light (sRGB, IEC 61966-2-1)."""
    parts = parts_of(colour)
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def colour_text(parts: Iterable[float]) -> str:
    """The colour of three parts from 0 to 1, as browsers write it."""
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)
