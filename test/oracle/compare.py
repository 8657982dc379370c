"""Compares what the program says of a tensor with what the reference libraries say. Each function returns problems."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dtypes import Dtype
from forms import MAX_SAFE, parse_number, value_forms
from summary import QUANTILES, Summary
from tensors import Tensor

# Approximate quantiles of the dtypes of 32 and 64 bits.
QUANTILE_TOLERANCE = 2.0**-8
ROUNDING = 1e-12


def same_float(dtype: Dtype, got: float, want: float) -> bool:
    """Equality with the sign of zero; NaN equals NaN. Up to 32 bits, the shortest float32 text will do as well."""
    if math.isnan(want) or math.isnan(got):
        return math.isnan(want) and math.isnan(got)
    if dtype.name != "F64":
        with np.errstate(over="ignore"):
            got, want = float(np.float32(got)), float(np.float32(want))
    return got == want and math.copysign(1, got) == math.copysign(1, want)


def same_value(dtype: Dtype, got: Any, want: Any) -> bool:
    """Whether a JSON value of the program stands for the element `want`, in the form of `value_forms`."""
    if dtype.kind == "complex":
        return isinstance(got, list) and len(got) == 2 and all(map(_same_part, [dtype] * 2, got, want))
    if dtype.kind == "float":
        return _same_part(dtype, got, want)
    # Integers have one form: a JSON integer up to 2^53 − 1, text beyond.
    return type(got) is type(want) and got == want


def _same_part(dtype: Dtype, got: Any, want: Any) -> bool:
    try:
        return same_float(dtype, float(parse_number(got)), float(want))
    except ValueError:
        return False


def row_problems(row: dict[str, Any], name: str, tensor: Tensor, offset: int, file: str, index: int) -> list[str]:
    """`loupe tensors`: one row of the list."""
    want = {
        "id": index,
        "name": name,
        "dtype": tensor.dtype.name,
        "shape": tensor.shape,
        "parameters": math.prod(tensor.shape),
        "bytes": len(tensor.raw),
        "file": file,
        "offset": offset,
        "contiguous": True,
        "readable": True,
    }
    return [
        f"{name!r}: {key} is {row.get(key)!r}, not {value!r}"
        for key, value in want.items()
        if type(row.get(key)) is not type(value) or row.get(key) != value
    ]


def value_problems(line: dict[str, Any], name: str, tensor: Tensor) -> list[str]:
    """`loupe dump`: one line."""
    identity = [line.get("name"), line.get("dtype"), line.get("shape")]
    if identity != [name, tensor.dtype.name, tensor.shape]:
        return [f"{name!r}: the line is of {identity!r}"]
    want = value_forms(tensor.dtype, tensor.raw)
    got = line.get("values")
    if not isinstance(got, list) or len(got) != len(want):
        return [f"{name!r}: {len(got) if isinstance(got, list) else got!r} values, not {len(want)}"]
    wrong = [index for index in range(len(want)) if not same_value(tensor.dtype, got[index], want[index])]
    return [
        f"{name!r} {tensor.dtype.name}: value {index} is {got[index]!r}, not {want[index]!r} ({len(wrong)} differ)"
        for index in wrong[:1]
    ]


def _close(got: Any, want: float, tolerance: float) -> bool:
    try:
        return abs(float(parse_number(got)) - want) <= tolerance
    except ValueError:
        return False


def stats_problems(got: dict[str, Any], name: str, dtype: Dtype, want: Summary) -> list[str]:
    """`loupe stats`: one tensor."""
    problems: list[str] = []

    def differ(key: str, expected: Any) -> None:
        problems.append(f"{name!r} {dtype.name}: {key} is {got.get(key)!r}, not {expected!r}")

    counts = {
        "name": name,
        "dtype": dtype.name,
        "count": want.count,
        "nan": want.nan,
        "posInf": want.pos_inf,
        "negInf": want.neg_inf,
        "zeros": want.zeros,
        "subnormals": want.subnormals,
        "distinct": want.distinct,
    }
    for key, expected in counts.items():
        if got.get(key) != expected:
            differ(key, expected)
    if "negZeros" in got and got["negZeros"] != want.neg_zeros:
        differ("negZeros", want.neg_zeros)
    if dtype.small and got.get("exact") is not True:
        differ("exact", True)
    if want.min is None or want.max is None or want.mean is None or want.mean_abs is None or want.std is None:
        for key in ("min", "max", "mean", "std", "histogram"):
            if got.get(key) is not None:
                differ(key, None)
        return problems
    for key, extreme in (("min", want.min), ("max", want.max)):
        if not _same_extreme(dtype, got.get(key), extreme):
            differ(key, extreme)
    # Integers are summed exactly, so cancellation costs them nothing.
    whole = dtype.kind != "float" and dtype.kind != "complex"
    if not _close(got.get("mean"), want.mean, ROUNDING * (abs(want.mean) if whole else want.mean_abs)):
        differ("mean", want.mean)
    if not _close(got.get("std"), want.std, ROUNDING * want.std + (0 if whole else 1e-15 * want.mean_abs)):
        differ("std", want.std)
    return problems + _quantile_problems(got, name, dtype, want) + _histogram_problems(got, name, dtype, want)


def _same_extreme(dtype: Dtype, got: Any, want: int | float) -> bool:
    if isinstance(want, int):
        return (type(got) is int or (type(got) is str and abs(want) > MAX_SAFE)) and int(got) == want
    try:
        # Which zero is the least of −0 and +0 is left open.
        return same_float(dtype, float(parse_number(got)) + 0.0, want)
    except ValueError:
        return False


def _quantile_problems(got: dict[str, Any], name: str, dtype: Dtype, want: Summary) -> list[str]:
    quantiles = got.get("quantiles")
    if not isinstance(quantiles, dict) or set(quantiles) != set(map(str, QUANTILES)):
        return [f"{name!r} {dtype.name}: quantiles are {quantiles!r}"]
    exact = dtype.small or got.get("exact") is True
    problems = []
    for q, expected, (low, high) in zip(QUANTILES, want.quantiles or [], want.bounds or []):
        scale = float(max(abs(low), abs(high)))
        tolerance = ROUNDING * scale if exact else QUANTILE_TOLERANCE * scale + (dtype.min_normal or 0)
        if not _close(quantiles[str(q)], expected, tolerance):
            problems.append(f"{name!r} {dtype.name}: quantile {q} is {quantiles[str(q)]!r}, not {expected!r}")
    return problems[:1]


def _histogram_problems(got: dict[str, Any], name: str, dtype: Dtype, want: Summary) -> list[str]:
    histogram = got.get("histogram")
    where = f"{name!r} {dtype.name}: histogram"
    if dtype.small and want.histogram is None:
        # A constant so large that numpy finds no room for bins around it.
        return []
    if not isinstance(histogram, dict):
        return [f"{where} is {histogram!r}"]
    edges, counts = histogram.get("edges"), histogram.get("counts")
    finite = want.count - want.nan - want.pos_inf - want.neg_inf
    if not isinstance(edges, list) or not isinstance(counts, list) or len(edges) != len(counts) + 1:
        return [f"{where} has no matching edges and counts"]
    if sum(counts) != finite:
        return [f"{where} counts {sum(counts)} of {finite} elements"]
    if want.histogram is None:
        return []
    want_edges, want_counts = want.histogram
    scale = max(abs(want_edges[0]), abs(want_edges[-1]))
    if len(edges) != len(want_edges) or not all(_close(a, b, ROUNDING * scale) for a, b in zip(edges, want_edges)):
        return [f"{where} has edges {edges[:2]!r} … {edges[-1:]!r}, not {want_edges[:2]!r} … {want_edges[-1:]!r}"]
    wrong = [index for index in range(len(counts)) if counts[index] != want_counts[index]]
    return [
        f"{where} bin {index} has {counts[index]}, not {want_counts[index]} ({len(wrong)} differ)"
        for index in wrong[:1]
    ]
