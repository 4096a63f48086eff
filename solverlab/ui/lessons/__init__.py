"""Guided lessons in the rail beside a page: Markdown with a few blocks, read here, played by the frame.

`docs/lessons.md` says how to write one. Start at `read.py`; the lines of the blocks are in `lines.py`.
"""
