"""Widgets for notebooks: ipywidgets and small scripts of our own, never Panel.

Start reading at `lab.py`, the laboratory; `cell.py` is what every widget that runs a worker shares.
"""
