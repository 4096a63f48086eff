"""Reading a drawn tree off the page: where its marks are, how large its texts, whether boxes overlap."""

from __future__ import annotations

from threading import Event

import numpy as np
import panel as pn
from browser.conftest import PATIENCE
from playwright.sync_api import Page


def settle(page: Page) -> None:
    """Let two frames pass: the tree draws in the frame after a change."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def stands() -> Event:
    """Set once the page being built stands: what Python changes before may never reach it."""
    event = Event()
    pn.state.onload(event.set)
    return event


def until(page: Page, condition, what: str) -> None:
    """Wait for Python's side; Playwright delivers events only inside its own calls."""
    for _ in range(PATIENCE // 50):
        if condition():
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"did not happen: {what}")


def transform(page: Page) -> str:
    return page.locator(".sl-tree .world").get_attribute("transform")


def centre(page: Page, node: int) -> tuple[float, float]:
    """Where the marker of a node is on the screen."""
    box = page.locator(f'[data-node="{node}"] > :first-child').bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def boxes(page: Page, selector: str) -> np.ndarray:
    """left, top, right, bottom of every shown mark that lies in the view, float64[n, 4]."""
    script = """(selector) => {
      const root = Bokeh.index.roots[0].shadow_el, found = [...root.querySelectorAll(selector)];
      const rects = found.filter((e) => e.getClientRects().length).map((e) => e.getBoundingClientRect());
      return rects.map((r) => [r.left, r.top, r.right, r.bottom]);
    }"""
    return np.array(page.evaluate(script, selector), float).reshape(-1, 4)


def font_sizes(page: Page) -> list[float]:
    """Pixels on the screen of every text shown in the tree and around it."""
    script = """() => {
      const root = Bokeh.index.roots[0].shadow_el;
      const all = [...root.querySelectorAll('.sl-tree text, .sl-tree button, .sl-tree div')];
      const scale = (e) => (e.getScreenCTM ? e.getScreenCTM().d : 1);
      const size = (e) => parseFloat(getComputedStyle(e).fontSize) * scale(e);
      return all.filter((e) => e.getClientRects().length && e.textContent).map(size);
    }"""
    return page.evaluate(script)


def stage(page: Page) -> np.ndarray:
    return boxes(page, ".sl-tree-stage")[0]


def inside(marks: np.ndarray, view: np.ndarray) -> np.ndarray:
    return (marks[:, :2] >= view[:2] - 0.5).all(1) & (marks[:, 2:] <= view[2:] + 0.5).all(1)


def overlaps(marks: np.ndarray) -> int:
    """How many pairs of boxes share more than half a pixel each way."""
    low = np.maximum(marks[:, None, :2], marks[None, :, :2])
    high = np.minimum(marks[:, None, 2:], marks[None, :, 2:])
    return int(np.triu(((high - low) > 0.5).all(-1), 1).sum())
