"""Values at nodes from sampled deals: a strategy tree for every position and holding of a table."""
