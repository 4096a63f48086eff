"""The published figures hold what they should: counts, edges and distances reckoned a second way."""

from __future__ import annotations

import hashlib
import sys
from itertools import combinations, permutations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import wasserstein_distance

from solverlab.abstraction.strength import hand_strength
from solverlab.cards.hand_classes import CLASS_NAMES
from solverlab.figures import FIGURES

METRICS = {"E[HS]": "ehs", "E[HS^2]": "ehs2"}


def cut(values: pd.Series, weight: pd.Series, n: int) -> list[float]:
    """Inner percentile edges from sums by value: a value goes up if at least half of its weight does."""
    by_value = weight.groupby(values).sum()
    total, found = int(by_value.sum()), []
    for part in range(1, n):
        at = np.quantile(by_value.index, part / n, weights=by_value.to_numpy(), method="inverted_cdf")
        place = by_value.index.get_loc(float(at))
        below = int(by_value.iloc[:place].sum())
        up = 2 * (n * below - part * total) + n * int(by_value.iloc[place]) >= 0
        found.append(float(by_value.index[place if up else place + 1]))
    return found


def flops_of(one: int, other: int) -> int:
    """How many flops differ for two hole cards when suits are mere names; a card is rank x 4 + suit."""
    deck = [card for card in range(52) if card not in (one, other)]
    flops = np.array(list(combinations(deck, 3)))
    keys = []
    for suits in permutations(range(4)):
        renamed = np.array([card // 4 * 4 + suits[card % 4] for card in range(52)])
        if {renamed[one], renamed[other]} == {one, other}:
            keys.append(np.sort(renamed[flops], axis=1) @ [2704, 52, 1])
    return len(np.unique(np.min(keys, axis=0)))


@pytest.fixture(scope="session")
def hands(made) -> pd.DataFrame:
    return made["johanson-2.2"].table("hands")


def test_figure_2_2_shows_every_hand_of_preflop_bucket_2(made, hands):
    """The hole cards of the bucket and the flops of each kind of hole cards, both counted from scratch."""
    preflop = hand_strength("preflop")
    inner = cut(pd.Series(preflop.ehs2), pd.Series(preflop.weight), 5)
    chosen = [name for name, x in zip(CLASS_NAMES, preflop.ehs2, strict=True) if inner[0] <= x < inner[1]]
    flops = {"pair": flops_of(0, 1), "s": flops_of(0, 4), "o": flops_of(0, 5)}
    assert 13 * flops["pair"] + 78 * flops["s"] + 78 * flops["o"] == 1_286_792
    expected = sum(flops["pair" if len(name) == 2 else name[2]] for name in chosen)
    combos = sum(6 if len(name) == 2 else {"s": 4, "o": 12}[name[2]] for name in chosen)
    facts = made["johanson-2.2"].facts
    assert facts["points"] == len(hands) == expected == 258_360
    assert facts["weight"] == hands["weight"].sum() == combos * 19_600 == 5_252_800


@pytest.mark.parametrize("metric", METRICS)
def test_figure_2_2_edges_are_weighted_percentiles(made, hands, metric):
    edges = made["johanson-2.2"].facts[f"edges {metric}"]
    assert edges[0] == 0 and edges[-1] == 1 and (np.diff(edges) > 0).all()
    assert edges[1:-1] == cut(hands[METRICS[metric]], hands["weight"], 5)


@pytest.mark.parametrize("metric", METRICS)
def test_figure_2_2_buckets_hold_a_fifth_each_up_to_ties(made, hands, metric):
    """Out by at most the weight of the value at an edge, half of it on either side."""
    facts, column = made["johanson-2.2"].facts, METRICS[metric]
    tied = max(
        hands["weight"][hands[column] == edge].sum() for edge in facts[f"edges {metric}"][1:-1]
    ) / hands["weight"].sum()  # fmt: skip
    assert np.abs(np.array(facts[f"share {metric}"]) - 0.2).max() <= max(tied, 1e-5)
    counted = hands.groupby(f"bucket_by_{column}")["weight"].agg(["size", "sum"])
    assert list(counted.index) == [1, 2, 3, 4, 5]
    assert list(counted["size"]) == facts[f"hands {metric}"]
    assert list(counted["sum"] / hands["weight"].sum()) == pytest.approx(facts[f"share {metric}"], abs=1e-12)


def test_figure_2_2_lies_between_its_dashed_curves(hands):
    assert (hands["ehs"] ** 2 <= hands["ehs2"] + 1e-12).all() and (hands["ehs2"] <= hands["ehs"]).all()


def test_both_panels_show_the_same_hands_in_other_buckets(hands):
    moved = (hands["bucket_by_ehs"] != hands["bucket_by_ehs2"]).mean()
    assert 0.05 < moved < 0.5


def test_the_histograms_of_2014(made):
    """Ganzfried and Sandholm print 0.634, 0.633 and a distance of 0.559 in 50 bins."""
    figure = made["ganzfried-2014"]
    table = figure.table("histograms")
    assert f"{figure.facts['E[HS] KcQc']:.3f}" == "0.634" and f"{figure.facts['E[HS] 6c6d']:.3f}" == "0.633"
    assert figure.facts["bins apart, flop pair"] == pytest.approx(0.559, abs=5e-4)
    pairs = {"preflop": ("KcQc", "6c6d"), "flop": ("TcQd on 7h9hQh", "5c9d on 3d5d7d")}
    for pair, (one, other) in pairs.items():
        places = np.arange(50)
        apart = wasserstein_distance(places, places, table[one], table[other])
        assert figure.facts[f"bins apart, {pair} pair"] == pytest.approx(apart, abs=1e-12)
        assert table[[one, other]].sum().to_list() == pytest.approx([1, 1])


def test_fixed_ranges_leave_one_of_ten_empty_and_percentiles_none(made):
    figure, flop = made["occupancy"], hand_strength("flop")
    shares = figure.table("shares")
    assert figure.facts["empty fixed ranges"] == 1 and figure.facts["empty percentiles"] == 0
    counted, _ = np.histogram(flop.ehs, np.arange(11) / 10, weights=flop.weight)
    assert list(shares["fixed ranges"]) == pytest.approx(counted / flop.weight.sum(), abs=1e-12)
    assert figure.facts["edges percentiles"][1:-1] == cut(pd.Series(flop.ehs), pd.Series(flop.weight), 10)
    heaviest = pd.Series(flop.weight).groupby(flop.ehs).sum().max() / flop.weight.sum()
    assert np.abs(shares["percentiles"] - 0.1).max() <= heaviest


@pytest.mark.parametrize("name", FIGURES)
def test_provenance_tells_versions_and_checksums_of_every_file(made, name):
    figure = made[name]
    python = ".".join(str(part) for part in sys.version_info[:3])
    assert figure.provenance["versions"]["python"] == python
    assert {"solverlab", "numpy", "numba", "pandas", "matplotlib"} < set(figure.provenance["versions"])
    assert figure.provenance["command"] == f"solverlab figure {name}"
    written = {path.name for path in figure.files}
    assert written == set(figure.provenance["sha256"]) | {f"{name}.json"}
    for file, digest in figure.provenance["sha256"].items():
        assert hashlib.sha256((figure.folder / file).read_bytes()).hexdigest() == digest


@pytest.mark.parametrize("name", FIGURES)
def test_the_picture_is_a_picture(made, name):
    folder = made[name].folder
    assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    svg = (folder / f"{name}.svg").read_text()
    assert "<svg" in svg and "http-equiv" not in svg and "<script" not in svg
