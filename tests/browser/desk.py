"""What a visitor of the Solve page does and sees, in words for the tests."""

from __future__ import annotations

import re

from browser.conftest import PATIENCE
from playwright.sync_api import Locator, Page, expect

# Every box of a selector, also inside the shadow roots that Bokeh puts its views in.
BOXES = """(selector) => {
  const boxes = [];
  const visit = (root) => {
    for (const e of root.querySelectorAll("*")) {
      if (e.matches(selector)) {
        const b = e.getBoundingClientRect();
        if (b.width > 0 && b.height > 0) boxes.push([b.left, b.top, b.right, b.bottom]);
      }
      if (e.shadowRoot) visit(e.shadowRoot);
    }
  };
  visit(document);
  return boxes;
}"""
COLUMN = """([name, column]) => {
  const source = [...Bokeh.documents[0]._all_models.values()].find((model) => model.name === name);
  return source ? Array.from(source.get_column ? source.get_column(column) : source.data[column]) : [];
}"""


class Desk:
    """One tab on the Solve page."""

    def __init__(self, page: Page):
        self.page = page
        expect(self.score).to_contain_text("iteration", timeout=PATIENCE)

    @property
    def score(self) -> Locator:
        return self.page.locator(".score-line .score")

    @property
    def notice(self) -> Locator:
        return self.page.locator(".notice")

    @property
    def microscope(self) -> Locator:
        return self.page.locator(".microscope-pane")

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def choose(self, label: str, option: str) -> None:
        self.page.get_by_label(label, exact=True).select_option(label=option)

    def iteration(self) -> int:
        found = re.search(r"iteration\s*([\d,]+)", self.score.inner_text())
        return int(found[1].replace(",", "")) if found else -1

    def numbers(self) -> list[str]:
        """Iteration, distances and value as they are shown."""
        return self.page.locator(".score-line .score b").all_inner_texts()

    def reach(self, iteration: int) -> None:
        """Wait until an iteration is shown at rest."""
        expect(self.score).to_contain_text(
            re.compile(rf"iteration\s*{iteration:,}(?![\d,])"), timeout=PATIENCE
        )
        self.rest()

    def rest(self) -> None:
        expect(self.button("▶ Run")).to_be_enabled(timeout=PATIENCE)

    def final_iteration(self) -> int:
        """The iteration shown at rest; a busy browser may paint the button before the numbers above it."""
        self.rest()
        seen = self.iteration()
        for _ in range(100):
            self.page.wait_for_timeout(400)
            before, seen = seen, self.iteration()
            if before == seen:
                return seen
        raise AssertionError(f"at rest, but still counting: {seen}")

    def pass_iteration(self, iteration: int) -> None:
        """Wait until the solver is further than that."""
        for _ in range(1200):
            if self.iteration() > iteration:
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"still at iteration {self.iteration()}")

    def column(self, source: str, column: str) -> list:
        """What a plot holds: a column of one of its data sources."""
        return self.page.evaluate(COLUMN, [source, column])

    def holds(self, source: str, points: int, column: str = "distance") -> None:
        """Wait until a plot holds so many points; they may be painted after the words above it."""
        counted = f"(which) => ({COLUMN})(which).length === {points}"
        self.page.wait_for_function(counted, arg=[source, column])

    def boxes(self, selector: str) -> list[list[float]]:
        return self.page.evaluate(BOXES, selector)
