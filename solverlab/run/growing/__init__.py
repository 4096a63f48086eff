"""Looking at a solver that grows: rows to draw, the inspection of a node, its past, its distances."""
