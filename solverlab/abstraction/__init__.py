"""Which hands share a row: exact hand strength, and every way to put hands into buckets.

May import `core` and `cards` only; knows no game and no solver. Start reading at `strength` (what a hand is
worth), then `buckets` (how hands are grouped) and `street_buckets` (a whole street at once); `streets` holds
the sums that make it exact. Names load when first used. (`emd` is a function in a module of the same name, so
here that name is the module.)
"""

from __future__ import annotations

from importlib import import_module

_HOME = {
    "BucketSequences": "sequences",
    "FixedRanges": "buckets",
    "HandStrength": "one_hand",
    "KMeans": "kmeans",
    "LinearEHS": "buckets",
    "Nested": "buckets",
    "PRESETS": "buckets",
    "Percentile": "buckets",
    "SampledStrength": "trials",
    "StreetStrength": "strength",
    "Texture": "textures",
    "flop_textures": "textures",
    "hand_strength": "strength",
    "preset": "buckets",
    "representative_flops": "textures",
    "sampled_strength": "trials",
    "street_histograms": "histograms",
    "texture": "textures",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    """Load a public name from its module."""
    if name not in _HOME:
        raise AttributeError(f"solverlab.abstraction has no {name!r}")
    return getattr(import_module(f"solverlab.abstraction.{_HOME[name]}"), name)
