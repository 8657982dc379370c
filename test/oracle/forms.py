"""How values are written in JSON, and reading the program's JSON strictly."""

from __future__ import annotations

import json
import math
from typing import Any

from dtypes import Dtype, elements, numbers

MAX_SAFE = 2**53 - 1


def integer_form(value: int) -> int | str:
    """A number up to 2^53 − 1 in magnitude, decimal text beyond."""
    return value if abs(value) <= MAX_SAFE else str(value)


def float_form(value: float) -> float | str:
    """The exact double; "NaN", "Infinity", "-Infinity" and "-0" as strings."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return "-0" if value == 0 and math.copysign(1, value) < 0 else value


def number_form(value: int | float | None) -> int | float | str | None:
    """`integer_form` or `float_form`, None as null."""
    if value is None:
        return None
    return integer_form(value) if isinstance(value, int) else float_form(value)


def value_forms(dtype: Dtype, raw: bytes, limit: int | None = None) -> list[Any]:
    """The elements as JSON values; C64 as [re, im], BOOL as 0 or 1."""
    if dtype.kind in ("int", "bool"):
        return [integer_form(item) for item in elements(dtype, raw)[:limit].tolist()]
    forms = [float_form(item) for item in numbers(dtype, raw).tolist()]
    if dtype.kind == "complex":
        return [list(pair) for pair in zip(forms[0::2], forms[1::2])][:limit]
    return forms[:limit]


def _refuse_constant(token: str) -> None:
    raise ValueError(f"not JSON: {token}")


def read_json(text: str) -> Any:
    """Parses strict JSON: the tokens NaN and Infinity, which Python would take, are refused."""
    return json.loads(text, parse_constant=_refuse_constant)


def parse_number(value: Any) -> int | float:
    """A number from the program's JSON. Booleans and unknown strings are refused."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    if value in ("NaN", "Infinity", "-Infinity"):
        return float(value)
    if isinstance(value, str) and abs(int(value)) > MAX_SAFE:
        return int(value)
    raise ValueError(f"not a number: {value!r}")
