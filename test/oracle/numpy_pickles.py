"""Writes test/fixtures/pickle/numpy.json: pickles of numpy arrays and numbers, and of tensors by plain pickle.

`{cases: [{name, base64, tensors: {path: {dtype, shape, hex}}}]}`: what this program must list, with the little-endian,
row-major bytes of every tensor as numpy and torch have them after loading. Run with numpy, ml_dtypes and torch.
"""

from __future__ import annotations

import base64
import json
import pickle
import warnings
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import torch

TARGET = Path(__file__).resolve().parents[1] / "fixtures" / "pickle" / "numpy.json"

DTYPES = {
    "bool": "BOOL", "int8": "I8", "int16": "I16", "int32": "I32", "int64": "I64",
    "uint8": "U8", "uint16": "U16", "uint32": "U32", "uint64": "U64",
    "float16": "F16", "float32": "F32", "float64": "F64", "complex64": "C64", "complex128": "C128",
    "bfloat16": "BF16", "float8_e4m3fn": "F8_E4M3", "float8_e5m2": "F8_E5M2",
    "float8_e4m3fnuz": "F8_E4M3FNUZ", "float8_e5m2fnuz": "F8_E5M2FNUZ", "float8_e8m0fnu": "F8_E8M0",
}  # fmt: skip


def _little(array: np.ndarray[Any, Any]) -> bytes:
    """Row-major bytes, little-endian."""
    plain = np.ascontiguousarray(array)
    if plain.dtype.kind == "V" or plain.dtype.itemsize == 1 or plain.dtype.name == "bfloat16":
        return plain.tobytes()
    return plain.astype(plain.dtype.newbyteorder("<")).tobytes()


def _answer(value: Any) -> dict[str, Any]:
    if isinstance(value, torch.Tensor):
        name = str(value.dtype).removeprefix("torch.")
        raw = value.detach().contiguous().flatten().view(torch.uint8).numpy().tobytes()
        return {"dtype": DTYPES[name], "shape": list(value.shape), "hex": raw.hex()}
    array = np.asarray(value)
    return {"dtype": DTYPES[array.dtype.name], "shape": list(array.shape), "hex": _little(array).hex()}


def _find(value: Any, path: str, found: dict[str, Any]) -> None:
    """Tensors under their typed path, as the program names them."""
    if isinstance(value, dict):
        for key, item in value.items():
            _find(item, f"{path}.{key}" if path and isinstance(key, str) else f"{path}{key}" if isinstance(key, str) else f"{path}[{key}]", found)
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            _find(item, f"{path}[{index}]", found)
    elif isinstance(value, np.ndarray) and value.dtype.kind == "O":
        # Its list, in the order of the state.
        for index, item in enumerate(value.flatten(order="A")):
            _find(item, f"{path}[{index}]", found)
    elif isinstance(value, torch.Tensor) or (isinstance(value, (np.ndarray, np.generic)) and np.asarray(value).dtype.name in DTYPES):
        found[path or "tensor"] = _answer(value)


def _case(name: str, value: Any, protocol: int, change: Any = None) -> dict[str, Any]:
    stream = pickle.dumps(value, protocol)
    if change is not None:
        stream = change(stream)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        loaded = pickle.loads(stream)
    found: dict[str, Any] = {}
    _find(loaded, "", found)
    return {"name": name, "base64": base64.b64encode(stream).decode(), "tensors": found}


def _numbers(dtype: Any) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(7)
    raw = rng.integers(0, 256, 12 * np.dtype(dtype).itemsize, dtype=np.uint8)
    if np.dtype(dtype) == np.bool_:
        raw &= 1
    return raw.view(dtype).reshape(2, 3, 2)


def _cases() -> list[dict[str, Any]]:
    cases = []
    plain = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "complex64", "complex128"]
    extra = [ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2, ml_dtypes.float8_e4m3fnuz, ml_dtypes.float8_e5m2fnuz, ml_dtypes.float8_e8m0fnu]
    for protocol in range(6):
        values: dict[str, Any] = {}
        for dtype in [*plain, *extra]:
            array = _numbers(dtype)
            label = np.dtype(dtype).name
            values[label] = {
                "c": array,
                "f": np.asfortranarray(array),
                "view": array[:, ::2, 1:],
                "number": array[0, 0, 0],
                "empty": array[:, :0],
            }
            if dtype in plain:
                values[label]["swapped"] = array.astype(array.dtype.newbyteorder(">"))
                values[label]["swapped_f"] = np.asfortranarray(values[label]["swapped"])
        cases.append(_case(f"every dtype, protocol {protocol}", values, protocol))
    shared = np.arange(4, dtype="f4")
    cases.append(_case("one array in two places", [shared, {"again": shared}], 4))
    cases.append(_case("one alone", shared, 2))
    cases.append(_case("a number alone", np.float32(1.5), 2))
    objects = np.empty((2, 2), dtype=object)
    objects[:] = [[np.arange(2, dtype="i2"), "text"], [None, np.float64(0.5)]]
    cases.append(_case("an array of objects", {"o": objects}, 2))
    cases.append(_case("texts", {"u": np.array(["ab", "c"]), "s": np.array([b"x"]), "n": np.str_("q")}, 2))
    cases.append(_case("optimizer", {"state": {0: {"step": np.int64(3), "m": np.ones((2, 2), "f4")}}, "best_acc": np.float64(0.875)}, 2))
    old = lambda stream: stream.replace(b"numpy._core.multiarray", b"numpy.core.multiarray")
    cases.append(_case("as numpy 1 wrote it", {"a": np.arange(6, dtype="f4").reshape(2, 3), "s": np.float32(2.5)}, 2, old))
    tensor = torch.arange(6, dtype=torch.float32).reshape(2, 3)
    for protocol in range(6):
        value = {"w": tensor, "wt": tensor.t(), "h": torch.ones(3, dtype=torch.bfloat16), "i": torch.tensor(7), "e": torch.ones(2)[:0]}
        cases.append(_case(f"tensors by plain pickle, protocol {protocol}", value, protocol))
    return cases


if __name__ == "__main__":
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in _cases())
    TARGET.write_text('{"cases":[\n' + lines + "\n]}\n", encoding="utf-8", newline="\n")
