"""Tensors of stats.json taken together, as those of a folder or a whole model are, across dtypes."""

from __future__ import annotations

import base64
from typing import Any

from dtypes import DTYPES
from summary import summarise_together

GROUPS: list[tuple[str, list[str]]] = [
    ("two of one dtype", ["normal BF16", "shifted BF16"]),
    ("floats of 16 bits", ["normal F16", "normal BF16", "with NaN and infinities F16", "both zeros BF16"]),
    ("floats of 4 to 16 bits", ["normal F4", "normal F8_E4M3", "normal F8_E5M2FNUZ", "scales F8_E8M0", "normal F16"]),
    ("every code of all small floats", ["every code of F8_E4M3", "every code of F8_E5M2", "every 97th code of F16"]),
    ("small integers and BOOL", ["random I8", "random U16", "random BOOL", "extremes I16"]),
    ("weights and their norms", ["normal BF16", "normal F32"]),
    ("floats of 32 and 64 bits", ["normal F32", "normal F64", "normal C64"]),
    ("all floats", ["normal F64", "normal F32", "normal F16", "normal BF16", "normal F8_E4M3", "normal C64"]),
    ("non-finite ones", [f"with NaN and infinities {name}" for name in ["F64", "F32", "BF16", "C64"]]),
    ("subnormals", ["subnormals F64", "subnormals F32", "subnormals BF16", "subnormals F16"]),
    ("huge ones", ["huge F64", "huge F32", "huge BF16", "extremes I64", "all U64 maximum"]),
    ("integers of 64 bits and floats", ["cancellation I64", "normal F32", "sum beyond 2^63", "constant 2^53 + 1"]),
    ("cancellation", ["cancellation F64", "cancellation F32", "small spread on a large mean BF16"]),
    ("zeros", ["all zero F32", "both zeros BF16", "only negative zeros", "all zero I32"]),
    ("nothing finite", ["all NaN F32", "all NaN BF16", "only infinities"]),
    ("nothing at all", ["empty F32", "empty BF16", "empty I64"]),
]


def make_merged(cases: list[dict[str, Any]]) -> dict[str, Any]:
    """The fixture merged-stats.json. A group's cases are given by their places in stats.json."""
    out = []
    for group, names in GROUPS:
        places = [place for place, case in enumerate(cases) if case["name"] in names]
        assert {cases[place]["name"] for place in places} == set(names), group
        parts = [(DTYPES[cases[place]["dtype"]], base64.b64decode(cases[place]["base64"])) for place in places]
        out.append({"name": group, "cases": places, "expected": summarise_together(parts)})
    return {"groups": out}
