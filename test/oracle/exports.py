"""Exports single tensors with the program and reads them back with numpy and the reference."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
from safetensors import deserialize, safe_open

from dtypes import DTYPES, WRITABLE, Dtype, canonical_f32_bits, elements, to_f32
from loupe import loupe
from names import unique_names
from tensors import Tensor, random_dtype, random_tensor, write


def _f32_problem(dtype: Dtype, raw: bytes, got: np.ndarray) -> str | None:
    want = canonical_f32_bits(to_f32(dtype, raw))
    bits = canonical_f32_bits(np.ascontiguousarray(got).reshape(-1))
    if bits.size != want.size:
        return f"{bits.size} float32 values, not {want.size}"
    wrong = np.flatnonzero(bits != want)
    if wrong.size:
        at = int(wrong[0])
        return f"float32 value {at} has bits {bits[at]:08x}, not {want[at]:08x} ({wrong.size} differ)"
    return None


def _raw_f32(tensor: Tensor, _name: str, path: Path) -> str | None:
    return _f32_problem(tensor.dtype, tensor.raw, np.frombuffer(path.read_bytes(), "<f4"))


def _npy_f32(tensor: Tensor, _name: str, path: Path) -> str | None:
    array = np.load(path, allow_pickle=False)
    if array.dtype != np.float32 or list(array.shape) != tensor.shape:
        return f"npy holds {array.dtype} {array.shape}"
    return _f32_problem(tensor.dtype, tensor.raw, array)


def _npy_native(tensor: Tensor, _name: str, path: Path) -> str | None:
    array = np.load(path, allow_pickle=False)
    want = np.dtype(bool) if tensor.dtype.name == "BOOL" else tensor.dtype.array
    if array.dtype != want or list(array.shape) != tensor.shape:
        return f"npy holds {array.dtype} {array.shape}, not {want} {tensor.shape}"
    return None if array.tobytes() == elements(tensor.dtype, tensor.raw).tobytes() else "npy holds other bytes"


def _safetensors(tensor: Tensor, name: str, path: Path) -> str | None:
    file = path.read_bytes()
    entries = deserialize(file)
    found = [(entry_name, entry["dtype"], entry["shape"]) for entry_name, entry in entries]
    if found != [(name, tensor.dtype.name, tensor.shape)]:
        return f"safetensors holds {found!r}"
    if bytes(entries[0][1]["data"]) != tensor.raw:
        return "safetensors holds other bytes"
    with safe_open(path, "np") as opened:
        metadata = opened.metadata()
    # With two or more metadata keys the reference's own order is random.
    if len(metadata or {}) <= 1 and write({name: tensor}, metadata) != file:
        return "not byte for byte what the reference writes"
    return None


def _safetensors_f32(tensor: Tensor, name: str, path: Path) -> str | None:
    entries = deserialize(path.read_bytes())
    found = [(entry_name, entry["dtype"], entry["shape"]) for entry_name, entry in entries]
    if found != [(name, "F32", tensor.shape)]:
        return f"safetensors holds {found!r}"
    return _f32_problem(tensor.dtype, tensor.raw, np.frombuffer(bytes(entries[0][1]["data"]), "<f4"))


def _any(_dtype: Dtype) -> bool:
    return True


def _real(dtype: Dtype) -> bool:
    return dtype.kind != "complex"


def _has_npy_code(dtype: Dtype) -> bool:
    return dtype.kind in ("int", "bool", "complex") or dtype.name in ("F16", "F32", "F64")


# Options, the dtypes they are tried with, and the reader. Raw f32 of C64 is re, im, re, im, …
FORMS: list[tuple[list[str], Callable[[Dtype], bool], Callable[[Tensor, str, Path], str | None]]] = [
    (["--format", "f32"], _any, _raw_f32),
    (["--format", "npy", "--dtype", "f32"], _real, _npy_f32),
    (["--format", "npy", "--dtype", "native"], _has_npy_code, _npy_native),
    (["--format", "safetensors", "--dtype", "native"], _any, _safetensors),
    (["--format", "safetensors", "--dtype", "f32"], _real, _safetensors_f32),
]


def export_problems(folder: Path, seed: int) -> list[str]:
    """Exports one tensor of a random file in one form. Consecutive seeds go through every form and dtype."""
    rng = random.Random(f"export {seed}")
    options, suits, read_back = FORMS[seed % len(FORMS)]
    dtypes = [name for name in WRITABLE if suits(DTYPES[name])]
    # No argument of a command can hold a NUL.
    names = [name for name in unique_names(rng, 5, odd=4) if "\0" not in name]
    tensors = {name: random_tensor(rng, random_dtype(rng), 50) for name in names}
    chosen = rng.choice(names)
    tensors[chosen] = random_tensor(rng, dtypes[seed // len(FORMS) % len(dtypes)], 3000)
    metadata = rng.choice([None, {"format": "pt"}])
    source, target = folder / f"export-{seed}.safetensors", folder / f"export-{seed}.out"
    source.write_bytes(write(tensors, metadata))
    answer = loupe("export", "-o", str(target), *options, "--json", "--", str(source), chosen).expect_exit(0)
    tensor = tensors[chosen]
    problem = read_back(tensor, chosen, target)
    problems = [] if problem is None else [problem]
    written = answer.json().get("written")
    if written != [{"name": chosen, "path": str(target), "bytes": target.stat().st_size}]:
        problems.append(f"written is {written!r}")
    return [f"{' '.join(options)} {tensor.dtype.name} {tensor.shape} {chosen!r}: {text}" for text in problems]
