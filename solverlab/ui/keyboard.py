"""Keys for the whole page, and the address bar: the small part of a page that Python cannot do itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from urllib.parse import parse_qs

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
    "k": ("K", "keep a copy of this run"),
    "u": ("U", "undo: back to the run before"),
}
ARROWS = {"ArrowLeft": "←", "ArrowRight": "→", "ArrowUp": "↑", "ArrowDown": "↓"}


class Keyboard(pn.custom.AnyWidgetComponent):
    """Listens to keys wherever nobody is typing, and writes the settings into the address bar.

    A key on its own only: with Ctrl, Alt or Meta it belongs to the browser. Space on a button presses that
    button, and the game tree has keys of its own while it has the focus.
    """

    pressed = param.List([], doc="the last keys with their numbers; set by the page")
    address = param.String("", doc="the query to show in the address bar")
    visited = param.List([], doc="the query that Back or Forward led to, with a number; set by the page")
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
  // A changed setting is a step that Back undoes; a slider on its way makes one step, not fifty.
  // How far a run has come is in the address, too, but is no step.
  let opened = false, pushed = -1e9;
  const steps = (query) => query.replace(/([?&])to=[0-9]+/, "$1");
  const show = () => {
    const address = model.get("address"), now = performance.now();
    if (!address) return;
    const step = opened && steps("?" + address) !== steps(window.location.search) && now - pushed > 1200;
    window.history[step ? "pushState" : "replaceState"](null, "", "?" + address);
    opened = true;
    if (step) pushed = now;
  };
  const travel = () => {
    pushed = performance.now(); // what the page answers belongs to the place gone to
    model.set("visited", [++count, window.location.search.slice(1)]);
    model.save_changes();
  };
  document.addEventListener("keydown", listen);
  window.addEventListener("popstate", travel);
  model.on("change:address", show);
  show();
  document.documentElement.dataset.travels = "yes"; // a lesson may lead to another address from now on
  return () => {
    document.removeEventListener("keydown", listen);
    window.removeEventListener("popstate", travel);
  };
}

export default { render };
"""

    def __init__(
        self,
        on_key: Callable[[str], None],
        on_visit: Callable[[dict[str, str]], None] = lambda query: None,
        **settings: object,
    ):
        super().__init__(**({"width": 0, "height": 0, "margin": 0} | settings))
        self._on_key, self._answered = on_key, 0
        self.param.watch(self._answer, "pressed")
        self.param.watch(lambda event: on_visit(words_of(event.new[1])), "visited")

    def _answer(self, event) -> None:
        """Every key once, in order, also those that came together."""
        for number, key in event.new:
            if number > self._answered:
                self._answered = number
                self._on_key(key)


def words_of(query: str) -> dict[str, str]:
    """The words of an address.

    >>> words_of("game=kuhn&to=40")
    {'game': 'kuhn', 'to': '40'}
    """
    return {name: values[0] for name, values in parse_qs(query).items()}


def key_list(keys: Sequence[str], own: Mapping[str, str]) -> list[tuple[str, str]]:
    """What each key of a page is called and does; `own` holds what this page alone does with a key.

    >>> key_list(["s", "c"], {"c": "stack or chart"})
    [('S', 'step 1 iteration'), ('C', 'stack or chart')]
    """
    known = {key: SHORTCUTS.get(key, (ARROWS.get(key, key.upper()), "")) for key in keys}
    return [(name, own.get(key, does)) for key, (name, does) in known.items()]
