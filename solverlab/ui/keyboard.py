"""Keys for the whole page, and the address bar: the small part of a page that Python cannot do itself."""

from __future__ import annotations

from collections.abc import Callable

import panel as pn
import param

SHORTCUTS = {
    " ": ("Space", "run or pause"),
    "s": ("S", "step 1 iteration"),
    "d": ("D", "step 10 iterations"),
    "f": ("F", "step 100 iterations"),
    "r": ("R", "reset"),
    "[": ("[", "one recorded moment back"),
    "]": ("]", "one recorded moment on"),
    "l": ("L", "back to live"),
    "a": ("A", "average or current strategy"),
    "h": ("H", "next hand"),
    "x": ("X", "next clock of the plot"),
    "k": ("K", "keep this run in the race"),
    "?": ("?", "show or hide this list"),
}


class Keyboard(pn.custom.AnyWidgetComponent):
    """Listens to keys wherever nobody is typing, and writes the settings into the address bar.

    A key on its own only: with Ctrl, Alt or Meta it belongs to the browser. Space on a button presses that
    button, and the game tree has keys of its own while it has the focus.
    """

    pressed = param.List([], doc="the last keys with their numbers; set by the page")
    address = param.String("", doc="the query to show in the address bar")
    keys = param.List(list(SHORTCUTS), doc="the keys the page answers to")

    # An anywidget like the tree: Panel caches one way of rendering a page, so the two kinds cannot be mixed.
    _esm = """
function render({ model }) {
  const typing = ["INPUT", "TEXTAREA", "SELECT"], known = model.get("keys");
  const recent = [];
  let count = 0;
  const listen = (event) => {
    const from = event.composedPath()[0], key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (!known.includes(key) || typing.includes(from.tagName) || from.isContentEditable) return;
    if (key === " " && ["BUTTON", "A", "SUMMARY"].includes(from.tagName)) return;
    event.preventDefault();
    recent.push([++count, key]); // keys pressed in quick succession may travel as one change
    model.set("pressed", recent.slice(-60));
    model.save_changes();
  };
  const show = () => {
    const address = model.get("address");
    if (address) window.history.replaceState(null, "", "?" + address);
  };
  document.addEventListener("keydown", listen);
  model.on("change:address", show);
  show();
  return () => document.removeEventListener("keydown", listen);
}

export default { render };
"""

    def __init__(self, on_key: Callable[[str], None], **settings: object):
        super().__init__(**({"width": 0, "height": 0, "margin": 0} | settings))
        self._on_key, self._answered = on_key, 0
        self.param.watch(self._answer, "pressed")

    def _answer(self, event) -> None:
        """Every key once, in order, also those that came together."""
        for number, key in event.new:
            if number > self._answered:
                self._answered = number
                self._on_key(key)


def shortcut_list() -> str:
    """The keys and what they do, as HTML."""
    rows = "".join(f"<dt><kbd>{name}</kbd></dt><dd>{does}</dd>" for name, does in SHORTCUTS.values())
    tree = "<dt><kbd>Tab</kbd></dt><dd>to the next control</dd>" + (
        "<dt><kbd>← ↑ → ↓</kbd></dt><dd>in the tree: walk; Enter opens or closes, C centres</dd>"
    )
    return f"<dl class='keys'>{rows}{tree}</dl>"
