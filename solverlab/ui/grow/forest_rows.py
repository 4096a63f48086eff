"""What travels to the drawing of a growing forest: new rows once, live numbers again and again."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import NamedTuple

import numpy as np

from solverlab.core.errors import BadValue
from solverlab.core.rows import Row
from solverlab.ui.parts.tree_stage import tree_module, tree_style

_HERE = Path(__file__).parent
ESM = tree_module(*(_HERE / f"forest_{name}.js" for name in ("tree", "paint", "canvas")))
CSS = tree_style(_HERE / "forest_canvas.css")

KINDS = ("leaf", "action", "passive", "deal", "end")
PLAIN_LOOK: Row = {"colour": "EV", "players": [], "unit": "big blinds", "low": -1.0, "high": 1.0}


class Rows(NamedTuple):
    """The drawn tree, one row a node; parents stand before their children, -1 marks a root."""

    parent: np.ndarray  # int32[n]
    kind: np.ndarray  # uint8[n], an index of KINDS
    who: np.ndarray  # int8[n], the seat that acts, -1 nobody
    label: list[str]  # how one came here: "call", a bucket, at a root its hand


NOTHING = Rows(np.empty(0, np.int32), np.empty(0, np.uint8), np.empty(0, np.int8), [])


class ForestRows:
    """The Python half of the drawing, the same in a notebook (`ForestWidget`) and on a page (`ForestCanvas`).

    The drawing shares `shape`, `live`, `look` and `selected` with the page; this class fills the first two
    and answers what the page asks for.
    """

    _view = ""
    _rows = NOTHING
    _numbered = 0  # numbers sent so far; `painted` is how many of them a page says it has painted
    _sent = 0  # parcels so far: two equal ones must still both arrive

    def show(
        self, view: str, parent: np.ndarray, kind: np.ndarray, who: np.ndarray, label: list[str]
    ) -> None:
        """Draw this tree; under the same `view` only rows the page does not have travel to it.

        A new `view` starts over (position and folds are forgotten). Under the old one the tree may grow, and
        it may shrink or change its tail, as when one looks back in time.
        """
        rows = _checked(parent, kind, who, label)
        same, old = view == self._view, self._rows
        begin = _common(old, rows) if same else 0
        expanded = any(
            (a[:begin] != b[:begin]).any() for a, b in ((old.kind, rows.kind), (old.who, rows.who))
        )
        self._view, self._rows = view, rows
        if expanded or not same or not begin == len(rows.label) == len(old.label):
            self._send_rows(begin, expanded)

    def update(
        self, kind: np.ndarray, reach: np.ndarray, ev: np.ndarray, epoch: int = 0, sweep: int = 0
    ) -> None:
        """New numbers for the rows on show: kind, how often each is reached, and its EV (NaN: unknown)."""
        given, size = {len(kind), len(reach), len(ev)}, len(self._rows.label)
        if given != {size}:
            raise BadValue(f"numbers for {sorted(given)} nodes do not fit {size} on show; call show first")
        self._rows = self._rows._replace(kind=np.array(kind, np.uint8))
        numbers = {
            "view": self._view,
            "size": len(reach),
            "kind": packed(kind, "u1"),
            "reach": packed(reach, "<f4"),
            "ev": packed(ev, "<f4"),
            "epoch": int(epoch),
            "sweep": int(sweep),
        }
        if numbers | {"number": self._numbered} != self.live:
            self._numbered += 1
            self.live = numbers | {"number": self._numbered}

    def hear(self, message: Row) -> None:
        """Answer the page: a view that missed a parcel asks for all of it."""
        if message.get("want") == "all":
            self._send_rows(0)

    @property
    def behind(self) -> bool:
        """Whether the page has not painted yet what it was sent: then it needs no more for now."""
        return self.painted < self._numbered

    def _send_rows(self, begin: int, expanded: bool = False) -> None:
        """Send the rows from `begin` on; `expanded` adds the kinds and actors of those before it."""
        self._sent += 1
        rows, known = self._rows, begin if expanded else 0
        self.shape = {
            "view": self._view,
            "begin": begin,
            "total": len(rows.label),
            "parent": packed(rows.parent[begin:], "<i4"),
            "kind": packed(rows.kind[begin:], "u1"),
            "who": packed(rows.who[begin:], "i1"),
            "label": rows.label[begin:],
            "known_kind": packed(rows.kind[:known], "u1"),
            "known_who": packed(rows.who[:known], "i1"),
            "sent": self._sent,
        }


def packed(numbers: np.ndarray, dtype: str) -> str:
    """Numbers as text that both bridges carry: base64 of little-endian bytes.

    >>> packed([1, 2], "<i4")
    'AQAAAAIAAAA='
    """
    return base64.b64encode(np.ascontiguousarray(numbers, dtype).tobytes()).decode("ascii")


def unpacked(text: str, dtype: str) -> np.ndarray:
    """What `packed` made.

    >>> unpacked("AQAAAAIAAAA=", "<i4").tolist()
    [1, 2]
    """
    return np.frombuffer(base64.b64decode(text), dtype)


def _checked(parent: np.ndarray, kind: np.ndarray, who: np.ndarray, label: list[str]) -> Rows:
    rows = Rows(np.array(parent, np.int32), np.array(kind, np.uint8), np.array(who, np.int8), list(label))
    if len({len(column) for column in rows}) != 1:
        raise BadValue(
            f"columns of {[len(column) for column in rows]} rows do not match; give each node one row"
        )
    late = np.flatnonzero(rows.parent >= np.arange(len(label)))
    if len(late):
        raise BadValue(f"node {late[0]} stands before its parent {rows.parent[late[0]]}; list parents first")
    return rows


def _common(old: Rows, new: Rows) -> int:
    """How many rows from the top are the same node in both; a leaf that was expanded stays the same node."""
    size = min(len(old.label), len(new.label))
    moved = np.flatnonzero(old.parent[:size] != new.parent[:size])
    size = int(moved[0]) if len(moved) else size
    if old.label[:size] == new.label[:size]:
        return size
    return next(i for i in range(size) if old.label[i] != new.label[i])
