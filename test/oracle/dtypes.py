"""The safetensors dtypes, decoded by numpy and ml_dtypes."""

from __future__ import annotations

from dataclasses import dataclass

import ml_dtypes
import numpy as np


@dataclass(frozen=True)
class Dtype:
    """One dtype of the format.

    `array` is the numpy dtype of one element (sub-byte floats take a byte each once unpacked); `writer` is the name the
    reference's `serialize` takes, or None where its Python side cannot write the dtype; `min_normal` is the smallest
    normal magnitude, or None where the dtype has no subnormals.
    """

    name: str
    bits: int
    kind: str
    array: np.dtype
    writer: str | None
    min_normal: float | None = None

    def bytes_for(self, count: int) -> int:
        """Bytes of `count` elements. Sub-byte elements must come to whole bytes."""
        assert count * self.bits % 8 == 0
        return count * self.bits // 8

    @property
    def small(self) -> bool:
        """Whether statistics must be exact in every respect (at most 16 bits an element)."""
        return self.bits <= 16


def _int(name: str, numpy_name: str) -> Dtype:
    array = np.dtype(numpy_name).newbyteorder("<")
    return Dtype(name, array.itemsize * 8, "int", array, numpy_name)


_TABLE = [
    Dtype("BOOL", 8, "bool", np.dtype("u1"), "bool"),
    Dtype("F4", 4, "float", np.dtype(ml_dtypes.float4_e2m1fn), "float4_e2m1fn_x2", 1.0),
    Dtype("F6_E2M3", 6, "float", np.dtype(ml_dtypes.float6_e2m3fn), None, 1.0),
    Dtype("F6_E3M2", 6, "float", np.dtype(ml_dtypes.float6_e3m2fn), None, 0.25),
    _int("U8", "uint8"),
    _int("I8", "int8"),
    Dtype("F8_E5M2", 8, "float", np.dtype(ml_dtypes.float8_e5m2), "float8_e5m2", 2.0**-14),
    Dtype("F8_E4M3", 8, "float", np.dtype(ml_dtypes.float8_e4m3fn), "float8_e4m3fn", 2.0**-6),
    Dtype("F8_E8M0", 8, "float", np.dtype(ml_dtypes.float8_e8m0fnu), "float8_e8m0fnu", None),
    Dtype("F8_E4M3FNUZ", 8, "float", np.dtype(ml_dtypes.float8_e4m3fnuz), "float8_e4m3fnuz", 2.0**-7),
    Dtype("F8_E5M2FNUZ", 8, "float", np.dtype(ml_dtypes.float8_e5m2fnuz), "float8_e5m2fnuz", 2.0**-15),
    _int("I16", "int16"),
    _int("U16", "uint16"),
    Dtype("F16", 16, "float", np.dtype("<f2"), "float16", 2.0**-14),
    Dtype("BF16", 16, "float", np.dtype(ml_dtypes.bfloat16), "bfloat16", 2.0**-126),
    _int("I32", "int32"),
    _int("U32", "uint32"),
    Dtype("F32", 32, "float", np.dtype("<f4"), "float32", 2.0**-126),
    Dtype("C64", 64, "complex", np.dtype("<c8"), "complex64", 2.0**-126),
    Dtype("F64", 64, "float", np.dtype("<f8"), "float64", 2.0**-1022),
    _int("I64", "int64"),
    _int("U64", "uint64"),
]

DTYPES = {dtype.name: dtype for dtype in _TABLE}
"""Every dtype by its name, in the serializer's order."""

WRITABLE = [dtype.name for dtype in _TABLE if dtype.writer]
"""What the reference's Python side can write: all but the two F6 dtypes."""


def elements(dtype: Dtype, raw: bytes) -> np.ndarray:
    """One element per array item, in the dtype's own numpy type. F4: low nibble first. F6 has no defined bit order."""
    assert dtype.bits != 6, "the format leaves the bit order of F6 undefined"
    if dtype.bits == 4:
        packed = np.frombuffer(raw, np.uint8)
        return np.stack([packed & 15, packed >> 4], axis=1).reshape(-1).view(dtype.array)
    return np.frombuffer(raw, dtype.array)


def numbers(dtype: Dtype, raw: bytes) -> np.ndarray:
    """Real numbers to compute with: I64 and U64 as they are, all else as exact float64; C64 as re, im, re, im, …"""
    items = elements(dtype, raw)
    if dtype.kind == "complex":
        items = items.view("<f4")
    # Signalling NaNs raise numpy's "invalid" flag; the conversion itself is exact.
    with np.errstate(invalid="ignore"):
        return items if dtype.name in ("I64", "U64") else items.astype(np.float64)


def to_f32(dtype: Dtype, raw: bytes) -> np.ndarray:
    """Every element rounded once to float32 (nearest, ties to even); C64 as re, im, re, im, …"""
    items = elements(dtype, raw)
    if dtype.kind == "complex":
        return items.view("<f4")
    with np.errstate(over="ignore", invalid="ignore"):
        return items.astype("<f4")


CANONICAL_NAN = 0x7FC00000


def canonical_f32_bits(values: np.ndarray) -> np.ndarray:
    """Float32 bit patterns as little-endian uint32, every NaN as 0x7FC00000."""
    bits = np.ascontiguousarray(values, "<f4").view("<u4").copy()
    bits[np.isnan(values)] = CANONICAL_NAN
    return bits


def codes_as_f32_bits(dtype: Dtype) -> np.ndarray:
    """The float32 bits of every code of a float dtype of at most 16 bits, in code order."""
    codes = np.arange(1 << dtype.bits, dtype=np.uint16 if dtype.bits == 16 else np.uint8)
    with np.errstate(invalid="ignore"):
        return canonical_f32_bits(codes.view(dtype.array).astype("<f4"))
