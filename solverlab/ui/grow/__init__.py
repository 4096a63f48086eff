"""The page that watches trees grow: the live tree, its charts, and the words about a node.

May import everything below `ui`; the drawing itself knows no game. Start reading at `forest_rows.py` for what
travels to the browser, then `forest_canvas.js` for how it is drawn.
"""
