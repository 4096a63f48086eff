"""Letters of the plots: dark, at least 13 pixels, larger on a larger screen."""

from __future__ import annotations

from collections.abc import Sequence

from bokeh.models import CustomJS, Model
from bokeh.plotting import figure

from solverlab.ui.look import INK

LEAST = 13
GROW = """
const size = Math.max(13, Math.min(18, 0.0072 * window.innerWidth + 3.8));
const px = (more) => (size + more).toFixed(1) + "px";
for (const axis of axes) {
  axis.major_label_text_font_size = px(0);
  axis.axis_label_text_font_size = px(0);
}
title.text_font_size = px(0.5);
for (const label of labels) { label.text_font_size = px(0); }
for (const legend of legends) { legend.label_text_font_size = px(0); }
"""


def dress(plot: figure, labels: Sequence[Model] = (), legends: Sequence[Model] = ()) -> None:
    """Give a plot its letters; they follow the width of the window."""
    for axis in plot.axis:
        axis.update(major_label_text_font_size=f"{LEAST}px", axis_label_text_font_size=f"{LEAST}px")
        axis.update(axis_label_text_font_style="normal", axis_label_text_color=INK)
        axis.update(major_label_text_color=INK, axis_label_standoff=4)
    plot.title.update(text_font_size=f"{LEAST + 0.5}px", text_color=INK, standoff=4)
    for label in labels:
        label.text_font_size = f"{LEAST}px"
    for legend in legends:
        legend.label_text_font_size = f"{LEAST}px"
    parts = {"axes": list(plot.axis), "title": plot.title, "labels": list(labels), "legends": list(legends)}
    fit = CustomJS(args=parts, code=GROW)
    for side in ("inner_width", "inner_height"):
        plot.js_on_change(side, fit)
    plot.toolbar.logo = None
