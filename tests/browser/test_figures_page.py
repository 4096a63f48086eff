"""The Figures page in a real Chromium: look at a figure, make it again, take it home."""

from __future__ import annotations

import hashlib
import os
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.conftest import PATIENCE, Server
from playwright.sync_api import Locator, Page, expect

from solverlab.abstraction.strength import hand_strength
from solverlab.figures.kept import kept_figure, reproduce

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with this session's strength tables and one figure made earlier."""
    hand_strength("flop")  # built here unless another test did
    home = tmp_path_factory.mktemp("figures") / "home"
    home.mkdir()
    (home / "tables").symlink_to(Path(os.environ["SOLVERLAB_HOME"]) / "tables")
    reproduce("occupancy", home / "figures")
    return home


@pytest.fixture(scope="module")
def gallery(home: Path) -> Iterator[Server]:
    running = Server(home.parent)
    yield running
    assert running.process.poll() is None, running.log.read_text()
    running.stop()


def card(page: Page, name: str) -> Locator:
    """The card of a figure."""
    found = page.locator(f".figure.{name}")
    expect(found).to_be_visible(timeout=PATIENCE)
    return found


def shown(card: Locator) -> int:
    """How wide the picture in a card really is, in its own pixels."""
    picture = card.locator(".picture img")
    expect(picture).to_be_visible(timeout=PATIENCE)
    picture.evaluate("(picture) => picture.decode()")
    return picture.evaluate("(picture) => picture.naturalWidth")


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_a_kept_figure_is_shown_with_its_facts(gallery, watched, size):
    page = watched(f"{gallery.address}/figures", *size)
    occupancy = card(page, "occupancy")
    assert shown(occupancy) == 1920
    for words in ("Source: after M. Johanson", "share percentiles", "empty fixed ranges", "Made 20"):
        expect(occupancy).to_contain_text(words)
    occupancy.locator("summary").click()
    expect(occupancy).to_contain_text("solverlab figure occupancy")
    across = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert across[0] <= across[1]
    expect(page.locator("nav a[aria-current]")).to_have_text("Figures")


def test_a_figure_not_made_yet_says_so(gallery, watched):
    page = watched(f"{gallery.address}/figures")
    johanson = card(page, "johanson-2-2")
    expect(johanson).to_contain_text("Not kept on this server yet")
    expect(johanson.locator(".picture img")).to_have_count(0)


def test_reproduce_makes_it_again_and_the_data_are_the_same(gallery, home, watched):
    """The server answers while the figure is made; the file on disk is a new one."""
    before = kept_figure("occupancy", home / "figures")
    page = watched(f"{gallery.address}/figures")
    occupancy = card(page, "occupancy")
    shown(occupancy)
    button = occupancy.get_by_role("button", name="Reproduce")
    button.click()
    expect(button).to_be_disabled()
    expect(occupancy.get_by_role("progressbar").or_(occupancy.locator("progress")).first).to_be_visible()
    assert gallery.alive()
    expect(occupancy).to_contain_text("the same to the last byte", timeout=PATIENCE)
    expect(button).to_be_enabled()
    assert shown(occupancy) == 1920
    after = kept_figure("occupancy", home / "figures")
    assert after.tables() == before.tables() and after.provenance["made"] > before.provenance["made"]


def test_a_new_figure_appears_and_can_be_taken_home(gallery, home, watched, tmp_path):
    page = watched(f"{gallery.address}/figures")
    histograms = card(page, "ganzfried-2014")
    histograms.get_by_role("button", name="Reproduce").click()
    expect(histograms).to_contain_text(re.compile(r"Made in [\d.]+ s"), timeout=PATIENCE)
    assert shown(histograms) == 1920
    expect(histograms).to_contain_text("0.5587")
    sums = kept_figure("ganzfried-2014", home / "figures").provenance["sha256"]
    for label, file in (("PNG", "ganzfried-2014.png"), ("SVG", "ganzfried-2014.svg")):
        with page.expect_download() as download:
            histograms.get_by_role("link", name=label).or_(
                histograms.get_by_text(label, exact=True)
            ).first.click()
        download.value.save_as(tmp_path / file)
        assert hashlib.sha256((tmp_path / file).read_bytes()).hexdigest() == sums[file]
    with page.expect_download() as download:
        histograms.get_by_text("Data (zip)").click()
    download.value.save_as(tmp_path / "data.zip")
    assert zipfile.ZipFile(tmp_path / "data.zip").namelist() == [
        "ganzfried-2014-histograms.csv",
        "ganzfried-2014.json",
    ]


def test_a_folder_that_cannot_be_written_is_told_in_one_sentence(gallery, home, watched):
    page = watched(f"{gallery.address}/figures")
    occupancy = card(page, "occupancy")
    (home / "figures").rename(home / "away")
    (home / "figures").write_text("in the way")
    try:
        occupancy.get_by_role("button", name="Reproduce").click()
        expect(occupancy.locator("[role=alert]")).to_contain_text("could not be written", timeout=PATIENCE)
        expect(occupancy.get_by_role("button", name="Reproduce")).to_be_enabled()
    finally:
        (home / "figures").unlink()
        (home / "away").rename(home / "figures")
