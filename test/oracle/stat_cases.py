"""The arrays of stats.json, each chosen for a way in which statistics go wrong."""

from __future__ import annotations

import base64
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from dtypes import DTYPES, WRITABLE
from summary import summarise
from tensors import pack

SEED = 77
Case = tuple[str, str, list[int], bytes]


def _case(name: str, dtype_name: str, values: Any, shape: list[int] | None = None) -> Case:
    """A case from numbers, converted as numpy and ml_dtypes do. C64 takes complex numbers."""
    dtype = DTYPES[dtype_name]
    items = np.array(values, np.complex128 if dtype.kind == "complex" else None)
    with np.errstate(over="ignore"):
        items = np.array(values, dtype.array) if dtype.kind == "int" else items.astype(dtype.array)
    return name, dtype_name, [items.size] if shape is None else shape, pack(dtype, items.reshape(-1))


def _normal(rng: random.Random, count: int, mean: float = 0.0, std: float = 0.02) -> np.ndarray:
    return np.array([rng.gauss(mean, std) for _ in range(count)])


def _healthy(rng: random.Random) -> Iterator[Case]:
    for name, count in [("F64", 240), ("F32", 600), ("F16", 800), ("BF16", 800)]:
        yield _case(f"normal {name}", name, _normal(rng, count), [20, count // 20])
    for name in ["F8_E4M3", "F8_E5M2", "F8_E4M3FNUZ", "F8_E5M2FNUZ", "F4"]:
        yield _case(f"normal {name}", name, _normal(rng, 600, std=1.0), [3, 10, 20])
    yield _case("scales F8_E8M0", "F8_E8M0", [2.0 ** rng.randint(-12, 3) for _ in range(300)])
    yield _case("normal C64", "C64", _normal(rng, 90) + 1j * _normal(rng, 90, 1.0), [9, 10])
    for name in WRITABLE:
        dtype = DTYPES[name]
        if dtype.kind == "int":
            yield f"random {name}", name, [12, 20], rng.randbytes(dtype.bytes_for(240))
    yield _case("random BOOL", "BOOL", [rng.getrandbits(1) for _ in range(300)])
    yield _case("shifted BF16", "BF16", _normal(rng, 500, 3.0, 0.5))


def _codes() -> Iterator[Case]:
    for name in WRITABLE:
        dtype = DTYPES[name]
        if dtype.bits == 8 and dtype.kind != "bool":
            yield f"every code of {name}", name, [16, 16], bytes(range(256))
    yield "every code of F4", "F4", [16], bytes(low | (low + 1) << 4 for low in range(0, 16, 2))
    yield "every 97th code of F16", "F16", [676], np.arange(0, 65536, 97).astype("<u2").tobytes()
    yield "every 89th code of BF16", "BF16", [737], np.arange(0, 65536, 89).astype("<u2").tobytes()


def _degenerate() -> Iterator[Case]:
    for name, value in [("F32", 0.1), ("BF16", 0.1), ("F16", -3.0), ("F8_E4M3", 1.5), ("F64", 1 / 3), ("U8", 7)]:
        yield _case(f"constant {name}", name, [value] * 100)
    yield _case("constant 2^53 + 1", "I64", [2**53 + 1] * 100)
    yield _case("constant huge BF16", "BF16", [3e38] * 10)
    for name in ["F32", "I32", "BOOL", "F4"]:
        yield _case(f"all zero {name}", name, [0] * 64)
    for name in ["BF16", "F16", "F32", "F8_E5M2"]:
        yield _case(f"both zeros {name}", name, [0.0, -0.0, -0.0] * 5)
    yield _case("only negative zeros", "F64", [-0.0] * 8)
    for name in ["F64", "F32", "F16", "BF16", "F8_E4M3", "F8_E5M2", "F8_E4M3FNUZ", "F8_E8M0"]:
        yield _case(f"all NaN {name}", name, [np.nan] * 20)
    yield _case("only infinities", "F32", [np.inf, -np.inf, np.inf])
    yield _case("only infinities", "BF16", [np.inf, -np.inf, np.inf])
    for name in ["F32", "BF16", "I64"]:
        yield _case(f"single {name}", name, [5])
    yield _case("scalar F64", "F64", -2.5, [])
    yield _case("scalar BOOL", "BOOL", 1, [])
    yield _case("two F4", "F4", [-6, 0.5])
    for name, shape in [("F32", [0, 3]), ("BF16", [0]), ("I64", [4, 0, 2]), ("F4", [0]), ("C64", [0]), ("BOOL", [0])]:
        yield f"empty {name}", name, shape, b""


def _non_finite(rng: random.Random) -> Iterator[Case]:
    for name in ["F64", "F32", "F16", "BF16", "F8_E5M2"]:
        values = [*_normal(rng, 60, std=1.0), *[np.inf] * 3, *[-np.inf] * 2, *[np.nan] * 5, 0.0, -0.0]
        rng.shuffle(values)
        yield _case(f"with NaN and infinities {name}", name, values)
    yield _case("with NaN and infinities C64", "C64", [1 + 2j, complex(np.nan, 1), complex(-np.inf, np.inf), 0j])


def _extremes(rng: random.Random) -> Iterator[Case]:
    for name, tiny, normal in [
        ("F64", 2.0**-1074, 2.0**-1022),
        ("F32", 2.0**-149, 2.0**-126),
        ("F16", 2.0**-24, 2.0**-14),
        ("BF16", 2.0**-133, 2.0**-126),
    ]:
        values = [tiny * rng.randint(-40, 40) for _ in range(80)] + [normal, -normal]
        yield _case(f"subnormals {name}", name, values)
    yield _case("huge F64", "F64", [1.7e308, -1.7e308, 1.7976931348623157e308, 1.6e308, -1.5e308])
    yield _case("huge F64, one sign", "F64", [1.7e308, 1.6e308, 1.5e308, 1.7e308])
    yield _case("tiny and huge F64", "F64", [2.0**-1074, 1e300, -1e-300, 3.0, -1e300])
    yield _case("huge F32", "F32", [3.4028234663852886e38, -3.4028234663852886e38, 3e38, 3e38, 1e-45])
    yield _case("huge BF16", "BF16", [3.3895313892515355e38, -3.3895313892515355e38, 3e38, 1.0])
    yield _case("cancellation F64", "F64", [1e16, 1.0, -1e16] * 30)
    yield _case("small spread on a large mean F64", "F64", _normal(rng, 300, 1e8, 1e-3))
    yield _case("small spread on a large mean F32", "F32", _normal(rng, 400, 65536.0, 0.02))
    yield _case("small spread on a large mean BF16", "BF16", _normal(rng, 400, 256.0, 1.0))
    yield _case("cancellation F32", "F32", [1e8, 1.0, -1e8, 1e-8] * 40)
    for name in ["I32", "I64", "I16", "I8"]:
        info = np.iinfo(DTYPES[name].array)
        yield _case(f"extremes {name}", name, [info.min, info.max, 0, -1, info.min, info.max])
    for name in ["U16", "U32", "U64"]:
        top = int(np.iinfo(DTYPES[name].array).max)
        yield _case(f"extremes {name}", name, [top, 0, top - 1, top])
    yield _case("all U64 maximum", "U64", [2**64 - 1] * 50)
    yield _case("cancellation I64", "I64", [2**62 + 1, -(2**62)] * 40)
    yield _case("neighbours above 2^53", "I64", [2**53 + 1, 2**53 + 3])
    yield _case("sum beyond 2^63", "I64", [2**63 - 1] * 3 + [2**63 - 7])


def make_stats() -> dict[str, Any]:
    """The fixture stats.json."""
    rng = random.Random(SEED)
    cases = [*_healthy(rng), *_codes(), *_degenerate(), *_non_finite(rng), *_extremes(rng)]
    return {
        "cases": [
            {
                "name": name,
                "dtype": dtype_name,
                "shape": shape,
                "base64": base64.b64encode(raw).decode(),
                "expected": summarise(DTYPES[dtype_name], raw).to_json(DTYPES[dtype_name]),
            }
            for name, dtype_name, shape, raw in cases
        ]
    }
