"""Write the all-in table that travels with the package anew: `python tools/all_in_table.py`."""

from solverlab.cards.all_in import SHIPPED, write_all_in
from solverlab.cards.all_in_sweep import build_all_in

if __name__ == "__main__":
    write_all_in(build_all_in(), SHIPPED)
    print(f"wrote {SHIPPED} ({SHIPPED.stat().st_size / 1000:.0f} kB)")
