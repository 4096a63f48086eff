"""The Grow page plays five minutes of six-handed hold'em: trees grow before one's eyes, memory with them."""

from __future__ import annotations

import re
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

import psutil

from solverlab.core.rows import Row
from solverlab.cards.strength_tables import strength_tables
from solverlab.cards.table_cache import cache_folder
from solverlab.proof.verdict import Claim, Verdict
from solverlab.proof.visiting import PATIENCE, browser_page, server, visit
from solverlab.proof.weighing import MB, Row, least, longest_gap, watch

if TYPE_CHECKING:
    from playwright.sync_api import Page

FRAME_SECONDS, FACTOR, GROWTHS, ANSWER, BEGIN = 0.2, 20.0, 20, 5.0, 30.0
# What a node of the forest may take on the server. Columns of the forest, twice as long as they need to be:
# 64 bytes; sums, totals and the strategy before: 56; which are whose, and ranges of deals: 40; the reason of
# its growth: 80; its row in the book of drawn nodes, with its key: 300; its numbers in the frames and on the
# way to the page: 260; numbers made for one look and thrown away: 200.
NODE_BYTES = 1000
# States to go back to may fill a quarter of a visitor's 256 MB, whenever that happens.
TIMELINE_MB = 64.0
# The first flop opens the tables of hand strength; beside these files it makes numbers of 69 MB, once.
FLOP_MB, TABLES_MB = 75.0, 100.0
# The rest: rows of the plots (4,000 of 1.5 kB), the room of a sweep (10 kB a node of the largest tree), and
# what an allocator keeps.
SERVER_REST_MB = 40.0
PAGE_NODE_BYTES, PAGE_REST_MB = 2000, 6.0

# Every animation frame wipes the upper canvas; one that paints the tree anew wipes the lower one, too.
COUNT_PAINTINGS = """(() => {
  const wipe = CanvasRenderingContext2D.prototype.clearRect;
  window.paintings = { animated: 0, tree: 0 };
  CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    const stage = this.canvas.parentElement;
    if (stage?.classList.contains("sl-forest-stage"))
      window.paintings[this.canvas === stage.firstElementChild ? "tree" : "animated"] += 1;
    return wipe.apply(this, box);
  };
})()"""
COUNT_MOMENTS = """(tree) => {
  window.seen = { moments: 0, growths: 0 };
  let size = Number(tree.dataset.size), words = "";
  new MutationObserver(() => {
    const told = tree.querySelector(".sl-forest-count").textContent, now = Number(tree.dataset.size);
    window.seen.moments += told !== words;
    window.seen.growths += now > size;
    [words, size] = [told, now];
  }).observe(tree, { attributes: true, attributeFilter: ["data-frames"] });
}"""
LOOK = """(tree) => ({ drawn: Number(tree.dataset.size), data_frames: Number(tree.dataset.frames),
  tree_paintings: window.paintings.tree, animation_frames: window.paintings.animated, ...window.seen })"""

FIRST_HAND = "(tree) => tree.spotOf(6)"  # after the rows of six seats: the first hand that grew


class Sizes(NamedTuple):
    """How long to watch, the first part of it in which growth is judged, and how patient to be."""

    seconds: float
    first: float
    samples: int
    slack: float


FULL, QUICK = Sizes(300.0, 60.0, 60, 1.0), Sizes(15.0, 12.0, 15, 20.0)


def prove(quick: bool = False) -> Verdict:
    """Press Play, watch, pause, go back, branch, look at a node.

    The tables of hand strength are built before anybody looks. In a test 15 seconds on a page that samples
    less, and wider limits, stand for five minutes.
    """
    sizes = QUICK if quick else FULL
    if not quick:
        strength_tables().array("flop_sums")
    # The server's folder is where this process keeps its tables.
    with server(cache_folder().parent) as (address, process), browser_page() as page:
        page.set_default_timeout(1000 * PATIENCE)
        page.add_init_script(COUNT_PAINTINGS)
        visit(page, f"{address}/grow{'?deals=20&sweeps=2' if quick else ''}")
        told, rows = _play(page, psutil.Process(process.pid), sizes)
        told |= _touch(page)
    claims = [*_eye(rows, told, sizes), *_memory(rows, sizes), *_hands(told, sizes)]
    return Verdict(claims, {"seconds watched": sizes.seconds, **told, "samples": rows})


# ---- what happens ------------------------------------------------------------------------------------------


def _play(page: Page, process: psutil.Process, sizes: Sizes) -> tuple[Row, list[Row]]:
    """Space, and the scales once the first sweep is seen; the page itself stops at its largest forest."""
    tree = page.locator(".sl-forest")
    tree.wait_for()
    _waited(page, lambda: (tree.get_attribute("data-size") or "") > "", PATIENCE)
    tree.evaluate(COUNT_MOMENTS)
    first = tree.evaluate(LOOK)
    page.keyboard.press(" ")
    begin = _waited(page, lambda: tree.evaluate(LOOK)["moments"] > 0, BEGIN * sizes.slack + 1)
    zero = tree.evaluate(LOOK)

    def look() -> Row:
        now = tree.evaluate(LOOK)
        return {**now, "nodes": _told(page, "nodes"), "sweep": _told(page, "sweep")}

    rows = watch(page, process, sizes.seconds, look, sizes.samples)
    counts = ("data_frames", "tree_paintings", "animation_frames", "moments", "growths")
    for row in rows:
        row.update({name: row[name] - zero[name] for name in counts})
    return {"seconds from Play to the first sweep": begin, "drawn at first": first["drawn"]}, rows


def _touch(page: Page) -> Row:
    """Pause, one moment back, another way, a node: seconds until each is answered (60: it was not)."""
    told, tree = {}, page.locator(".sl-forest")
    if page.get_by_role("button", name="❚❚ Pause").count():
        page.keyboard.press(" ")
    paused = lambda: page.get_by_role("button", name="▶ Play").count() > 0  # noqa: E731
    told["pause"] = _waited(page, lambda: paused() and _rests(page))
    page.wait_for_timeout(2000)  # on a busy machine the sweep in flight ends later
    newest = _moment(page)
    page.keyboard.press("[")
    told["back"] = _waited(page, lambda: _moment(page) < newest)
    page.keyboard.press("n")
    told["branch"] = _waited(page, lambda: page.locator("option", has_text="run 2").count() > 0)
    _waited(page, lambda: tree.evaluate(FIRST_HAND) is not None)
    page.wait_for_timeout(1000)  # the tree has come to its place
    node = page.locator(".grow-node", has_text="Growth:")
    page.mouse.click(*tree.evaluate(FIRST_HAND))
    told["look at a node"] = _waited(page, lambda: node.count() > 0)
    return {f"seconds to {name}": seconds for name, seconds in told.items()}


def _moment(page: Page) -> tuple[float, float]:
    """Where the trees are: a growth is a moment of its own."""
    return _told(page, "epoch"), _told(page, "sweep")


def _rests(page: Page) -> bool:
    """Whether nothing moved for half a second."""
    before = _moment(page)
    page.wait_for_timeout(500)
    return _moment(page) == before


def _waited(page: Page, true: Callable[[], bool], patience: float = 60.0) -> float:
    began = monotonic()
    while monotonic() - began < patience and not true():
        page.wait_for_timeout(30)
    return monotonic() - began


def _told(page: Page, name: str) -> float:
    """A number of the line above the tree."""
    found = re.search(rf"{name}\s*([\d,]+)", page.locator(".grow-score .score").inner_text())
    return float(found[1].replace(",", "")) if found else -1.0


# ---- what is claimed ---------------------------------------------------------------------------------------


def _eye(rows: list[Row], told: Row, sizes: Sizes) -> list[Claim]:
    """It grows visibly: frames are moments with new numbers or, if these are few, paintings of the tree."""
    early = ([row for row in rows if row["second"] <= sizes.first] or rows[:1])[-1]
    pace = {name: early["second"] / max(early[name], 1) for name in ("moments", "tree_paintings")}
    told |= {f"seconds a frame, by {name.replace('_', ' ')}": seconds for name, seconds in pace.items()}
    limit = FRAME_SECONDS * sizes.slack
    fast = pace["moments"] <= limit
    seen = "seconds a frame, each with new numbers"
    if not fast:
        seen = "seconds a frame of the tree, new numbers or nodes gliding to their places"
    slack = 1.0 / sizes.slack
    return [
        Claim(seen, pace["moments" if fast else "tree_paintings"], limit),
        Claim(
            "nodes drawn after the first minute, short of twenty times those at first by",
            FACTOR * slack * told["drawn at first"] + 1 - early["drawn"],
            0,
        ),
        Claim("growths seen in the first minute, short of twenty by", GROWTHS * slack - early["growths"], 0),
    ]


def _memory(rows: list[Row], sizes: Sizes) -> list[Claim]:
    """From minute 1 to minute 5, the smallest sizes around each: what more is there than the forest's own."""
    early = least(rows, 0.1 * sizes.seconds, 0.3 * sizes.seconds)
    late = least(rows, 0.8 * sizes.seconds, 2 * sizes.seconds)
    grown = {name: late[name] - early[name] for name in early}
    flop = grown["server_mb"] - grown["own_mb"] > TABLES_MB
    own = grown["nodes"] * NODE_BYTES / MB + TIMELINE_MB + FLOP_MB * flop
    page = grown["drawn"] * PAGE_NODE_BYTES / MB
    wide = 5.0 if sizes is QUICK else 1.0
    return [
        Claim(
            "MB the server grew by, beyond 1 kB a node, 64 of kept states and what the first flop needs",
            grown["own_mb"] - own,
            SERVER_REST_MB * wide,
        ),
        Claim("MB the page grew by, beyond 2 kB a drawn node", grown["page_mb"] - page, PAGE_REST_MB * wide),
        Claim(
            "longest time without a sample, in seconds", longest_gap(rows), 20.0 * (1 if sizes is FULL else 2)
        ),
    ]


def _hands(told: Row, sizes: Sizes) -> list[Claim]:
    limits = {name: ANSWER for name in told if name.startswith("seconds to ")}
    limits["seconds from Play to the first sweep"] = BEGIN
    most = 59.0 if sizes is QUICK else ANSWER
    return [Claim(name, told[name], max(most, limit)) for name, limit in limits.items()]
