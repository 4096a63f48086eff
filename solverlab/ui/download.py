"""A button that hands out a text file made when it is pressed."""

from __future__ import annotations

import io
from collections.abc import Callable

import panel as pn

from solverlab.core.errors import SolverlabError
from solverlab.core.rows import Setting
from solverlab.ui.look import BUTTON


def text_download(
    label: str,
    filename: str,
    make: Callable[[], str],
    help: str,
    complain: Callable[[object], None],
    **look: Setting,
) -> pn.widgets.FileDownload:
    """What `make` returns becomes the file; what goes wrong is told to `complain`, and the file is empty."""

    def content() -> io.BytesIO:
        try:
            return io.BytesIO(make().encode())
        except SolverlabError as problem:
            complain(problem)
            return io.BytesIO()

    return pn.widgets.FileDownload(
        callback=content, filename=filename, label=label, description=help, auto=True, embed=False,
        sizing_mode="stretch_width", margin=(3, 3), stylesheets=[BUTTON], **look,
    )  # fmt: skip
