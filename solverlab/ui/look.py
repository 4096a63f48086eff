"""Colours, sizes and frames of the pages: dark on light, fit for a projector, nothing from outside."""

from __future__ import annotations

INK, MUTED, LINE, PAPER, GROUND, ACCENT = "#1f2328", "#57606a", "#d0d7de", "#ffffff", "#f6f8fa", "#0b5cad"
FONT = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"

PAGE = f"""
:root {{
  --bokeh-font-size: 14px;
  --bokeh-base-font: {FONT};
  --panel-primary-color: {ACCENT};
}}
html, body {{ margin: 0; height: 100%; background: {GROUND}; color: {INK}; font: 14px {FONT}; }}
"""

HEADER = f"""
:host {{ display: block; }}
nav {{ display: flex; gap: 22px; align-items: center; height: 44px; padding: 0 16px; box-sizing: border-box;
  background: {INK}; color: white; font: 15px {FONT}; }}
nav b {{ font-size: 19px; letter-spacing: 0.2px; }}
nav a {{ color: #c9d6e3; text-decoration: none; padding: 5px 9px; border-radius: 5px; }}
nav a:hover, nav a:focus-visible {{ color: white; background: #39424d; }}
nav a[aria-current] {{ color: white; background: #39424d; }}
nav span {{ margin-left: auto; color: #c9d6e3; font-size: 14px; }}
"""

CARD = {"background": PAPER, "border": f"1px solid {LINE}", "border-radius": "6px", "overflow": "hidden"}

TEXT = f"""
:host {{ font: clamp(14px, 0.8vw + 3.7px, 20px) {FONT}; color: {INK}; line-height: 1.4; }}
:host(.scrub-label) {{ font-size: 14px; }}
p {{ margin: 0 0 6px; }}
h2 {{ font-size: 1.07em; margin: 0 0 2px; font-weight: 600; }}
h2 small b {{ color: {INK}; font-weight: 600; }}
.quiet {{ color: {MUTED}; }}
small {{ color: {MUTED}; font-size: 0.93em; font-weight: 400; }}
table {{ border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }}
th, td {{ padding: 2px 6px; text-align: right; border-bottom: 1px solid #eaeef2; white-space: nowrap; }}
th:first-child, td:first-child {{ text-align: left; }}
thead th {{ position: sticky; top: 0; background: {PAPER}; font-weight: 600; }}
tr.chosen {{ background: #fff6d6; }}
.microscope {{ table-layout: fixed; }}
.microscope th:first-child {{ white-space: normal; font-weight: 600; width: 34%; padding-left: 0; }}
.microscope th small {{ display: block; line-height: 1.2; }}
.microscope td {{ vertical-align: middle; line-height: 1.3; }}
.microscope i {{ display: inline-block; width: 19px; height: 19px; border-radius: 50%;
  background: {ACCENT}; color: white;
  font: 600 13px/19px {FONT}; text-align: center; margin-right: 6px; }}
.score {{ display: flex; flex-wrap: nowrap; gap: 4px 24px; align-items: baseline; }}
.score div {{ white-space: nowrap; }}
.score b {{ font-size: 1.36em; font-variant-numeric: tabular-nums; margin-left: 5px; }}
.alert {{ background: #fff1e5; border: 1px solid #e0823d; border-radius: 6px; padding: 7px 12px; }}
.note {{ background: #e7f1fb; border: 1px solid #6da7dd; border-radius: 6px; padding: 7px 12px; }}
dl.keys {{ font-size: 14px; display: grid; grid-template-columns: auto 1fr; gap: 4px 12px; margin: 4px 0; }}
dl.keys dt, dl.keys dd {{ margin: 0; }}
kbd {{ border: 1px solid {LINE}; border-radius: 4px; padding: 1px 7px; background: {GROUND};
  font: 13px {FONT}; }}
"""

BUTTON = """
.bk-btn { font-size: 14px; padding: 6px 8px; line-height: 1.25; }
.bk-btn:focus-visible { outline: 3px solid #6da7dd; outline-offset: 1px; }
"""

INLINE = """
.bk-input-group { flex-direction: row; align-items: center; gap: 6px; }
.bk-input-group > label { white-space: nowrap; padding: 0; }
.bk-input-group > .bk-input, .bk-input-group > select { flex: 1; min-width: 0; }
"""
