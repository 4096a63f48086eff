"""The Push/fold page: jam and call charts by stack.

Start reading at `page.py`, then `solving.py` for the work.
"""
