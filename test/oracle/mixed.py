"""The fixture mixed-1000: a file of the reference with 1,000 tensors, and what a reader must make of it."""

from __future__ import annotations

import hashlib
import json
import random
from typing import Any

from dtypes import WRITABLE, canonical_f32_bits, to_f32
from forms import value_forms
from names import unique_names
from tensors import Tensor, random_tensor, write

SEED = 1000
# One entry: with two or more, the reference writes them in a different order each time.
METADATA = {'odd "key"\n\U0001f600': 'value with \\ "quotes", \u2028, \x01 and \u00fc\U0001f600'}
FIRST_VALUES = 16
COLUMNS = ["name", "dtype", "shape", "offset", "bytes", "values", "f32Sha256"]


def f32_sha256(tensor: Tensor) -> str:
    """SHA-256 of the whole tensor as little-endian float32, every NaN as 0x7FC00000."""
    return hashlib.sha256(canonical_f32_bits(to_f32(tensor.dtype, tensor.raw)).tobytes()).hexdigest()


def header_entries(file: bytes) -> tuple[int, list[tuple[str, dict[str, Any]]]]:
    """Where the data begins, and the header's tensor entries in order, of a file known to be well formed."""
    length = int.from_bytes(file[:8], "little")
    header = json.loads(file[8 : 8 + length])
    return 8 + length, [(name, entry) for name, entry in header.items() if name != "__metadata__"]


def make_mixed() -> tuple[bytes, dict[str, Any]]:
    """The file and its expected rows in header order."""
    rng = random.Random(SEED)
    tensors: dict[str, Tensor] = {}
    for index, name in enumerate(unique_names(rng, 1000, odd=1000)):
        # Every dtype 50 times; one tensor in forty is larger, so that windows and slices have something to do.
        most = 800 if index % 40 == 0 else 10
        tensors[name] = random_tensor(rng, WRITABLE[index % len(WRITABLE)], most)
    file = write(tensors, METADATA)
    data_begin, entries = header_entries(file)
    rows = []
    for name, entry in entries:
        tensor = tensors[name]
        begin, end = entry["data_offsets"]
        assert entry["dtype"] == tensor.dtype.name and entry["shape"] == tensor.shape
        assert file[data_begin + begin : data_begin + end] == tensor.raw
        rows.append(
            [
                name,
                entry["dtype"],
                entry["shape"],
                data_begin + begin,
                end - begin,
                value_forms(tensor.dtype, tensor.raw, FIRST_VALUES),
                f32_sha256(tensor),
            ]
        )
    expected = {
        "file": "mixed-1000.safetensors",
        "bytes": len(file),
        "sha256": hashlib.sha256(file).hexdigest(),
        "metadata": METADATA,
        "columns": COLUMNS,
        "rows": rows,
    }
    return file, expected
