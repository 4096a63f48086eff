"""Frames and letters of the pages: the tokens in the words of Panel and Bokeh.

Style sheets name custom properties, which follow the theme; Bokeh gets the light colours, and a dark page
paints their partners.
"""

from __future__ import annotations

from solverlab.ui.tokens import css
from solverlab.views.theme import LIGHT

INK, MUTED, LINE, PAPER, GROUND, ACCENT = (
    getattr(LIGHT, name) for name in ("ink", "muted", "line", "paper", "ground", "accent")
)
FONT = "var(--font)"

CARD = {
    "background": css(PAPER),
    "border": f"1px solid {css(LINE)}",
    "border-radius": "var(--r-card)",
    "overflow": "hidden",
}

TEXT = """
:host { font: var(--t-body)/1.4 var(--font); color: var(--ink); }
p { margin: 0 0 6px; }
h2 { font-size: var(--t-title); margin: 0 0 2px; font-weight: var(--w-strong); }
h2 small b { color: var(--ink); font-weight: var(--w-strong); }
.quiet { color: var(--muted); }
small { color: var(--muted); font-size: 0.93em; font-weight: 400; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: 2px 6px; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
thead th { position: sticky; top: 0; background: var(--paper); font-weight: var(--w-strong); }
tr.chosen { background: var(--chosen); }
.playing { background: var(--card); border-radius: 3px; padding: 0 3px; margin-right: 1px; }
.term { border-bottom: 1px dotted var(--muted); cursor: help; }
.microscope { table-layout: fixed; }
.microscope th, .microscope td { padding-top: 0; padding-bottom: 1px; }
.microscope th:first-child { white-space: normal; font-weight: var(--w-strong); width: 34%; padding-left: 0; }
.microscope th small { display: block; line-height: 1.2; }
.microscope td { vertical-align: middle; line-height: 1.3; }
.microscope i { display: inline-block; width: 19px; height: 19px; border-radius: 50%; margin-right: 6px;
  background: var(--accent); color: var(--on-accent); font: 600 13px/19px var(--font); text-align: center; }
.score { display: flex; flex-wrap: wrap; background: var(--paper); border: 1px solid var(--line);
  border-radius: var(--r-card); overflow: hidden; }
.score div { flex: 1 1 auto; padding: 3px 12px 4px; color: var(--muted); font-size: var(--t-small);
  line-height: 1.3; box-shadow: -1px 0 var(--line); }
.score b { display: block; font-size: var(--t-number); line-height: 1.2; font-weight: var(--w-strong);
  color: var(--ink); font-variant-numeric: tabular-nums; }
.chip { display: inline-block; width: .85em; height: .85em; border-radius: 3px; margin: 0 5px 0 0;
  vertical-align: -1px; border: 1px solid var(--line); }
.range { height: 4.4em; overflow-y: auto; padding: 2px 6px; line-height: 1.4; }
.range code { font: var(--t-small)/1.5 var(--mono); user-select: all; overflow-wrap: anywhere; }
.alert, .note { border-radius: var(--r); padding: 7px 12px; border-left: 4px solid; }
.alert { background: var(--warn-soft); color: var(--ink); border-color: var(--warn); }
.note { background: var(--accent-soft); color: var(--ink); border-color: var(--accent); }
dl.keys { display: grid; grid-template-columns: auto 1fr; gap: 4px 12px; margin: 4px 0; }
dl.keys dt, dl.keys dd { margin: 0; }
kbd { border: 1px solid var(--edge); border-radius: 4px; padding: 1px 7px; font: var(--t-small) var(--font); }
"""

BUTTON = ".bk-btn { padding: 6px 8px; line-height: 1.25; }"

INLINE = """
.bk-input-group { flex-direction: row; align-items: center; gap: 6px; }
.bk-input-group > label { white-space: nowrap; padding: 0; }
.bk-input-group > .bk-input, .bk-input-group > select { flex: 1; min-width: 0; }
"""
