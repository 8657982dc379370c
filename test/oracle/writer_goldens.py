"""Small files of the reference's serializer, for the writer's unit tests: what to write, and the bytes it must come to."""

from __future__ import annotations

import base64
import random
from collections.abc import Iterator
from typing import Any

from dtypes import WRITABLE
from names import unique_names
from tensors import Tensor, random_dtype, random_tensor, write

Case = tuple[str, dict[str, Tensor], dict[str, str] | None]
"""What it shows, the tensors in the order they are handed over, and the metadata."""


def random_metadata(rng: random.Random, empty_allowed: bool) -> dict[str, str] | None:
    """At most one key: the reference leaves the order of several to chance. Empty metadata without tensors breaks it."""
    kind = rng.randrange(4)
    if kind == 0:
        return None
    if kind == 1:
        return {} if empty_allowed else None
    if kind == 2:
        return {"format": "pt"}
    return {
        rng.choice(["", "k", '"\\\n', "\u2028", "\U0001f600", "10"]): rng.choice(["", "v", "\x00\x1f\x7f", "\u00e9"])
    }


def random_dictionary(seed: int, most: int) -> tuple[dict[str, Tensor], dict[str, str] | None]:
    """Tensors of every kind under odd and usual names, in random order."""
    rng = random.Random(f"dictionary {seed}")
    count = rng.choice([0, 1, 1, 2, 3, 5, 8, 13])
    names = unique_names(rng, count, odd=rng.randrange(count + 1))
    tensors = {name: random_tensor(rng, random_dtype(rng), rng.choice([1, 8, most])) for name in names}
    return tensors, random_metadata(rng, count > 0)


def _cases() -> Iterator[Case]:
    rng = random.Random("goldens")
    yield "nothing", {}, None
    yield "metadata alone", {}, {"framework": "pt"}
    yield "empty metadata beside a tensor", {"a": random_tensor(rng, "F32", 4)}, {}
    yield (
        "every dtype, handed over in ascending order",
        {d: random_tensor(rng, d, 6) for d in WRITABLE},
        {"format": "pt"},
    )
    names = unique_names(rng, 24, odd=24)
    yield "odd names of one dtype", {name: random_tensor(rng, "U8", 2) for name in names}, None
    for seed in range(20):
        tensors, metadata = random_dictionary(seed, 24)
        yield f"dictionary {seed}", tensors, metadata


def as_json(tensors: dict[str, Tensor], metadata: dict[str, str] | None) -> dict[str, Any]:
    """What to write, as the JavaScript side reads it."""
    return {
        "metadata": metadata,
        "tensors": [
            {
                "name": name,
                "dtype": tensor.dtype.name,
                "shape": tensor.shape,
                "base64": base64.b64encode(tensor.raw).decode(),
            }
            for name, tensor in tensors.items()
        ],
    }


def writer_goldens() -> Iterator[dict[str, Any]]:
    """Every case with the reference's file."""
    for what, tensors, metadata in _cases():
        file = base64.b64encode(write(tensors, metadata)).decode()
        yield {"what": what, **as_json(tensors, metadata), "file_base64": file}
