"""`python -m solverlab` is the command `solverlab`."""

import sys

from solverlab.cli import main

if __name__ == "__main__":
    sys.exit(main())
