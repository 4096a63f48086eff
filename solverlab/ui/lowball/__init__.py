"""The 2-to-7 page: the exact ladder of small games, the real deck, and result files side by side.

Start reading at `page.py`, then `choice.py` for what a link restores and `solving.py` for the work.
"""
