"""The words beside the cloud: a hand, a brushed box, the boundaries of every sequence."""

from __future__ import annotations

import numpy as np

from solverlab.abstraction.hand_path import Path
from solverlab.abstraction.one_hand import HandStrength
from solverlab.abstraction.trials import SampledStrength
from solverlab.cards.cards import STREETS
from solverlab.ui.abstraction.hand import cards_of, mates
from solverlab.ui.abstraction.html import Markup, cards, facts, span, swatch, table
from solverlab.ui.abstraction.streets import Labelled
from solverlab.views.bucket_raster import Cloud
from solverlab.views.buckets import METRICS
from solverlab.views.theme import LIGHT

LISTED = 200  # rows of a list that anybody reads
# What the document writes as an illustration; the numbers beside them are measured.
ILLUSTRATION = {"1:1": (0.0, 0.1), "1:5": (0.4, 1.0), "5:1": (0.0, 0.3), "5:5": (0.9, 1.0)}


def path_html(path: Path, colours: list[str]) -> str:
    """A hand's name, its sequence, and a row a street."""
    hand = path.last
    where = f" on {cards(hand.board)}" if hand.board else ""
    rows = [
        (
            stop.street,
            f"{stop.hand.ehs:.4f}",
            f"{stop.hand.ehs2:.4f}",
            swatch(colours[stop.bucket - 1] if stop.bucket <= len(colours) else LIGHT.edge, str(stop.bucket)),
            f"{METRICS[stop.metric]} {span(stop.low, stop.high)}",
        )
        for stop in path.stops
    ]
    more = {}
    if hand.street in ("flop", "turn"):
        more = {
            "ahead now": f"{hand.hs:.3f}",
            "positive potential": f"{hand.positive_potential:.3f}",
            "negative potential": f"{hand.negative_potential:.3f}",
        }
    numbers = facts(**more, variance=f"{hand.variance:.4f}")
    name = f"<span class='hand'>{cards(hand.hole)}{where}</span>"
    title = f"<p>{name} &nbsp; <span class='path'>{path.sequence}</span></p>"
    return title + table(("street", "E[HS]", "E[HS²]", "bucket", "its range"), rows, text=(3,)) + numbers


def trials_html(trials: SampledStrength, exact: HandStrength) -> str:
    """What random trials say beside the exact value, and how many standard errors they are off."""
    off = abs(trials.ehs - exact.ehs) / trials.ehs_error if trials.ehs_error else 0.0
    said = f"{trials.trials:,} random trials say E[HS] <b>{trials.ehs:.4f} ± {trials.ehs_error:.4f}</b>"
    return f"<p class='trials'>{said}; exact is <b>{exact.ehs:.4f}</b>, {off:.1f} standard errors away.</p>"


def mates_html(labelled: Labelled, index: int) -> str:
    """Who shares a bucket with a hand."""
    count, found = mates(labelled, index)
    name = labelled.sequence(index)
    if not count:
        return f"<h2>Bucket {name} holds no other hand.</h2>"
    strength = labelled.strength
    rows = []
    for mate in found:
        hole, board = cards_of(strength, mate.index)
        rows.append(
            (
                _deal(hole, board),
                f"{strength.ehs[mate.index]:.3f}",
                f"{strength.ehs2[mate.index]:.3f}",
                mate.why,
            )
        )
    head = f"<h2>Bucket mates <small>{count:,} other hands of {name}, played exactly like it</small></h2>"
    return head + table(("hand", "E[HS]", "E[HS²]", ""), rows, text=(3,))


def _deal(hole: str, board: str) -> Markup:
    return Markup(f"{cards(hole)} {cards(board)}")


def brush_html(labelled: Labelled, inside: Cloud) -> str:
    """The hands of a box: by bucket with their mates outside it, then one by one."""
    if not inside.size:
        return "<p>No hand lies in this box.</p>"
    here = np.bincount(inside.code, minlength=len(labelled.names))
    everywhere = np.bincount(labelled.cloud.code, minlength=len(labelled.names))
    rows = [
        (swatch(labelled.colours[b], labelled.names[b]), f"{here[b]:,}", f"{everywhere[b] - here[b]:,}")
        for b in np.flatnonzero(here)
    ]
    words = "1 hand" if inside.size == 1 else f"{inside.size:,} hands"
    head = f"<p class='count'><b>{words}</b> in {len(rows)} bucket{'s' * (len(rows) != 1)}</p>"
    head += table(("bucket", "in the box", "mates outside it"), rows)
    return head + hands_html(labelled, inside)


def hands_html(labelled: Labelled, part: Cloud) -> str:
    """A list of hands; of many, some drawn at random."""
    chosen, note = part, ""
    if part.size > LISTED:
        draws = np.sort(np.random.default_rng(0).choice(part.size, LISTED, replace=False))
        chosen, note = (
            part.take(draws),
            f" <small>{LISTED} of {part.size:,}, drawn at random; the CSV has more</small>",
        )
    rows = []
    for index, code in zip(chosen.index.tolist(), chosen.code.tolist(), strict=True):
        hole, board = cards_of(labelled.strength, index)
        bucket = swatch(labelled.colours[code], labelled.sequence(index))
        rows.append(
            (
                _deal(hole, board),
                bucket,
                f"{labelled.strength.ehs[index]:.4f}",
                f"{labelled.strength.ehs2[index]:.4f}",
            )
        )
    return f"<h2>Hands{note}</h2>" + table(("hand", "bucket", "E[HS]", "E[HS²]"), rows, text=(1,))


def boundaries_html(labelled: Labelled) -> str:
    """The range of every bucket of the street, one row a sequence so far."""
    choice, sequences = labelled.choice, labelled.sequences
    metric = METRICS[choice.ordered_by]
    if choice.clusters:
        return _clusters_html(labelled)
    if sequences is None:
        edges = labelled.fit.edges_
        rows = [
            (swatch(c, n), span(a, b))
            for c, n, a, b in zip(labelled.colours, labelled.names, edges, edges[1:], strict=False)
        ]
        return f"<h2>Boundaries of {metric} <small>the same for every sequence</small></h2>" + table(
            ("bucket", "range"), rows
        )
    edges = sequences.edges(choice.street)
    depth = STREETS.index(choice.street)
    shown = range(min(len(edges), 400))
    names = [sequences.name(p, STREETS[depth - 1]) if depth else "deal" for p in shown]
    heads = ("so far", *(f"{b} | {b + 1}" for b in range(1, edges.shape[1] - 1)))
    rows = [(name, *(f"{edge:.3f}" for edge in edges[p][1:-1])) for p, name in zip(shown, names, strict=True)]
    chosen = names.index(choice.prefix) if choice.prefix in names else -1
    note = "where one bucket ends and the next begins, for every sequence so far"
    out = f"<h2>Boundaries of {metric} on the {choice.street} <small>{note}</small></h2>" + table(
        heads, rows, chosen
    )
    if choice.scheme == "nested":
        out += _inner_html(sequences, choice.street, shown, names)
    return out + _illustration_html(labelled)


def _clusters_html(labelled: Labelled) -> str:
    """Clusters have no boundaries; the ranges they span overlap."""
    rows = [
        (swatch(colour, row.bucket), span(row.low_ehs, row.high_ehs), span(row.low_ehs2, row.high_ehs2))
        for colour, row in zip(labelled.colours, labelled.table.itertuples(), strict=True)
    ]
    head = "<h2>Clusters have no boundaries <small>the ranges they span overlap</small></h2>"
    return head + table(("bucket", "E[HS]", "E[HS²]"), rows)


def _inner_html(sequences, street: str, shown, names: list[str]) -> str:
    """The inner boundaries of nested buckets."""
    inner, n = sequences.edges(street, 1), sequences.steps[0][1]
    rows = [
        (f"{name} / {part + 1}", *(f"{edge:.3f}" for edge in inner[p * n + part][1:-1]))
        for p, name in zip(shown, names, strict=True)
        for part in range(n)
    ]
    heads = ("so far / outer bucket", *(f"cut {k + 1}" for k in range(inner.shape[1] - 2)))
    return "<h2>Inner boundaries of E[HS]</h2>" + table(heads, rows)


def _illustration_html(labelled: Labelled) -> str:
    """The document's illustrative ranges beside the measured ones, where they can be compared."""
    choice, sequences = labelled.choice, labelled.sequences
    if choice.street != "flop" or choice.word != "5" or not sequences.history:
        return ""
    edges = sequences.edges("flop")
    rows = []
    for name, (low, high) in ILLUSTRATION.items():
        before, last = (int(word) - 1 for word in name.split(":"))
        rows.append((name, f"{low:.1f} – {high:.1f}", span(edges[before, last], edges[before, last + 1])))
    head = "<h2>Illustrated and measured <small>the document's example ranges</small></h2>"
    return head + table(("sequence", "illustration", "measured"), rows)
