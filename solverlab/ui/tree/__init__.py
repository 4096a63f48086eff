"""A game tree to click through, one script for notebooks and pages alike.

Start reading at `esm.py`; `widget.py` is for notebooks, `pane.py` for pages.
"""
