"""Sizes the tabs of the Abstraction page share."""

BODY = "calc(var(--body) - 60px)"  # what the header, the tabs and margins leave of the window
SIDE = "calc(var(--body) - 110px)"  # the same beside the cloud, less the small tabs
TAB_STYLE = """
.bk-tab { font-size: 15px; padding: 7px 12px; }
.bk-tab.bk-active { font-weight: 600; }
"""
