"""Values at nodes by exact sums over every deal: games small enough to write out."""
