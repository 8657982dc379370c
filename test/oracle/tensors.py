"""Random tensors and their files, the same on every machine: only Python's own generator is used."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
from safetensors import TensorSpec, serialize

from dtypes import DTYPES, WRITABLE, Dtype


@dataclass(frozen=True)
class Tensor:
    """A tensor to write: `shape` is the logical shape of the header."""

    dtype: Dtype
    shape: list[int]
    raw: bytes


def _normal(rng: random.Random, dtype: Dtype, count: int) -> bytes:
    """Healthy weights: normal values for floats, small numbers for integers."""
    scale = 10.0 ** rng.uniform(-3, 1)
    if dtype.kind == "bool":
        return bytes(rng.getrandbits(1) for _ in range(count))
    if dtype.kind == "int":
        low = 0 if dtype.array.kind == "u" else -100
        return np.array([rng.randint(low, 100) for _ in range(count)], dtype.array).tobytes()
    parts = 2 * count if dtype.kind == "complex" else count
    values = np.array([rng.gauss(0, scale) for _ in range(parts)])
    if dtype.name == "F8_E8M0":
        values = np.abs(values)
    if dtype.kind == "complex":
        return values.astype("<f4").tobytes()
    return pack(dtype, values.astype(dtype.array))


def pack(dtype: Dtype, items: np.ndarray) -> bytes:
    """The bytes of elements as the format stores them. F4: low nibble first."""
    if dtype.bits == 4:
        codes = items.view(np.uint8)
        return (codes[0::2] | (codes[1::2] << 4)).astype(np.uint8).tobytes()
    return items.tobytes()


def _bits(rng: random.Random, dtype: Dtype, count: int) -> bytes:
    """Every bit at random, so NaN, infinities, subnormals and extremes occur."""
    if dtype.kind == "bool":
        return _normal(rng, dtype, count)
    return rng.randbytes(dtype.bytes_for(count))


def _specials(rng: random.Random, dtype: Dtype, count: int) -> bytes:
    """Edge values only, among zeros."""
    if dtype.kind == "bool" or dtype.bits < 8:
        return _bits(rng, dtype, count)
    if dtype.kind == "int":
        info = np.iinfo(dtype.array)
        edges = [info.min, info.max, 0, 1, info.max - 1, info.max // 2]
        if dtype.bits == 64:
            # The last rounds to f32 upwards when rounded once, and down to a tie when it goes through a double.
            edges += [2**53 - 1, 2**53, 2**53 + 1, 2**60 + 2**36 + 1]
        return np.array([rng.choice(edges) for _ in range(count)], dtype.array).tobytes()
    tiny = dtype.min_normal or 1.0
    floats = [0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, tiny, tiny / 2]
    parts = 2 * count if dtype.kind == "complex" else count
    values = np.array([rng.choice(floats) for _ in range(parts)])
    if dtype.name == "F8_E8M0":
        values = np.where(values > 0, values, np.nan)
    if dtype.kind == "complex":
        return values.astype("<f4").tobytes()
    # Formats without infinity or −0 take NaN and 0 for them, as ml_dtypes converts.
    return pack(dtype, values.astype(dtype.array))


def _one_value(rng: random.Random, dtype: Dtype, count: int) -> bytes:
    two = _normal(rng, dtype, 2)
    unit = two[: max(1, dtype.bits // 8)]
    return unit * (dtype.bytes_for(count) // len(unit))


def random_raw(rng: random.Random, dtype: Dtype, count: int) -> bytes:
    """Bytes of `count` elements of one of several kinds."""
    kinds = [_normal] * 5 + [_bits] * 3 + [_specials] * 2 + [_one_value]
    make = rng.choice(kinds)
    if rng.random() < 0.05:
        return bytes(dtype.bytes_for(count))
    return make(rng, dtype, count)


def random_shape(rng: random.Random, dtype: Dtype, most: int) -> list[int]:
    """Up to 5 dimensions and about `most` elements; scalars, sizes of 1 and empty dimensions occur."""
    rank = rng.choice([0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5])
    budget = rng.randint(1, most)
    shape = []
    for _ in range(rank):
        size = rng.choice([1, rng.randint(1, max(1, budget))])
        budget = max(1, budget // size)
        shape.append(size)
    rng.shuffle(shape)
    if shape and rng.random() < 0.06:
        shape[rng.randrange(len(shape))] = 0
    if dtype.bits == 4:
        # The writer doubles the last dimension of its packed dtype, so it is even here, and there is one.
        return [*shape[:-1], shape[-1] + shape[-1] % 2] if shape else [2]
    return shape


def random_tensor(rng: random.Random, name: str, most: int) -> Tensor:
    """A tensor of the dtype called `name`."""
    dtype = DTYPES[name]
    shape = random_shape(rng, dtype, most)
    count = int(np.prod(shape, dtype=np.int64)) if shape else 1
    return Tensor(dtype, shape, random_raw(rng, dtype, count))


def random_dtype(rng: random.Random) -> str:
    """A dtype the reference can write, the usual ones more often."""
    return rng.choice(WRITABLE + ["F32", "BF16", "F16"])


def write(tensors: dict[str, Tensor], metadata: dict[str, str] | None = None) -> bytes:
    """The file that the reference's serializer makes of them."""
    buffers = {name: np.frombuffer(tensor.raw or b"\0", np.uint8) for name, tensor in tensors.items()}
    specs = {}
    for name, tensor in tensors.items():
        shape = list(tensor.shape)
        if tensor.dtype.bits == 4:
            shape[-1] //= 2
        assert tensor.dtype.writer is not None
        specs[name] = TensorSpec(
            dtype=tensor.dtype.writer,
            shape=shape,
            data_ptr=buffers[name].ctypes.data,
            data_len=len(tensor.raw),
        )
    return bytes(serialize(specs, metadata=metadata))
