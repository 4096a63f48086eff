"""The Abstraction page alone: `panel serve apps/abstraction.py` or `python apps/abstraction.py`."""

import panel as pn

from solverlab.ui.abstraction.page import abstraction_page
from solverlab.ui.look import PAGE

pn.config.raw_css = [PAGE]

if __name__ == "__main__":
    pn.serve({"abstraction": abstraction_page}, show=True)
else:
    abstraction_page().servable(title="solverlab: abstraction")
