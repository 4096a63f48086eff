"""The one decorator every compiled procedure wears.

`cache` keeps machine code between processes, `nogil` lets the screen breathe while a kernel runs, and
`error_model="numpy"` divides like numpy (no hidden branch per division). No fastmath: sums must replay bit
for bit.
"""

from numba import njit

kernel = njit(cache=True, nogil=True, error_model="numpy")
parallel_kernel = njit(cache=True, nogil=True, error_model="numpy", parallel=True)
