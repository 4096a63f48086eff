"""Where a number stands in an ascending row: `searchsorted` without a third of a second of compiling."""

from solverlab.core.kernel import inner_kernel


@inner_kernel
def count_up_to(row, value):
    """How many of the ascending row[n] are at most value (`searchsorted(row, value, side="right")`)."""
    low, high = 0, len(row)
    while low < high:
        middle = (low + high) // 2
        if row[middle] <= value:
            low = middle + 1
        else:
            high = middle
    return low
