"""Sizes the tabs of the Abstraction page share."""

BODY = "calc(100vh - 104px)"  # what the header, the tabs and margins leave of the window
SIDE = "calc(100vh - 154px)"  # the same beside the cloud, less the small tabs
