"""Taking things home: tables, pictures and whole runs."""

from __future__ import annotations

import io
from collections.abc import Callable

import panel as pn

from solverlab import store
from solverlab.core.errors import BadValue, SolverlabError
from solverlab.ui.buttons import button
from solverlab.ui.look import BUTTON
from solverlab.ui.parts.picture import picture_button


class Exports:
    """Downloads, and runs saved by name; `page` tells what is on the page when a button is pressed."""

    def __init__(self, page, complain: Callable[[str], None]):
        self._page, self._complain = page, complain
        self.policy = self._download(
            "Strategy CSV",
            "strategy.csv",
            self._policy_csv,
            "The shown strategy, one row an infoset and action.",
        )
        self.trace = self._download(
            "Trace CSV", "trace.csv", self._trace_csv, "Clocks and distances, one row a measured moment."
        )
        plot = [page.screen.convergence.figure]
        self.curve = picture_button(
            "Plot SVG", "The convergence plot for slides and papers.", plot, "convergence.svg"
        )
        self.tree = self._download(
            "Tree SVG",
            "game-tree.svg",
            lambda: page.screen.explorer.pane.svg(),
            "The opened part of the tree.",
        )
        self.run = self._download(
            "Run (zip)", "run.zip", self._run_zip, "Settings, tables and trace: solverlab opens it again."
        )
        self.picture = picture_button(
            "Plot PNG", "The convergence plot as it is on the screen.", plot, "convergence.png"
        )
        self._saved_runs()

    def _download(
        self, label: str, filename: str, make: Callable[[], str | bytes], help: str
    ) -> pn.widgets.FileDownload:
        def content() -> io.BytesIO:
            made = self._tried(make) or ""
            return io.BytesIO(made.encode() if isinstance(made, str) else made)

        return pn.widgets.FileDownload(
            callback=content, filename=filename, label=label, description=help, auto=True, embed=False,
            sizing_mode="stretch_width", margin=(3, 3), stylesheets=[BUTTON],
        )  # fmt: skip

    def _saved_runs(self) -> None:
        wide = {"sizing_mode": "stretch_width", "margin": (2, 4)}
        self.name = pn.widgets.TextInput(
            label="Save this run as",
            placeholder="a name",
            description="Everything needed to go on later, on this computer's disk.",
            **wide,
        )
        self.save = button("Save", "Save the run under this name.")
        self.saved = pn.widgets.Select(
            label="Saved runs", options=[], description="Runs saved on this computer, newest first.", **wide
        )
        self.load = button("Load", "Open the chosen run and go on with it.")
        self.delete = button("Delete", "Remove the chosen run from the disk.")
        self.save.on_click(lambda event: self._tried(self._save))
        self.load.on_click(lambda event: self._tried(self._load))
        self.delete.on_click(lambda event: self._tried(self._delete))
        self.list_runs()

    def layout(self) -> pn.Column:
        row = {"sizing_mode": "stretch_width", "margin": 0}
        return pn.Column(
            pn.Row(self.policy, self.trace, **row),
            pn.Row(self.picture, self.curve, **row),
            pn.Row(self.tree, self.run, **row),
            self.name,
            self.save,
            self.saved,
            pn.Row(self.load, self.delete, **row),
            sizing_mode="stretch_width",
        )

    def list_runs(self) -> None:
        """Ask the disk again which runs there are."""
        names = [run.name for run in store.runs()]
        value = self.saved.value if self.saved.value in names else (names[0] if names else None)
        self.saved.param.update(options=names, value=value)

    def _tried(self, act: Callable):
        try:
            return act()
        except (SolverlabError, OSError) as problem:
            self._complain(problem)
            return None

    def _policy_csv(self) -> str:
        return self._page.screen.shown_policy().frame().to_csv(index=False)

    def _trace_csv(self) -> str:
        return self._page.runner.trace.frame().to_csv(index=False)

    def _run_zip(self) -> bytes:
        """The run as a file."""
        self._must_rest()
        return store.to_zip(self._page.runner, "download")

    def _must_rest(self) -> None:
        if self._page.runner is None or self._page.runner.latest().running:
            raise BadValue("the solver is running; pause first")

    def _save(self) -> None:
        self._must_rest()
        store.save(self._page.runner, self.name.value)
        self.list_runs()
        self.saved.value = self.name.value
        self._complain("")

    def _load(self) -> None:
        if self.saved.value is None:
            raise BadValue("there is no saved run yet; save one first")
        self._page.open_run(store.load(self.saved.value))

    def _delete(self) -> None:
        if self.saved.value is not None:
            store.delete(self.saved.value)
            self.list_runs()
