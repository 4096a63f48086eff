"""The Solve page: step or run solvers, race them, and look into one decision.

Start reading at `page.py`, then `screen.py` for what is drawn and `settings.py` for what a link restores.
"""
