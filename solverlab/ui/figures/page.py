"""The Figures page: published figures, each with where it came from and a button that makes it again.

A figure is made beside the page, one figure at a time for all visitors; `tick` puts up what is finished. What
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
from solverlab.ui.figures.words import facts_html, picture_html, provenance_html, words_html
from solverlab.ui.look import BUTTON, CARD, GROUND, TEXT
from solverlab.ui.notice import Notice, sentence
from solverlab.ui.page import Page
from solverlab.ui.page_frame import BODY_HEIGHT, WIDE
from solverlab.ui.parts.task_bar import TaskBar
from solverlab.ui.settings import Settings
from solverlab.ui.tasks import Task
from solverlab.ui.tokens import css

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
        self.figure, self.began = figure, 0.0
        self.task: Task[object] | None = None
        self.kept: KeptFigure | None = None
        text = {"stylesheets": [TEXT, MARKS], **WIDE}
        self.picture = pn.pane.HTML("", css_classes=["picture"], **WIDE)
        self.missing = pn.pane.HTML(f"<p class='quiet'>{NOT_YET}</p>", **text)
        self.facts, self.provenance = pn.pane.HTML("", **text), pn.pane.HTML("", **text)
        self.notice = Notice()
        self.again = button("Reproduce", "Make it again from nothing but the rules of poker.", "primary")
        self.progress = TaskBar(self.close, "Stop this; the figure stays as it was.", inline=True)
        self.downloads = [self._download(label, *of) for label, of in DOWNLOADS.items()]
        self.again.on_click(lambda event: self.reproduce())
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
        if self.task is None:
            self.notice.clear()
            self.began = monotonic()
            self.task = Task(lambda report, cancel: reproduce(self.figure.name, None, report, cancel))
            self._show_progress()

    def tick(self) -> None:
        """Tell how far it is; put the new figure up when it is there."""
        if self.task is None:
            return
        if self.task.done:
            task, self.task = self.task, None
            if task.error:
                self.notice.say(sentence(task.error))
            else:
                before = self.kept
                self.show()
                self.notice.say(self._compared(before), "note")
        self._show_progress()

    def close(self) -> None:
        """Stop what is under way: the visitor has gone, or pressed Cancel."""
        if self.task is not None:
            self.task.cancel()

    def layout(self) -> pn.viewable.Viewable:
        words = pn.pane.HTML(words_html(self.figure), stylesheets=[TEXT, MARKS], **WIDE)
        buttons = pn.Row(self.again, *self.downloads, css_classes=["wrap"], **WIDE)
        left = pn.Column(self.picture, self.missing, self.progress.pane, self.notice.pane, buttons, **WIDE)
        right = pn.Column(words, self.facts, self.provenance, **WIDE)
        grid = CARD | {"display": "grid", "gap": "20px", "padding": "12px 16px", "align-items": "start"}
        grid |= {"grid-template-columns": "minmax(0, 1.55fr) minmax(0, 1fr)", "box-sizing": "border-box"}
        name = self.figure.name.replace(".", "-")
        return pn.Row(
            left,
            right,
            styles=grid,
            css_classes=["figure", "pair", name],
            **(WIDE | {"margin": (0, 0, 14, 0)}),
        )

    def _show_progress(self) -> None:
        self.again.disabled = self.task is not None
        self.progress.show(self.task)

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


class FiguresPage(Page[Settings]):
    """One visitor's page: a card for each figure."""

    period = 200

    def make_parts(self) -> None:
        self.cards = [self.owned(FigureCard(figure_named(name))) for name in FIGURES]

    def layout(self) -> pn.viewable.Viewable:
        """The page without the shell's header."""
        frame = {"overflow-y": "auto", "padding": "14px 18px", "box-sizing": "border-box"}
        frame |= {"background": css(GROUND), "display": "block", "height": BODY_HEIGHT}
        cards = [card.layout() for card in self.cards]
        return pn.Column(self.notice.pane, *cards, styles=frame, css_classes=["figures"], **WIDE)

    def tick(self) -> None:
        super().tick()
        for card in self.cards:
            card.tick()
