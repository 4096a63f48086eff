"""The Solve page runs five minutes without growing: memory of server and page, and frames a second."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import psutil

from solverlab.proof.verdict import Claim, Verdict
from solverlab.proof.visiting import browser_page, server, visit
from solverlab.proof.weighing import Row, least, longest_gap, watch

if TYPE_CHECKING:
    from playwright.sync_api import Page

GROWTH, FRAME_SECONDS, GAP_SECONDS = 0.05, 0.25, 20.0
# A frame is a new score above the plots.
COUNT_FRAMES = """() => {
  const models = [...Bokeh.documents[0]._all_models.values()];
  const score = models.find((model) => model.css_classes?.includes("score-line"));
  window.framesSeen = 0;
  score.properties.text.change.connect(() => { window.framesSeen += 1; });
}"""
POINTS = """() => [...Bokeh.documents[0]._all_models.values()]
  .find((model) => model.name === "average-0").length"""


def prove(quick: bool = False) -> Verdict:
    """Run CFR+ on Leduc as fast as it goes, with every pane drawn, and weigh both sides every few seconds.

    Compared are the smallest sizes, that is without garbage, around minute 1 (the first fifth) and minute 5
    (the last fifth); in a test 15 seconds and a wider limit stand for five minutes.
    """
    seconds, growth = (15.0, 0.5) if quick else (300.0, GROWTH)
    with server() as (address, process), browser_page() as page:
        visit(page, f"{address}/solve?game=leduc&to=10")
        page.locator(".microscope-pane table").wait_for(timeout=90_000)
        rows = _watch(page, psutil.Process(process.pid), seconds)
    early, late = least(rows, 0.1 * seconds, 0.3 * seconds), least(rows, 0.8 * seconds, 2 * seconds)
    grown = {name: late[name] / early[name] - 1 for name in ("server_mb", "page_mb")}
    frame = rows[-1]["second"] / max(rows[-1]["frames"], 1)
    claims = [
        Claim("growth of the server's memory from the first fifth to the end", grown["server_mb"], growth),
        Claim("growth of the page's memory from the first fifth to the end", grown["page_mb"], growth),
        Claim("seconds a frame", frame, 2.0 if quick else FRAME_SECONDS),
        # On a starved machine there are too few samples to compare, and then nothing is shown.
        Claim("longest time without a sample, in seconds", longest_gap(rows), 10.0 if quick else GAP_SECONDS),
    ]
    return Verdict(claims, {"seconds watched": seconds, "early": early, "late": late, "samples": rows})


def _watch(page: Page, server: psutil.Process, seconds: float) -> list[Row]:
    """Press Run and weigh both sides until the time is over."""
    page.evaluate(COUNT_FRAMES)
    page.keyboard.press(" ")

    def look() -> Row:
        return {"frames": page.evaluate("() => window.framesSeen"), "points": page.evaluate(POINTS)}

    rows = watch(page, server, seconds, look)
    page.keyboard.press(" ")
    return rows
