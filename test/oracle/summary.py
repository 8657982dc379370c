"""Exact statistics of one tensor, over rational numbers where floating point would round."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dtypes import Dtype, numbers
from forms import number_form

QUANTILES = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99]
BINS = 128


@dataclass(frozen=True)
class Summary:
    """What `loupe stats` prints, with what a test needs to choose its tolerances.

    `mean_abs` is the mean magnitude of the finite elements. `bounds` holds, per quantile, the two order statistics that
    it lies between.
    """

    count: int
    nan: int
    pos_inf: int
    neg_inf: int
    zeros: int
    neg_zeros: int
    subnormals: int
    min: int | float | None
    max: int | float | None
    mean: float | None
    mean_abs: float | None
    std: float | None
    quantiles: list[float] | None
    bounds: list[tuple[int | float, int | float]] | None
    distinct: int | None
    histogram: tuple[list[float], list[int]] | None

    def to_json(self, dtype: Dtype) -> dict[str, Any]:
        """The fixture's form of a summary."""
        names = [str(q) for q in QUANTILES]
        out: dict[str, Any] = {
            "count": self.count,
            "nan": self.nan,
            "posInf": self.pos_inf,
            "negInf": self.neg_inf,
            "zeros": self.zeros,
            "negZeros": self.neg_zeros,
            "subnormals": self.subnormals,
            "min": number_form(self.min),
            "max": number_form(self.max),
            "mean": self.mean,
            "meanAbs": self.mean_abs,
            "std": self.std,
            "quantiles": None if self.quantiles is None else dict(zip(names, self.quantiles)),
            "distinct": self.distinct,
        }
        if dtype.small:
            out["histogram"] = (
                None if self.histogram is None else {"edges": self.histogram[0], "counts": self.histogram[1]}
            )
        elif self.bounds is not None:
            out["quantileBounds"] = {
                name: [number_form(low), number_form(high)] for name, (low, high) in zip(names, self.bounds)
            }
        return out


def _to_float(value: Fraction) -> float:
    # int / int rounds correctly and a mean or deviation never exceeds the largest magnitude, so it cannot overflow.
    return value.numerator / value.denominator


def _sqrt(value: Fraction) -> float:
    """The square root of a rational, to well beyond a double's precision before the one rounding."""
    shift = max(0, 160 - (value.numerator.bit_length() - value.denominator.bit_length()))
    shift += shift % 2
    root = math.isqrt((value.numerator << shift) // value.denominator)
    return _to_float(Fraction(root, 1 << (shift // 2)))


def _as_integers(values: list[int] | list[float]) -> tuple[list[int], int]:
    """Numerators over one common denominator (a power of two)."""
    ratios = [value.as_integer_ratio() for value in values]
    scale = max(denominator for _, denominator in ratios)
    return [numerator * (scale // denominator) for numerator, denominator in ratios], scale


def _moments(values: list[int] | list[float]) -> tuple[float, float, float]:
    """Mean, mean magnitude and population standard deviation, each rounded once."""
    integers, scale = _as_integers(values)
    count = len(integers)
    total = sum(integers)
    squares = sum(value * value for value in integers)
    variance = Fraction(squares * count - total * total, (count * scale) ** 2)
    return (
        _to_float(Fraction(total, count * scale)),
        _to_float(Fraction(sum(map(abs, integers)), count * scale)),
        _sqrt(variance),
    )


def _exact_quantile(ordered: list[int] | list[float], q: float) -> float:
    """numpy's linear rule over rationals: interpolate at (n − 1)·q, with q as its decimal text says."""
    position = Fraction(str(q)) * (len(ordered) - 1)
    low = position.numerator // position.denominator
    high = min(low + 1, len(ordered) - 1)
    a, b = Fraction(ordered[low]), Fraction(ordered[high])
    return _to_float(a + (b - a) * (position - low))


def _quantiles(finite: np.ndarray, ordered: list[int] | list[float]) -> list[float]:
    """np.quantile's answer; the exact one for 64-bit integers and where numpy's own arithmetic overflows."""
    exact = [_exact_quantile(ordered, q) for q in QUANTILES]
    if finite.dtype != np.float64:
        return exact
    with np.errstate(over="ignore", invalid="ignore"):
        theirs = np.quantile(finite, QUANTILES).tolist()
    scale = max(abs(ordered[0]), abs(ordered[-1]))
    for ours, other in zip(exact, theirs):
        assert not math.isfinite(other) or abs(ours - other) <= 1e-12 * scale, (ours, other)
    return [other if math.isfinite(other) else ours for ours, other in zip(exact, theirs)]


def _bounds(ordered: list[int] | list[float]) -> list[tuple[int | float, int | float]]:
    last = len(ordered) - 1
    positions = [Fraction(str(q)) * last for q in QUANTILES]
    return [(ordered[math.floor(p)], ordered[math.ceil(p)]) for p in positions]


def _histogram(finite: np.ndarray, bins: int) -> tuple[list[float], list[int]] | None:
    """np.histogram's; None where [v − 0.5, v + 0.5], its range around a constant v, has no room for that many bins."""
    try:
        counts, edges = np.histogram(finite, bins)
    except ValueError:
        return None
    return (edges.tolist(), counts.tolist()) if (np.diff(edges) > 0).all() else None


def summarise(dtype: Dtype, raw: bytes, bins: int = BINS) -> Summary:
    """The statistics of a tensor's bytes. `min … histogram` are over the finite elements; C64 counts its parts."""
    items = numbers(dtype, raw)
    is_float = items.dtype == np.float64
    nan = np.isnan(items) if is_float else np.zeros(items.shape, bool)
    infinite = np.isinf(items) if is_float else nan
    finite = items[~nan & ~infinite]
    zero = items == 0
    magnitude = np.abs(finite) if is_float else finite
    tiny = 0 if dtype.min_normal is None else int(((magnitude > 0) & (magnitude < dtype.min_normal)).sum())
    whole = dtype.kind in ("int", "bool")
    listed = [int(value) for value in finite.tolist()] if whole else finite.tolist()
    ordered = sorted(listed)
    mean, mean_abs, std = _moments(listed) if listed else (None, None, None)
    return Summary(
        count=len(items),
        nan=int(nan.sum()),
        pos_inf=int((infinite & (items > 0)).sum()),
        neg_inf=int((infinite & (items < 0)).sum()),
        zeros=int(zero.sum()),
        neg_zeros=int((zero & np.signbit(items)).sum()) if is_float else 0,
        subnormals=tiny,
        # Adding 0 takes the sign off −0.
        min=ordered[0] + 0 if ordered else None,
        max=ordered[-1] + 0 if ordered else None,
        mean=mean,
        mean_abs=mean_abs,
        std=std,
        quantiles=_quantiles(finite, ordered) if ordered else None,
        bounds=_bounds(ordered) if ordered else None,
        distinct=len(set(items[~nan].tolist())) + int(nan.any()) if dtype.small else None,
        histogram=_histogram(finite, bins) if ordered and dtype.small else None,
    )


def summarise_together(parts: list[tuple[Dtype, bytes]]) -> dict[str, Any]:
    """The statistics of several tensors as one, in the form of `Summary.to_json`; of the tensors only their numbers count."""
    each = [summarise(dtype, raw) for dtype, raw in parts]
    small = all(dtype.small for dtype, _ in parts)
    values: list[int | float] = []
    special: set[str] = set()
    for dtype, raw in parts:
        items = numbers(dtype, raw)
        whole = dtype.kind in ("int", "bool")
        listed = [int(item) for item in items.tolist()] if whole else items.tolist()
        values += [value for value in listed if math.isfinite(value)]
        special |= {str(value) for value in listed if not math.isfinite(value)}
    ordered = sorted(values)
    mean, mean_abs, std = _moments(values) if values else (None, None, None)
    # Of dtypes up to 16 bits every value is a double.
    finite = np.array(values, np.float64)
    names = [str(q) for q in QUANTILES]
    extremes = [value + 0 for value in (ordered[0], ordered[-1])] if ordered else [None, None]
    out: dict[str, Any] = {
        "count": sum(one.count for one in each),
        "nan": sum(one.nan for one in each),
        "posInf": sum(one.pos_inf for one in each),
        "negInf": sum(one.neg_inf for one in each),
        "zeros": sum(one.zeros for one in each),
        "negZeros": sum(one.neg_zeros for one in each),
        "subnormals": sum(one.subnormals for one in each),
        "min": number_form(extremes[0]),
        "max": number_form(extremes[1]),
        "mean": mean,
        "meanAbs": mean_abs,
        "std": std,
        "quantiles": None,
        "distinct": len(set(finite.tolist())) + len(special) if small else None,
    }
    if ordered:
        exact = _quantiles(finite, ordered) if small else [_exact_quantile(ordered, q) for q in QUANTILES]
        out["quantiles"] = dict(zip(names, exact))
        bounds = [[number_form(a), number_form(b)] for a, b in _bounds(ordered)]
        histogram = _histogram(finite, BINS) if small else None
        if small:
            out["histogram"] = None if histogram is None else {"edges": histogram[0], "counts": histogram[1]}
        else:
            out["quantileBounds"] = dict(zip(names, bounds))
    elif small:
        out["histogram"] = None
    return out
