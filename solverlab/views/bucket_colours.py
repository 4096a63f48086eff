"""Colours of buckets: from cold (weak) to warm (strong), told apart by colour-blind eyes."""

from __future__ import annotations

from colorsys import hls_to_rgb, rgb_to_hls

from solverlab.views.colours import colour_text, parts_of, steps
from solverlab.views.theme import BUCKETS, MANY_BUCKETS

_PICK = {1: (0,), 2: (0, 5), 3: (0, 2, 5), 4: (0, 2, 4, 5), 5: (0, 1, 2, 4, 5), 6: (0, 1, 2, 4, 5, 6)}


def bucket_colours(count: int, inner: int = 1) -> list[str]:
    """One colour a bucket; with `inner` > 1 each outer set has a hue and its parts are shades of it.

    >>> bucket_colours(3)
    ['#0072b2', '#009e73', '#d55e00']
    >>> len(set(bucket_colours(12, inner=2))), len(set(bucket_colours(50)))
    (12, 50)
    """
    if inner > 1 and count % inner == 0 and count // inner <= len(BUCKETS):
        return [_shade(hue, part, inner) for hue in bucket_colours(count // inner) for part in range(inner)]
    if count <= len(BUCKETS):
        return [BUCKETS[i] for i in _PICK.get(count, range(count))]
    return steps(MANY_BUCKETS, count)


def _shade(colour: str, part: int, parts: int) -> str:
    """Shades around a hue, the first the darkest."""
    hue, light, full = rgb_to_hls(*parts_of(colour))
    dark, pale = max(light - 0.14, 0.16), min(light + 0.24, 0.82)
    return colour_text(hls_to_rgb(hue, dark + (pale - dark) * part / (parts - 1), full))
