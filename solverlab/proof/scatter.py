"""All 1,286,792 flop hands on the Abstraction page: how long a visitor waits to see them, and for a zoom."""

from __future__ import annotations

import statistics
from time import monotonic
from typing import TYPE_CHECKING, Any

from solverlab.abstraction.strength import hand_strength
from solverlab.proof.verdict import Claim, Verdict
from solverlab.proof.visiting import browser_page, listening, server
from solverlab.store.home import home

if TYPE_CHECKING:
    from playwright.sync_api import Page

OPENING, ZOOMING = 5.0, 1.0
MODEL = "(name) => [...Bokeh.documents[0]._all_models.values()].find((model) => model.name === name)"
DRAWN = f"""() => {{
  const picture = window.Bokeh && Bokeh.documents.length && ({MODEL})("picture");
  return picture && picture.data.image && picture.data.image.length > 0
    && ({MODEL})("cloud").title.text.includes("1,286,792")
    && Bokeh.index.find_one_by_id(({MODEL})("cloud").id) !== null;
}}"""
# The title counts the hands in view: a picture with fewer is the picture of the zoom.
ZOOMED = f"""() => !({MODEL})("cloud").title.text.includes("1,286,792")"""
MIDDLE = f"""() => {{
  const view = Bokeh.index.find_one_by_id(({MODEL})("cloud").id), box = view.el.getBoundingClientRect();
  const frame = view.frame.bbox;
  return [box.left + frame.left + frame.width / 2, box.top + frame.top + frame.height / 2];
}}"""


def prove(quick: bool = False) -> Verdict:
    """The first visitor of a fresh server, then others; each waits for the whole picture and zooms in once.

    The tables are built before anybody looks. In a test one visitor, and wider limits, stand for five.
    """
    hand_strength("flop")
    with server(home()) as (address, _), browser_page() as page:
        listening(address)
        visits = [_visit(page, f"{address}/abstraction") for _ in range(1 if quick else 5)]
    opening, zooming = [statistics.median(row[name] for row in visits) for name in ("opened", "zoomed")]
    slack = 30.0 if quick else 1.0
    claims = [
        Claim("seconds until the first visitor sees every hand", visits[0]["opened"], slack * OPENING),
        Claim("seconds until a visitor sees every hand, median", opening, slack * OPENING),
        Claim("seconds for a zoom, median", zooming, slack * ZOOMING),
    ]
    return Verdict(claims, {"visits": visits})


def _visit(page: Page, address: str) -> dict[str, float]:
    began = monotonic()
    page.goto(address)
    page.wait_for_function(DRAWN, timeout=120_000)
    opened = monotonic() - began
    page.mouse.move(*page.evaluate(MIDDLE))
    began = monotonic()
    page.mouse.wheel(0, -300)
    page.wait_for_function(ZOOMED, timeout=120_000)
    return {"opened": opened, "zoomed": monotonic() - began}
