"""The Figures page: published figures, each with where it came from and a button that makes it again.

Making happens beside the page, one figure at a time for all visitors; `tick` puts up what is finished. What
was made is kept in the user's folder, so that a figure is there the next time the page opens.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from time import monotonic

import panel as pn

from solverlab.figures import FIGURES, PublishedFigure, figure_named
from solverlab.figures.kept import KeptFigure, kept_figure, reproduce
from solverlab.ui.buttons import button
from solverlab.ui.desk import Job
from solverlab.ui.figures.words import facts_html, picture_html, provenance_html, words_html
from solverlab.ui.look import BUTTON, CARD, GROUND, TEXT
from solverlab.ui.notice import Notice, sentence

PERIOD = 200  # milliseconds between two looks
HEADER_HEIGHT = 44
WIDE = {"sizing_mode": "stretch_width", "margin": 0}
NOT_YET = (
    "Not kept on this server yet. Press Reproduce: seconds, and some ten more if hand strength is not built."
)
DOWNLOADS = {  # label: ending, what it is
    "PNG": ("png", "The picture for slides."),
    "SVG": ("svg", "The picture for papers, sharp at any size."),
    "Data (zip)": ("zip", "Every number in it as CSV, and its provenance as JSON."),
}
MARKS = """
:host { line-height: 1.35; }
th { font-weight: 400; vertical-align: top; width: 34%; }
td { white-space: normal; }
summary { cursor: pointer; font-weight: 600; padding: 3px 0; }
code { font-size: 13px; overflow-wrap: anywhere; }
"""


class FigureCard:
    """One figure: picture, words, facts, provenance, downloads, and the button that makes it anew."""

    def __init__(self, figure: PublishedFigure):
        self.figure, self.job, self.began = figure, None, 0.0
        self.kept: KeptFigure | None = None
        text = {"stylesheets": [TEXT, MARKS], **WIDE}
        self.picture = pn.pane.HTML("", css_classes=["picture"], **WIDE)
        self.missing = pn.pane.HTML(f"<p class='quiet'>{NOT_YET}</p>", **text)
        self.facts, self.provenance = pn.pane.HTML("", **text), pn.pane.HTML("", **text)
        self.notice = Notice()
        self.again = button("Reproduce", "Make it again from nothing but the rules of poker.", "primary")
        self.stop = button("Cancel", "Stop this; the figure stays as it was.", visible=False)
        self.bar = pn.indicators.Progress(value=0, max=100, visible=False, height=18, **WIDE)
        self.doing = pn.pane.HTML("", visible=False, **text)
        self.downloads = [self._download(label, *of) for label, of in DOWNLOADS.items()]
        self.again.on_click(lambda event: self.reproduce())
        self.stop.on_click(lambda event: self.job is not None and self.job.cancel())
        self.show()

    def show(self) -> None:
        """Put up what is on disk."""
        self.kept = kept_figure(self.figure.name)
        self.picture.object = picture_html(self.figure, self.kept.bytes("png")) if self.kept else ""
        self.missing.visible = self.kept is None
        self.facts.object = facts_html(self.kept.provenance["facts"]) if self.kept else ""
        self.provenance.object = provenance_html(self.kept.provenance) if self.kept else ""
        for download in self.downloads:
            download.disabled = self.kept is None

    def reproduce(self) -> None:
        """Make the figure in a thread of its own."""
        if self.job is None:
            self.notice.clear()
            self.began = monotonic()
            self.job = Job(lambda report, cancel: reproduce(self.figure.name, None, report, cancel))
            self._show_progress()

    def tick(self) -> None:
        """Tell how far it is; put the new figure up when it is there."""
        if self.job is None:
            return
        if self.job.done:
            job, self.job = self.job, None
            if job.error:
                self.notice.say(sentence(job.error))
            else:
                before = self.kept
                self.show()
                self.notice.say(self._compared(before), "note")
        self._show_progress()

    def close(self) -> None:
        """The visitor has gone."""
        if self.job is not None:
            self.job.cancel()

    def layout(self) -> pn.viewable.Viewable:
        words = pn.pane.HTML(words_html(self.figure), stylesheets=[TEXT, MARKS], **WIDE)
        buttons = pn.Row(self.again, self.stop, *self.downloads, **WIDE)
        left = pn.Column(self.picture, self.missing, self.doing, self.bar, self.notice.pane, buttons, **WIDE)
        right = pn.Column(words, self.facts, self.provenance, **WIDE)
        grid = CARD | {"display": "grid", "gap": "20px", "padding": "12px 16px", "align-items": "start"}
        grid |= {"grid-template-columns": "minmax(0, 1.55fr) minmax(0, 1fr)", "box-sizing": "border-box"}
        name = self.figure.name.replace(".", "-")
        return pn.Row(
            left, right, styles=grid, css_classes=["figure", name], **(WIDE | {"margin": (0, 0, 14, 0)})
        )

    def _show_progress(self) -> None:
        job = self.job
        self.again.disabled = job is not None
        self.stop.visible = self.bar.visible = self.doing.visible = job is not None
        if job is not None:
            self.bar.value = int(100 * job.done_share)
            self.doing.object = f"<small>{job.words or 'starting'} ...</small>"

    def _compared(self, before: KeptFigure | None) -> str:
        took = f"Made in {monotonic() - self.began:.1f} s"
        if before is None or self.kept is None:
            return f"{took}."
        same = before.tables() == self.kept.tables()
        return f"{took}; its data {'are the same to the last byte' if same else 'differ'}."

    def _download(self, label: str, ending: str, help: str) -> pn.widgets.FileDownload:
        return pn.widgets.FileDownload(
            callback=self._content(ending), filename=f"{self.figure.name}.{ending}", label=label,
            description=help, auto=True, embed=False, stylesheets=[BUTTON], margin=(3, 3),
            sizing_mode="stretch_width",
        )  # fmt: skip

    def _content(self, ending: str) -> Callable[[], io.BytesIO]:
        def content() -> io.BytesIO:
            try:
                return io.BytesIO(self.kept.data() if ending == "zip" else self.kept.bytes(ending))
            except OSError:
                self.notice.say("The files of this figure are gone; press Reproduce to make them again.")
                return io.BytesIO()

        return content


class FiguresPage:
    """One visitor's page; `tick` is called five times a second, `close` when the visitor has gone."""

    def __init__(self) -> None:
        self.cards = [FigureCard(figure_named(name)) for name in FIGURES]

    def layout(self) -> pn.viewable.Viewable:
        """The page without the shell's header."""
        frame = {
            "overflow-y": "auto",
            "padding": "14px 18px",
            "box-sizing": "border-box",
            "background": GROUND,
        }
        frame |= {"display": "block", "height": f"calc(100vh - {HEADER_HEIGHT}px)"}
        return pn.Column(
            *[card.layout() for card in self.cards], styles=frame, css_classes=["figures"], **WIDE
        )

    def tick(self) -> None:
        for card in self.cards:
            card.tick()

    def close(self) -> None:
        for card in self.cards:
            card.close()


def figures_page(visit: object = None) -> pn.viewable.Viewable:
    """The Figures page with its pulling clock; it ends with the visit."""
    page = FiguresPage()

    async def tick() -> None:  # async: on the event loop, with the document's lock
        page.tick()

    layout = page.layout()
    pn.state.add_periodic_callback(tick, period=PERIOD)
    pn.state.on_session_destroyed(lambda context: page.close())
    return layout
