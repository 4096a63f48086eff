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

import panel as pn
import psutil
from panel.io.resources import LOCAL_DIST
from tornado.iostream import StreamClosedError
from tornado.websocket import WebSocketClosedError

from solverlab.core.errors import BadValue
from solverlab.ui.abstraction.page import AbstractionPage
from solverlab.ui.figures.page import FiguresPage
from solverlab.ui.grow.page import GrowPage
from solverlab.ui.home.help import help_html
from solverlab.ui.home.page import CARDS, Card, home_html
from solverlab.ui.keyboard import key_list
from solverlab.ui.lessons.door import ADDRESS as LESSON_ADDRESS
from solverlab.ui.lessons.door import LessonDoor
from solverlab.ui.look import TEXT
from solverlab.ui.lowball.page import LowballPage
from solverlab.ui.page import Page, Session
from solverlab.ui.pushfold.page import PushFoldPage
from solverlab.ui.skeleton.document import PRODUCT, Sheet, frame
from solverlab.ui.solve.page import SolvePage
from solverlab.ui.warm_bar import with_warm_bar
from solverlab.ui.warm_children import WarmStart
from solverlab.ui.warming import warm_up_beside

WELCOME = "See a poker solver think: step it, read its numbers, and check how far it is from perfect play."


@dataclass(frozen=True)
class Entry:
    """A page of the dashboard: its address, its name in the navigation, one sentence, and what it is."""

    slug: str
    title: str
    sentence: str
    page: type[Page]

    @property
    def keys(self) -> list[tuple[str, str]]:
        """What the list of keys says on this page."""
        return key_list(self.page.keys, self.page.key_words)


PAGES = [
    Entry("solve", "Solve", "Step CFR on small games and watch it approach equilibrium.", SolvePage),
    Entry("abstraction", "Abstraction", "Every hand by exact strength, in buckets.", AbstractionPage),
    Entry("push-fold", "Push/fold", "All in or fold: the Nash chart of short stacks.", PushFoldPage),
    Entry("two-to-seven", "2-to-7", "The ladder to single-draw lowball, rung by rung.", LowballPage),
    Entry("grow", "Grow", "Rebalance and expand strategy trees, and see whether it works.", GrowPage),
    Entry("figures", "Figures", "Published figures, made again here from the rules of poker.", FiguresPage),
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


def visit(page: Entry, seats: Seats, memory_cap: int, warm: WarmStart | None = None) -> pn.viewable.Viewable:
    """One visitor's page in its frame, or a sentence when all seats are taken."""
    _framed(Sheet(page.slug, page.title, page.sentence, page.keys))
    if not seats.take():
        return full_house(seats.most)
    pn.state.on_session_destroyed(lambda context: seats.leave())
    return with_warm_bar(page.page.open(Session(memory_cap, _query())), warm, page.slug)


def read_home() -> pn.viewable.Viewable:
    """Home: it computes nothing, so it needs no seat."""
    known = {card.slug for card in CARDS}
    others = [Card(page.slug, page.title, page.sentence, 5) for page in PAGES if page.slug not in known]
    _framed(Sheet("home", "Home", WELCOME, written=home_html(others)))
    return pn.Column(width=0, height=0, margin=0)


def read_help() -> pn.viewable.Viewable:
    """The guides."""
    _framed(Sheet("help", "Help", "The guides and the glossary.", written=help_html(_query())))
    return pn.Column(width=0, height=0, margin=0)


def _framed(sheet: Sheet) -> None:
    # Known before the page is built: otherwise a visit that begins with the websocket (the page was fetched
    # long before) would ask a server on the internet for style sheets.
    pn.state.curdoc.template_variables["dist_url"] = LOCAL_DIST
    frame(pn.state.curdoc, sheet, PAGES)


def _query() -> dict[str, str]:
    """The words of the address."""
    given = pn.state.session_args.items()
    words = {name: values[0].decode("utf-8", "replace") for name, values in given if values}
    words.pop("lesson", None)  # for the frame, which plays it; no page has a setting of that name
    return words


def full_house(most: int) -> pn.pane.HTML:
    """What the visitor reads for whom there is no seat."""
    words = (
        f"All {most} places on this server are taken. Try again in a minute, or ask whoever "
        "runs it to start it with a larger --max-sessions."
    )
    return pn.pane.HTML(f"<h2>{PRODUCT}</h2><p>{words}</p>", stylesheets=[TEXT], margin=40)


def applications(
    max_sessions: int = 30, memory_cap_mb: float = 256, warm: WarmStart | None = None
) -> dict[str, Callable]:
    """What to serve under which address; Home is at the root."""
    seats, cap = Seats(max_sessions), int(memory_cap_mb * 1e6)

    def factory(page: Entry) -> Callable[[], pn.viewable.Viewable]:
        return lambda: visit(page, seats, cap, warm)

    def root() -> pn.viewable.Viewable:  # links of before Home were links to the first page
        return visit(PAGES[0], seats, cap) if _query() else read_home()

    written = {"/": root, "home": read_home, "help": read_help}
    return written | {page.slug: factory(page) for page in PAGES}


def serve(
    port: int = 5006,
    address: str = "localhost",
    show: bool = True,
    max_sessions: int = 30,
    memory_cap_mb: float = 256,
    linger: float = 15.0,
    threaded: bool = False,
    warm: WarmStart | None = None,
) -> object:
    """Serve the dashboard until interrupted; a closed tab is forgotten after `linger` seconds.

    `warm` are child processes that compile ahead what first clicks need; the visited page comes first.
    """
    _check(port, address, max_sessions, memory_cap_mb)
    url = f"http://{'localhost' if address in ('', '0.0.0.0', '::') else address}:{port}/"
    keep_quiet_about_visitors_who_leave()
    print(f"{PRODUCT} is at {url} (stop it with Ctrl+C)", flush=True)
    warm_up_beside()
    if show:
        threading.Timer(1.0, _open_browser, [url]).start()
    return pn.serve(
        applications(max_sessions, memory_cap_mb, warm),
        port=port,
        address=address,
        websocket_origin=origins(address, port),
        title=PRODUCT,
        show=False,
        verbose=False,
        liveness=True,
        extra_patterns=[(LESSON_ADDRESS, LessonDoor)],
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
    if record.exc_info and isinstance(record.exc_info[1], WebSocketClosedError | StreamClosedError):
        return False
    return "connection was closed" not in record.getMessage()


def keep_quiet_about_visitors_who_leave() -> None:
    """Nothing on the server's screen when a tab is closed in the middle of a run."""
    for name in ("asyncio", "bokeh.server.views.ws", "tornado.application"):
        logging.getLogger(name).addFilter(_worth_a_line)


def _open_browser(url: str) -> None:
    """Open a browser where there is one; the printed address is always enough."""
    try:
        webbrowser.open(url)
    except Exception:  # a machine without a browser is no reason to stop serving
        return
