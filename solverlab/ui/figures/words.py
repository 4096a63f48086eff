"""What a figure's card says: its words, the numbers worth knowing, and where it came from."""

from __future__ import annotations

from base64 import b64encode
from html import escape

from solverlab.core.rows import Config, Row
from solverlab.figures import PublishedFigure


def words_html(figure: PublishedFigure) -> str:
    """Title, caption and source."""
    return (
        f"<h2>{escape(figure.title)}</h2><p>{escape(_squared(figure.caption))}</p>"
        f"<p class='quiet'>Source: {escape(figure.source)}</p>"
    )


def picture_html(figure: PublishedFigure, png: bytes) -> str:
    """The picture inside the page itself, as wide as there is room."""
    source = f"data:image/png;base64,{b64encode(png).decode()}"
    return (
        f"<img src='{source}' alt='{escape(figure.title, quote=True)}' style='width: 100%; display: block'>"
    )


def facts_html(facts: Row) -> str:
    """One row a fact."""
    rows = "".join(
        f"<tr><th>{escape(_squared(name))}</th><td>{fact_text(name, value)}</td></tr>"
        for name, value in facts.items()
    )
    return f"<table class='facts'>{rows}</table>"


def fact_text(name: str, value: object) -> str:
    """A number or a list of numbers for people.

    >>> fact_text("points", 258360), fact_text("share", [0.25, 0.75]), fact_text("edges", [0.0, 0.27671])
    ('258,360', '25.00 · 75.00 %', '0 · 0.2767')
    >>> fact_text("largest exploitability", 9.74e-7)
    '9.7e-07'
    """
    if isinstance(value, list | tuple):
        unit = " %" if name.startswith("share") else ""
        return " · ".join(fact_text(name, part).removesuffix(unit) for part in value) + unit
    if isinstance(value, float):
        if 0 < abs(value) < 5e-5:
            return f"{value:.1e}"
        return (
            f"{value:.2%}".replace("%", " %")
            if name.startswith("share")
            else f"{value:.4f}".rstrip("0").rstrip(".")
        )
    return f"{value:,}" if isinstance(value, int) else escape(str(value))


def provenance_html(provenance: Config) -> str:
    """When, how and with what it was made; checksums in full."""
    made = provenance["made"].replace("T", " ").replace("+00:00", " UTC")
    versions = ", ".join(f"{name} {number}" for name, number in provenance["versions"].items())
    settings = ", ".join(
        f"{_squared(name)} {_squared(str(value))}" for name, value in provenance["parameters"].items()
    )
    sums = "".join(
        f"<br>{escape(name)} <code>{digest}</code>" for name, digest in provenance["sha256"].items()
    )
    return (
        f"<details class='provenance'><summary>Made {escape(made)}</summary>"
        f"<p><code>{escape(provenance['command'])}</code></p><p>{escape(settings)}</p>"
        f"<p>{escape(versions)}</p><p class='quiet'>SHA-256{sums}</p></details>"
    )


def _squared(text: str) -> str:
    return text.replace("^2", "²")
