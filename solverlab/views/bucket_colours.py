"""Colours of buckets: from cold (weak) to warm (strong), told apart by colour-blind eyes."""

from __future__ import annotations

from colorsys import hls_to_rgb, rgb_to_hls

# Okabe & Ito (2008), in the order blue, sky, green, yellow, orange, vermilion, purple.
_SAFE = ("#0072B2", "#56B4E9", "#009E73", "#E8D71E", "#E69F00", "#D55E00", "#CC79A7")
_PICK = {1: (0,), 2: (0, 5), 3: (0, 2, 5), 4: (0, 2, 4, 5), 5: (0, 1, 2, 4, 5), 6: (0, 1, 2, 4, 5, 6)}
# Anchors of viridis (van der Walt & Smith 2015) without its palest end: lightness grows with the bucket.
_MANY = ("#440154", "#46327E", "#365C8D", "#277F8E", "#1FA187", "#4AC16D", "#A0DA39", "#E8D71E")


def bucket_colours(count: int, inner: int = 1) -> list[str]:
    """One colour a bucket; with `inner` > 1 each outer set has a hue and its parts are shades of it.

    >>> bucket_colours(3)
    ['#0072B2', '#009E73', '#D55E00']
    >>> len(set(bucket_colours(12, inner=2))), len(set(bucket_colours(50)))
    (12, 50)
    """
    if inner > 1 and count % inner == 0 and count // inner <= len(_SAFE):
        return [_shade(hue, part, inner) for hue in bucket_colours(count // inner) for part in range(inner)]
    if count <= len(_SAFE):
        return [_SAFE[i] for i in _PICK.get(count, range(count))]
    return [_between(i / (count - 1)) for i in range(count)]


def _between(share: float) -> str:
    """A colour of the long scale."""
    place = share * (len(_MANY) - 1)
    low = min(int(place), len(_MANY) - 2)
    mix = [
        a + (b - a) * (place - low)
        for a, b in zip(_channels(_MANY[low]), _channels(_MANY[low + 1]), strict=True)
    ]
    return _hex(mix)


def _shade(colour: str, part: int, parts: int) -> str:
    """Shades around a hue, the first the darkest."""
    hue, light, full = rgb_to_hls(*(channel / 255 for channel in _channels(colour)))
    dark, pale = max(light - 0.14, 0.16), min(light + 0.24, 0.82)
    return _hex([255 * c for c in hls_to_rgb(hue, dark + (pale - dark) * part / (parts - 1), full)])


def _channels(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


def _hex(channels: list[float]) -> str:
    return "#" + "".join(f"{min(255, max(0, round(c))):02X}" for c in channels)
