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

from torch_answers import answers

TARGET = Path(__file__).resolve().parents[1] / "fixtures" / "pickle" / "numpy.json"

def _case(name: str, value: Any, protocol: int, change: Any = None) -> dict[str, Any]:
    stream = pickle.dumps(value, protocol)
    if change is not None:
        stream = change(stream)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        loaded = pickle.loads(stream)
    return {"name": name, "base64": base64.b64encode(stream).decode(), "tensors": answers(loaded)}


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
