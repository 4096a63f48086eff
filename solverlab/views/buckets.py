"""See what an abstraction does: hands by bucket, how full and wide buckets are, where hands go."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Protocol

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.views.bucket_colours import bucket_colours
from solverlab.views.bucket_raster import EVERYTHING, Span, cloud_of, envelopes, raster
from solverlab.views.bucket_tables import confusion_frame, histogram_frame, transition_frame
from solverlab.views.inline import holoviews
from solverlab.views.theme import BUCKETS, LIGHT

if TYPE_CHECKING:
    import holoviews as hv
    import pandas as pd

    from solverlab.abstraction.one_hand import HandStrength
    from solverlab.views.bucket_raster import Strengths

FONTS = {"labels": "14px", "ticks": "13px", "title": "15px", "legend": "14px"}
METRICS = {"ehs": "E[HS]", "ehs2": "E[HS²]"}


class Fitted(Protocol):
    """A bucketing that was fitted on a street: the bucket of every hand, from 0."""

    labels_: np.ndarray


def bucket_scatter(
    strength: Strengths,
    buckets: Fitted | None = None,
    across: Span = EVERYTHING,
    up: Span = EVERYTHING,
    size: tuple[int, int] = (640, 520),
    keep: np.ndarray | None = None,
) -> hv.Overlay:
    """Every hand of a street at (E[HS], E[HS²]), coloured by bucket, between the curves y = x² and y = x.

    `buckets` is anything fitted on the street with `labels_` from 0 [hands], or None for one colour; `keep`
    is a mask [hands]; `across` and `up` zoom in.
    """
    codes = np.zeros(len(strength), np.uint16) if buckets is None else np.asarray(buckets.labels_)
    if len(codes) != len(strength):
        raise BadValue(f"{len(codes):,} labels for {len(strength):,} hands; fit the buckets on this street")
    count = int(codes.max(initial=0)) + 1
    colours = bucket_colours(count)
    picture = raster(cloud_of(strength, codes, keep), colours, across, up, size)
    hv = holoviews()
    parts = [_picture(hv, picture, across, up), *_envelopes(hv)]
    if count > 1:
        parts += [_legend_entry(hv, str(i + 1), colour) for i, colour in enumerate(colours)]
    look = {"width": size[0] + 80, "height": size[1] + 60, "fontsize": FONTS, "legend_position": "top_left"}
    return hv.Overlay(parts).opts(
        xlim=across, ylim=up, xlabel=METRICS["ehs"], ylabel=METRICS["ehs2"], backend="bokeh", **look
    )


def _picture(hv: ModuleType, picture: np.ndarray, across: Span, up: Span) -> hv.RGB:
    channels = picture[::-1].view(np.uint8).reshape(*picture.shape, 4)
    return hv.RGB(channels, bounds=(across[0], up[0], across[1], up[1]), kdims=["E[HS]", "E[HS²]"])


def _envelopes(hv: ModuleType) -> list[hv.Curve]:
    x, low, high = envelopes()
    line = {"line_width": 1.5, "color": LIGHT.ink, "backend": "bokeh"}
    return [
        hv.Curve((x, low), "E[HS]", "E[HS²]", label="y = x²").opts(**line),
        hv.Curve((x, high), "E[HS]", "E[HS²]", label="y = x").opts(line_dash="dashed", **line),
    ]


def _legend_entry(hv: ModuleType, name: str, colour: str) -> hv.Points:
    nowhere = hv.Points([(np.nan, np.nan)], ["E[HS]", "E[HS²]"], label=f"bucket {name}")
    return nowhere.opts(color=colour, marker="square", size=9, backend="bokeh")


def occupancy(table: pd.DataFrame, colours: Sequence[str], title: str = "How full") -> hv.Overlay:
    """The share of all deals in each bucket, with a line at the even share; `table` is a `bucket_frame`."""
    hv = holoviews()
    bars = _bars(hv, table["bucket"], 100 * table["share"], colours, "% of deals", title)
    even = hv.HLine(100 / max(len(table), 1)).opts(
        color=LIGHT.ink, line_width=1, line_dash="dashed", backend="bokeh"
    )
    return bars * even


def widths(
    table: pd.DataFrame, colours: Sequence[str], metric: str = "ehs2", title: str = "How wide"
) -> hv.Bars:
    """How long a range of the metric each bucket spans; an empty bucket has none."""
    wide = (table[f"high_{metric}"] - table[f"low_{metric}"]).fillna(0.0)
    return _bars(holoviews(), table["bucket"], wide, colours, f"width in {METRICS[metric]}", title)


def _bars(
    hv: ModuleType,
    names: Sequence[str],
    heights: Sequence[float],
    colours: Sequence[str],
    ylabel: str,
    title: str,
) -> hv.Bars:
    data = {"bucket": np.array(list(names), dtype=object), "height": np.asarray(heights, float)}
    data["colour"] = np.array(list(colours), dtype=object)
    top = max(float(np.nanmax(data["height"], initial=0)) * 1.15, 1e-6)
    look: dict[str, object] = {
        "color": "colour",
        "line_color": "white",
        "xlabel": "bucket",
        "ylabel": ylabel,
        "title": title,
    }
    look |= {
        "ylim": (0, top),
        "fontsize": FONTS,
        "tools": ["hover"],
        "show_legend": False,
        "backend": "bokeh",
    }
    if len(data["bucket"]) > 13:
        look["xaxis"] = "bare"
    return hv.Bars(data, "bucket", ["height", "colour"]).opts(**look)


def transitions(
    counts: np.ndarray, before: Sequence[str], after: Sequence[str], title: str = ""
) -> hv.Overlay:
    """Where hands go from one street to the next: the chance of each later bucket given the earlier one."""
    table = transition_frame(counts, before, after)
    return _heat(table, "to", "from", "chance", ("bucket after", "bucket before"), title)


def confusion(counts: np.ndarray, first: Sequence[str], second: Sequence[str], title: str = "") -> hv.Overlay:
    """Two abstractions of one street against each other: the share of deals in each pair of buckets."""
    table = confusion_frame(counts, first, second)
    return _heat(table, "second", "first", "share", ("bucket of the second", "bucket of the first"), title)


def _heat(table: pd.DataFrame, x: str, y: str, value: str, words: tuple[str, str], title: str) -> hv.Overlay:
    """A heat map with its numbers written in the cells; no number where there is nothing."""
    hv = holoviews()
    shown = table.assign(percent=100 * table[value])
    heat = hv.HeatMap(shown, [x, y], "percent").opts(
        cmap="Blues", clim=(0, max(float(shown["percent"].max()), 1e-9)), tools=["hover"], line_color="white",
        xlabel=words[0], ylabel=words[1], title=title, fontsize=FONTS, invert_yaxis=True, backend="bokeh",
    )  # fmt: skip
    written = shown.assign(
        text=[f"{p:.0f} %" if p >= 0.5 else "<1 %" if p > 0 else "" for p in shown["percent"]],
        ink=["white" if p > 0.6 * shown["percent"].max() else LIGHT.ink for p in shown["percent"]],
    ).astype({"text": object, "ink": object})
    if len(shown) > 160:
        return hv.Overlay([heat])
    labels = hv.Labels(written, [x, y], ["text", "ink"])
    return heat * labels.opts(text_color="ink", text_font_size="13px", backend="bokeh")


def strength_histogram(
    hand: HandStrength, bins: int = 50, colour: str = BUCKETS[0], title: str = ""
) -> hv.Overlay:
    """How likely a hand ends with each strength, with a line at its E[HS]; `hand` is one `hand_strength`."""
    hv = holoviews()
    table = histogram_frame(hand, bins)
    edges = np.append(table["low"], 1.0)
    shape = hv.Histogram(
        (edges, 100 * table["chance"].to_numpy()), kdims="strength at the end", vdims="percent"
    )
    look = {
        "xlabel": "strength at the end (HS)",
        "ylabel": "% of boards to come",
        "title": title,
        "tools": ["hover"],
    }
    shape = shape.opts(color=colour, line_color="white", xlim=(0, 1), fontsize=FONTS, backend="bokeh", **look)
    return shape * hv.VLine(hand.ehs).opts(color=LIGHT.ink, line_width=2, line_dash="dashed", backend="bokeh")
