"""The house around the pages: header, navigation, seats for visitors, and the server.

A page joins by one line in `PAGES`.
"""

from __future__ import annotations

import logging
import socket
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

import panel as pn
import psutil
from panel.io.resources import LOCAL_DIST
from tornado.websocket import WebSocketClosedError

from solverlab.core.errors import BadValue
from solverlab.ui.abstraction.page import abstraction_page
from solverlab.ui.figures.page import figures_page
from solverlab.ui.grow.page import grow_page
from solverlab.ui.look import HEADER, INK, PAGE, TEXT
from solverlab.ui.lowball.page import lowball_page
from solverlab.ui.page_frame import ticking
from solverlab.ui.pushfold.page import pushfold_page
from solverlab.ui.solve.page import SolvePage
from solverlab.ui.solve.settings import Settings

PERIOD = 200  # milliseconds between two looks at the solver
PRODUCT = "solverlab"


@dataclass(frozen=True)
class Visit:
    """What a page may use: its share of memory, and the words of the address."""

    memory_cap: int
    query: dict[str, str]


@dataclass(frozen=True)
class Page:
    """A page of the dashboard: its address, its name in the navigation, one sentence, and what builds it."""

    slug: str
    title: str
    sentence: str
    build: Callable[[Visit], pn.viewable.Viewable]


def solve_page(visit: Visit) -> pn.viewable.Viewable:
    """The Solve page with its pulling clock; it ends with the visit."""
    page = SolvePage(*Settings.from_query(visit.query), memory_cap=visit.memory_cap)
    return ticking(page, PERIOD)


PAGES = [
    Page("solve", "Solve", "Step CFR on small games and watch it approach equilibrium.", solve_page),
    Page("abstraction", "Abstraction", "Every hand by exact strength, in buckets.", abstraction_page),
    Page("push-fold", "Push/fold", "All in or fold: the Nash chart of short stacks.", pushfold_page),
    Page("two-to-seven", "2-to-7", "The ladder to single-draw lowball, rung by rung.", lowball_page),
    Page("grow", "Grow", "Rebalance and expand strategy trees, and see whether it works.", grow_page),
    Page("figures", "Figures", "Published figures, made again here from the rules of poker.", figures_page),
]


class Seats:
    """At most so many visitors at once."""

    def __init__(self, most: int):
        self.most, self.taken = most, 0
        self._lock = threading.Lock()

    def take(self) -> bool:
        """Whether there was a free seat; it is taken now."""
        with self._lock:
            free = self.taken < self.most
            self.taken += free
            return free

    def leave(self) -> None:
        with self._lock:
            self.taken -= 1


def session(page: Page, seats: Seats, memory_cap: int) -> pn.viewable.Viewable:
    """One visitor's page with its header, or a sentence when all seats are taken."""
    pn.config.raw_css = [PAGE]
    # Known before the page is built: otherwise a visit that begins with the websocket (the page was fetched
    # long before) would ask a server on the internet for style sheets.
    pn.state.curdoc.template_variables["dist_url"] = LOCAL_DIST
    if not seats.take():
        return full_house(seats.most)
    pn.state.on_session_destroyed(lambda context: seats.leave())
    query = {
        name: values[0].decode("utf-8", "replace") for name, values in pn.state.session_args.items() if values
    }
    body = page.build(Visit(memory_cap, query))
    return pn.Column(header(page), body, sizing_mode="stretch_both", margin=0)


def header(current: Page) -> pn.pane.HTML:
    """The product's name and the way to every page."""
    links = "".join(
        f"<a href='{page.slug}' title='{escape(page.sentence)}'"
        f"{' aria-current=page' * (page == current)}>{page.title}</a>"
        for page in PAGES
    )
    html = f"<nav aria-label='Pages'><b>{PRODUCT}</b>{links}<span>{escape(current.sentence)}</span></nav>"
    return pn.pane.HTML(html, stylesheets=[HEADER], sizing_mode="stretch_width", height=44, margin=0)


def full_house(most: int) -> pn.pane.HTML:
    """What the visitor reads for whom there is no seat."""
    words = (
        f"All {most} places on this server are taken. Try again in a minute, or ask whoever "
        "runs it to start it with a larger --max-sessions."
    )
    return pn.pane.HTML(
        f"<h2>{PRODUCT}</h2><p>{words}</p>", stylesheets=[TEXT], margin=40, styles={"color": INK}
    )


def applications(max_sessions: int = 30, memory_cap_mb: float = 256) -> dict[str, Callable]:
    """What to serve under which address; the first page is also at the root."""
    seats, cap = Seats(max_sessions), int(memory_cap_mb * 1e6)

    def factory(page: Page) -> Callable[[], pn.viewable.Viewable]:
        return lambda: session(page, seats, cap)

    return {"/": factory(PAGES[0]), **{page.slug: factory(page) for page in PAGES}}


def serve(
    port: int = 5006,
    address: str = "localhost",
    show: bool = True,
    max_sessions: int = 30,
    memory_cap_mb: float = 256,
    linger: float = 15.0,
    threaded: bool = False,
) -> object:
    """Serve the dashboard until interrupted; a closed tab is forgotten after `linger` seconds."""
    _check(port, address, max_sessions, memory_cap_mb)
    url = f"http://{'localhost' if address in ('', '0.0.0.0', '::') else address}:{port}/"
    logging.getLogger("asyncio").addFilter(_worth_a_line)
    print(f"{PRODUCT} is at {url} (stop it with Ctrl+C)", flush=True)
    if show:
        threading.Timer(1.0, _open_browser, [url]).start()
    return pn.serve(
        applications(max_sessions, memory_cap_mb),
        port=port,
        address=address,
        websocket_origin=origins(address, port),
        title=PRODUCT,
        show=False,
        verbose=False,
        liveness=True,
        threaded=threaded,
        unused_session_lifetime_milliseconds=int(linger * 1000),
        check_unused_sessions_milliseconds=1000,
    )


def origins(address: str, port: int) -> list[str]:
    """The addresses a browser may have typed to come here; a page of another server is refused."""
    hosts = {"localhost", "127.0.0.1", address}
    if address in ("", "0.0.0.0", "::"):
        hosts |= {socket.gethostname(), socket.getfqdn()}
        hosts |= {
            entry.address
            for entries in psutil.net_if_addrs().values()
            for entry in entries
            if entry.family == socket.AF_INET
        }
    return sorted(f"{host}:{port}" for host in hosts if host)


def _check(port: int, address: str, max_sessions: int, memory_cap_mb: float) -> None:
    if not 1 <= port <= 65535:
        raise BadValue(f"port {port} does not exist; choose one from 1 to 65535")
    if max_sessions < 1:
        raise BadValue(f"{max_sessions} sessions is a closed house; allow at least 1")
    if not memory_cap_mb > 0:
        raise BadValue(f"a memory cap of {memory_cap_mb} MB leaves no room; allow some, such as 256")
    with socket.socket() as probe:
        try:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((address or "", port))
        except OSError as problem:
            raise BadValue(
                f"cannot listen at {address}:{port} ({problem.strerror}); choose another --port"
            ) from None


def _worth_a_line(record: logging.LogRecord) -> bool:
    """A visitor who leaves while something is on its way to the page is no fault of the server's."""
    return not (record.exc_info and isinstance(record.exc_info[1], WebSocketClosedError))


def _open_browser(url: str) -> None:
    """Open a browser where there is one; the printed address is always enough."""
    try:
        webbrowser.open(url)
    except Exception:  # a machine without a browser is no reason to stop serving
        return
