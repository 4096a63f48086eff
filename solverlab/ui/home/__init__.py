"""The way in: what there is, what it costs, where one was; and the guides, readable inside the dashboard.

Both are written as HTML into the frame, so that they stand before any script is loaded. Start at `page.py`.
"""
