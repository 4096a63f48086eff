"""Sentences for people: what went wrong, or what is being waited for."""

from __future__ import annotations

from html import escape

import panel as pn

from solverlab.ui.look import TEXT


def sentence(problem: object) -> str:
    """An error as a sentence.

    >>> sentence(ValueError("there is no hand 'Qs'"))
    "There is no hand 'Qs'."
    """
    text = str(problem).strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


class Notice:
    """One line above the plots; it stays until the next thing a visitor does."""

    def __init__(self) -> None:
        self.pane = pn.pane.HTML("", visible=False, sizing_mode="stretch_width", margin=0, stylesheets=[TEXT])
        self.pane.css_classes = ["notice"]
        self.text = ""

    def say(self, text: str, kind: str = "alert") -> None:
        """Show a sentence; `kind` is alert for what went wrong and note for what goes on."""
        self.text = text
        role = "alert" if kind == "alert" else "status"
        html = f"<div class='{kind}' role='{role}'>{escape(text)}</div>" if text else ""
        if self.pane.object != html:
            self.pane.param.update(object=html, visible=bool(text))

    def clear(self) -> None:
        self.say("")
