"""The mouth shapes that speech needs, as mixtures of a few movements of jaw and lips.

These are ``open`` (jaw down), ``wide`` (corners apart), ``pucker`` (lips round and forward), ``press`` (together),
``upper`` (upper lip up), ``lower`` (lower lip down) and ``tuck`` (lower lip under teeth).
"""

from __future__ import annotations

VISEMES: dict[str, dict[str, float]] = {
    "viseme_sil": {"press": 0.12},
    "viseme_PP": {"press": 1.0, "pucker": 0.15},
    "viseme_FF": {"open": 0.08, "tuck": 1.0, "upper": 0.35},
    "viseme_TH": {"open": 0.24, "lower": 0.25, "wide": 0.1, "upper": 0.1},
    "viseme_DD": {"open": 0.22, "wide": 0.15, "upper": 0.25, "lower": 0.25},
    "viseme_kk": {"open": 0.28, "wide": 0.12, "upper": 0.1},
    "viseme_CH": {"open": 0.14, "pucker": 0.6, "upper": 0.45, "lower": 0.5},
    "viseme_SS": {"open": 0.06, "wide": 0.5, "upper": 0.3, "lower": 0.45},
    "viseme_nn": {"open": 0.2, "wide": 0.1, "lower": 0.15},
    "viseme_RR": {"open": 0.18, "pucker": 0.45, "lower": 0.15},
    "viseme_aa": {"open": 0.85, "upper": 0.15, "lower": 0.1},
    "viseme_E": {"open": 0.38, "wide": 0.5, "upper": 0.2, "lower": 0.2},
    "viseme_I": {"open": 0.2, "wide": 0.8, "upper": 0.15},
    "viseme_O": {"open": 0.52, "pucker": 0.7},
    "viseme_U": {"open": 0.22, "pucker": 1.0},
}
