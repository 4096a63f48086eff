"""The cloud of hands on the Abstraction page: a raster from afar, single hands with names from near.

The figure's ranges and size come back from the browser by themselves; `Scatter.look` compares them with what
was drawn and has the next picture made beside the page, so zooming never waits for the server.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from bokeh.core.properties import value
from bokeh.core.property.descriptors import UnsetValueError
from bokeh.events import SelectionGeometry, Tap
from bokeh.models import (
    BoxSelectTool,
    ColumnDataSource,
    HoverTool,
    Legend,
    LegendItem,
    PanTool,
    Range1d,
    WheelZoomTool,
)
from bokeh.plotting import figure

from solverlab.cards.cards import cards_text
from solverlab.core.rows import Row
from solverlab.ui.look import INK, MUTED
from solverlab.ui.tasks import Task
from solverlab.views.bucket_raster import EVERYTHING, Cloud, Span, envelopes, raster, samples
from solverlab.views.theme import LIGHT, RING

if TYPE_CHECKING:
    from bokeh.plotting import figure

    from solverlab.views.bucket_raster import Strengths


NEAR = 4000  # from this many hands down each is drawn and named
CELL = 9  # pixels of a hover cell from afar
FONT = "14px"
TIP = """<div style="font: 14px sans-serif; line-height: 1.35"><b>@hand</b> @board<br>bucket <b>@bucket</b>
<br>E[HS] @ehs{0.0000}, E[HS²] @ehs2{0.0000}<br><span style="color: MUTED">@note</span></div>""".replace(
    "MUTED", MUTED
)
NO_POINTS: dict[str, list] = {
    name: [] for name in ("x", "y", "ehs", "ehs2", "hand", "board", "bucket", "note", "colour", "index")
}


class View(NamedTuple):
    """What part of the plane is looked at, on how many pixels."""

    across: Span
    up: Span
    size: tuple[int, int]


class Scene(NamedTuple):
    """What there is to see: the hands of a street, the names, colours and shares of their buckets."""

    strength: Strengths
    cloud: Cloud
    names: list[str]
    colours: list[str]
    shares: list[float]
    sequence: Callable[[int], str]


class Drawn(NamedTuple):
    """One finished picture: a raster or nothing, and the hands that can be pointed at."""

    view: View
    image: np.ndarray | None
    points: Row
    count: int


def draw(scene: Scene, view: View) -> Drawn:
    """Make the picture of a view."""
    inside = scene.cloud.inside(view.across, view.up)
    if inside.size <= NEAR:
        return Drawn(view, None, _points(scene, inside, np.ones(inside.size, np.int64)), inside.size)
    cells = max(view.size[0] // CELL, 1), max(view.size[1] // CELL, 1)
    image = raster(scene.cloud, scene.colours, *view)
    return Drawn(view, image, _points(scene, *samples(inside, view.across, view.up, cells)), inside.size)


def _points(scene: Scene, part: Cloud, count: np.ndarray) -> Row:
    hole, board = scene.strength.cards(part.index)
    colours = np.array(scene.colours, object)
    return {
        "x": scene.strength.ehs[part.index],
        "y": scene.strength.ehs2[part.index],
        "ehs": scene.strength.ehs[part.index],
        "ehs2": scene.strength.ehs2[part.index],
        "hand": [cards_text(sorted(cards, reverse=True)) for cards in hole],
        "board": [f"on {cards_text(cards[::-1])}" if len(cards) else "" for cards in board],
        "bucket": [scene.sequence(index) for index in part.index],
        "note": [f"one of {n:,} hands right here; zoom in" if n > 1 else "" for n in count],
        "colour": list(colours[part.code]),
        "index": part.index,
    }


def _pixels(plot: figure, name: str, otherwise: int) -> int:
    """What the browser told about the size of the plot, if it did yet."""
    try:
        return int(getattr(plot, name)) or otherwise
    except UnsetValueError:
        return otherwise


class Scatter:
    """One figure; `tapped(x, y)` hears of a click and `brushed(across, up)` of a drawn box."""

    def __init__(
        self,
        tapped: Callable[[float, float], None],
        brushed: Callable[[Span, Span], None] | None = None,
        ranges: tuple[Range1d, Range1d] | None = None,
        name: str = "cloud",
    ):
        self.scene: Scene | None = None
        self.drawn: Drawn | None = None
        self.pictures = 0
        self._building: Task | None = None
        self._shown_scene: Scene | None = None
        self._tapped, self._brushed = tapped, brushed
        across, up = ranges or (Range1d(*EVERYTHING), Range1d(*EVERYTHING))
        self.figure = figure(
            x_range=across,
            y_range=up,
            sizing_mode="stretch_both",
            min_height=240,
            tools="box_zoom,reset,save",
            toolbar_location="right",
            name=name,
            x_axis_label="E[HS], the expected strength",
            y_axis_label="E[HS²]",
            output_backend="canvas",
        )
        self._add_glyphs()
        self._add_tools()
        self._dress()

    # ---- building ------------------------------------------------------------------------------------

    def _add_glyphs(self) -> None:
        self.image = ColumnDataSource({"image": [], "x": [], "y": [], "dw": [], "dh": []}, name="picture")
        self.points = ColumnDataSource(dict(NO_POINTS), name="hands")
        self.mark = ColumnDataSource({"x": [], "y": [], "text": []}, name="mark")
        self.keys = ColumnDataSource({"x": [], "y": [], "colour": []}, name="keys")
        self.figure.image_rgba("image", "x", "y", "dw", "dh", source=self.image)
        x, low, high = envelopes()
        self.curves = [
            self.figure.line(x, low, line_color=INK, line_width=1.6),
            self.figure.line(x, high, line_color=INK, line_width=1.6, line_dash=[6, 4]),
        ]
        dot = {"size": 9, "fill_color": "colour", "line_color": "white", "line_width": 0.6}
        self.dots = self.figure.scatter("x", "y", source=self.points, **dot)
        self.dots.nonselection_glyph = None
        ring = {"size": 24, "fill_alpha": 0, "line_color": "black", "line_width": 3}
        self.figure.scatter("x", "y", source=self.mark, **ring)
        self.figure.scatter("x", "y", source=self.mark, **(ring | {"line_color": RING, "line_width": 1.2}))
        words = {"text_font_size": "15px", "text_font_style": "bold", "text_color": INK, "x_offset": 16}
        words |= {"background_fill_color": "white", "background_fill_alpha": 0.85, "padding": 3}
        self.figure.text("x", "y", "text", source=self.mark, text_baseline="middle", **words)
        self.squares = self.figure.scatter(
            "x", "y", source=self.keys, marker="square", size=13, fill_color="colour", line_color=None
        )

    def _add_tools(self) -> None:
        pan, wheel = PanTool(), WheelZoomTool(zoom_on_axis=False)
        hover = HoverTool(renderers=[self.dots], tooltips=TIP, point_policy="follow_mouse", limit=3)
        self.figure.add_tools(pan, wheel, hover)
        self.figure.toolbar.update(active_drag=pan, active_scroll=wheel, logo=None)
        if self._brushed is not None:
            box = BoxSelectTool(
                renderers=[], persistent=True, description="Brush: drag a box to list its hands"
            )
            self.figure.add_tools(box)
            self.figure.on_event(SelectionGeometry, self._on_box)
        self.figure.on_event(Tap, self._on_tap)

    def _dress(self) -> None:
        self.legend = Legend(items=[], location="top_left", label_text_font_size=FONT, spacing=0, padding=6)
        self.legend.update(
            glyph_height=17, glyph_width=17, background_fill_alpha=0.85, border_line_alpha=0.25
        )
        self.figure.add_layout(self.legend)
        self.count = self.figure.title
        self.count.update(text=" ", text_font_size=FONT, text_font_style="normal", text_color=MUTED)
        for axis in self.figure.axis:
            axis.update(axis_label_text_font_size=FONT, major_label_text_font_size="13px")
            axis.update(axis_label_text_font_style="normal", axis_label_text_color=INK, axis_label_standoff=4)
        self.figure.grid.grid_line_color = LIGHT.sunken

    # ---- orders --------------------------------------------------------------------------------------

    def show(self, scene: Scene) -> None:
        """Another street or other buckets: the picture follows at the next look."""
        self.scene = scene

    def zoom(self, across: Span, up: Span) -> None:
        """Look at a part of the plane."""
        self.figure.x_range.update(start=across[0], end=across[1])
        self.figure.y_range.update(start=up[0], end=up[1])

    def point_at(self, x: float, y: float, text: str) -> None:
        """Ring a hand; a hand outside the view brings the view to it."""
        self.mark.data = {"x": [x], "y": [y], "text": [text]}
        view = self.view()
        if not (view.across[0] < x < view.across[1] and view.up[0] < y < view.up[1]):
            wide, tall = view.across[1] - view.across[0], view.up[1] - view.up[0]
            self.zoom((x - wide / 2, x + wide / 2), (y - tall / 2, y + tall / 2))

    def nearest(self, x: float, y: float) -> int | None:
        """The hand next to a place in the view, if one is near."""
        if self.scene is None:
            return None
        view = self.view()
        wide, tall = view.across[1] - view.across[0], view.up[1] - view.up[0]
        return self.scene.cloud.nearest(x, y, wide, tall)

    def forget(self) -> None:
        self.mark.data = {"x": [], "y": [], "text": []}

    def view(self) -> View:
        """What the browser shows now."""
        plot = self.figure
        size = _pixels(plot, "inner_width", 560), _pixels(plot, "inner_height", 480)
        across = sorted((float(plot.x_range.start), float(plot.x_range.end)))
        up = sorted((float(plot.y_range.start), float(plot.y_range.end)))
        return View((across[0], max(across[1], across[0] + 1e-9)), (up[0], max(up[1], up[0] + 1e-9)), size)

    @property
    def settled(self) -> bool:
        """Whether the picture is that of the view and the scene."""
        fits = self.drawn is not None and self.drawn.view == self.view()
        return self._building is None and fits and self._shown_scene is self.scene

    def close(self) -> None:
        """The visitor has gone."""
        if self._building is not None:
            self._building.cancel()

    def look(self) -> None:
        """Called by the page's clock: put up a finished picture, order the next if the view changed."""
        if self._building is not None and self._building.done:
            made, self._building = self._building, None
            if made.error:
                raise RuntimeError(made.error)
            self._put_up(*made.result)
        if self._building is None and self.scene is not None and not self.settled:
            scene, view = self.scene, self.view()
            self._building = Task(lambda *_: (scene, draw(scene, view)))

    def _put_up(self, scene: Scene, drawn: Drawn) -> None:
        across, up, _ = drawn.view
        if drawn.image is None:
            self.image.data = {name: [] for name in self.image.data}
        else:
            self.image.data = {
                "image": [drawn.image],
                "x": [across[0]],
                "y": [up[0]],
                "dw": [across[1] - across[0]],
                "dh": [up[1] - up[0]],
            }
        near = drawn.image is None
        self.dots.glyph.update(fill_alpha=1.0 if near else 0.0, line_alpha=1.0 if near else 0.0)
        self.points.data = drawn.points
        words = "1 hand" if drawn.count == 1 else f"{drawn.count:,} hands"
        self.count.text = f"{words} in view" + ("" if near else "; zoom in to tell them apart")
        if scene is not self._shown_scene:
            self._relegend(scene)
        self.drawn, self._shown_scene, self.pictures = drawn, scene, self.pictures + 1

    def _relegend(self, scene: Scene) -> None:
        nowhere = [float("nan")] * len(scene.names)
        self.keys.data = {"x": nowhere, "y": nowhere, "colour": scene.colours}
        shown = range(0, len(scene.names), max(1, -(-len(scene.names) // 26)))
        items = [
            LegendItem(
                label=value(f"{scene.names[i]}   {100 * scene.shares[i]:.1f} %"),
                renderers=[self.squares],
                index=i,
            )
            for i in reversed(shown)
        ]
        curves = zip(("y = x", "y = x²"), reversed(self.curves), strict=True)
        items += [LegendItem(label=value(words), renderers=[curve]) for words, curve in curves]
        self.legend.update(items=items, ncols=1 if len(items) <= 15 else 2)

    # ---- what the visitor does -----------------------------------------------------------------------

    def _on_tap(self, event: Tap) -> None:
        if event.x is not None and event.y is not None:
            self._tapped(event.x, event.y)

    def _on_box(self, event: SelectionGeometry) -> None:
        box = event.geometry
        if event.final and box.get("type") == "rect" and self._brushed is not None:
            self._brushed(tuple(sorted((box["x0"], box["x1"]))), tuple(sorted((box["y0"], box["y1"]))))
