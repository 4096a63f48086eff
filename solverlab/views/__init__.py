"""Draw what a solver shows: each view has a half that makes a plain table and a half that draws it.

May import run and below, but neither solvers nor games; HoloViews is loaded by the first picture, not before.
Start reading at `strategy.py`, the shortest view, then `inline.py` for how a picture gets into a notebook
without a network.
"""

from solverlab.views.bucket_price import price_curves
from solverlab.views.bucket_tables import bucket_frame
from solverlab.views.buckets import (
    bucket_scatter,
    confusion,
    occupancy,
    strength_histogram,
    transitions,
    widths,
)
from solverlab.views.convergence import convergence, convergence_frame
from solverlab.views.microscope import Update, microscope, update_of
from solverlab.views.phase import growth, growth_frame, phase
from solverlab.views.pushfold_chart import (
    jam_frame,
    jam_grid,
    pushfold_chart,
    pushfold_frame,
    share_frame,
    share_in,
)
from solverlab.views.strategy import strategy, strategy_frame
from solverlab.views.tree import TreePicture, tree
from solverlab.views.tree_forms import beside, form_frame, tree_form

# The functions carry the names of their files on purpose: `sl.views.tree(snap)` is what a student types.
__all__ = [
    "TreePicture",
    "Update",
    "beside",
    "bucket_frame",
    "bucket_scatter",
    "confusion",
    "convergence",
    "convergence_frame",
    "form_frame",
    "growth",
    "growth_frame",
    "jam_frame",
    "jam_grid",
    "microscope",
    "occupancy",
    "phase",
    "price_curves",
    "pushfold_chart",
    "pushfold_frame",
    "share_frame",
    "share_in",
    "strategy",
    "strategy_frame",
    "strength_histogram",
    "transitions",
    "tree",
    "tree_form",
    "update_of",
    "widths",
]
