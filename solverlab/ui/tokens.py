"""The colours of `views/theme.py` as custom properties, which follow the theme, and as pairs for canvases."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from solverlab.views.theme import DARK, LIGHT, Palette, Shade, action_shades, shares_palette

SHORT = {"raise_": "raise", "all_in": "allin", "runs": "run", "players": "p", "on_player": "on-p"}
MOST_SIZES = 6  # of bets and raises in one menu


def colours(palette: Palette) -> dict[str, str]:
    """Every colour of a palette by the name of its custom property.

    >>> named = colours(LIGHT)
    >>> named["ink"], named["on-call"], named["run-2"] == LIGHT.runs[1]
    ('#16202b', '#fffeff', True)
    """
    return {
        name: colour for field in palette._fields for name, colour in _named(field, getattr(palette, field))
    }


def _named(field: str, value: str | Shade | tuple[str, ...]) -> Iterator[tuple[str, str]]:
    name = SHORT.get(field, field.replace("_", "-"))
    if isinstance(value, Shade):
        yield from ((name, value.fill), (f"on-{name}", value.on), (f"{name}-line", value.line))
    elif isinstance(value, str):
        yield name, value
    else:
        yield from ((f"{name}-{place}", colour) for place, colour in enumerate(value, 1))


def properties() -> str:
    """The style sheet that gives every colour its name, light unless the page says dark."""
    return _block(':root, [data-theme="light"]', "light", LIGHT) + _block('[data-theme="dark"]', "dark", DARK)


def _block(selector: str, scheme: str, palette: Palette) -> str:
    lines = "".join(f" --{name}: {colour};" for name, colour in colours(palette).items())
    return f"{selector} {{ color-scheme: {scheme};{lines} }}\n"


def css(colour: str) -> str:
    """A colour for HTML: the custom property of its name, which follows the theme; others as they are.

    >>> css("#16202b"), css("#123456")
    ('var(--ink, #16202b)', '#123456')
    """
    name = _names().get(colour.lower())
    return f"var(--{name}, {colour.lower()})" if name else colour


@cache
def _names() -> dict[str, str]:
    """The name of each colour; of equal ones the first."""
    return {colour: name for name, colour in reversed(colours(LIGHT).items())}


@cache
def partners() -> dict[str, str]:
    """What a dark page paints instead of each light colour, steps of scales and sizes of bets included.

    >>> partners()["#16202b"] == DARK.ink
    True
    """
    pairs = dict(zip(shares_palette(palette=LIGHT), shares_palette(palette=DARK), strict=True))
    for count in range(2, MOST_SIZES + 1):
        menu = [f"raise {place}" for place in range(count)]
        for light, dark in zip(action_shades(menu, LIGHT), action_shades(menu, DARK), strict=True):
            pairs |= {light.fill: dark.fill, light.line: dark.line}
    light, dark = colours(LIGHT), colours(DARK)
    return pairs | {light[name]: dark[name] for name in reversed(light)}
