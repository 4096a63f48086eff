"""Hold'em for two to nine: public betting states, batches of deals, buckets of the board.

The game opens one betting state at a time instead of growing a tree. Start reading at `betting.py`.
"""
