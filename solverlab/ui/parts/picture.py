"""Buttons that save plots as they are on the screen, drawn by Bokeh itself in the browser: PNG or SVG."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

import panel as pn
from bokeh.plotting import figure

from solverlab.ui.buttons import button

SAVE = """
const save = (blob) => {
  const link = document.createElement("a");
  Object.assign(link, { href: URL.createObjectURL(blob), download: file });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};
const pieces = plots.map((plot) => Bokeh.index.find_one_by_id(plot.id).export(kind, true));
if (kind === "svg") save(new Blob([pieces[0].ctx.get_serialized_svg(true)], { type: "image/svg+xml" }));
else {
  // A sheet of rows, `across` plots each.
  const rows = [];
  pieces.forEach((piece, k) => (rows[Math.floor(k / across)] ??= []).push(piece.canvas));
  const wide = (row) => row.reduce((sum, canvas) => sum + canvas.width, 0);
  const tall = (row) => Math.max(...row.map((canvas) => canvas.height));
  const sheet = document.createElement("canvas");
  sheet.width = Math.max(...rows.map(wide));
  sheet.height = rows.reduce((sum, row) => sum + tall(row), 0);
  const pen = sheet.getContext("2d");
  pen.fillStyle = "white";
  pen.fillRect(0, 0, sheet.width, sheet.height);
  let y = 0;
  for (const row of rows) {
    row.reduce((x, canvas) => (pen.drawImage(canvas, x, y), x + canvas.width), 0);
    y += tall(row);
  }
  sheet.toBlob(save);
}
"""


def picture_button(
    label: str, help: str, plots: Sequence[figure], file: str, across: int = 2, **look: object
) -> pn.widgets.Button:
    """A button that saves plots under the name of `file`: one as SVG, or several as PNG, `across` in a row.

    Nothing is asked of the server, and no driver of a browser: the page draws its own plots once more.
    """
    made = button(label, help, **look)
    kind = PurePath(file).suffix[1:]
    made.js_on_click(args={"plots": list(plots), "file": file, "kind": kind, "across": across}, code=SAVE)
    return made
