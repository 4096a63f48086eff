"""Rebalance and grow: one solver over exact or sampled values, the update of document 000.

Start reading at `rebalance.py`.
"""
