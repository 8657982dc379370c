"""What this program must list of an object that torch loaded: tensors under their typed paths, with exact bytes."""

from __future__ import annotations

from typing import Any

import ml_dtypes  # noqa: F401  (names of its dtypes)
import numpy as np
import torch

DTYPES = {
    "bool": "BOOL", "int8": "I8", "int16": "I16", "int32": "I32", "int64": "I64",
    "uint8": "U8", "uint16": "U16", "uint32": "U32", "uint64": "U64",
    "float16": "F16", "half": "F16", "float32": "F32", "float64": "F64", "bfloat16": "BF16",
    "complex64": "C64", "complex128": "C128",
    "float8_e4m3fn": "F8_E4M3", "float8_e5m2": "F8_E5M2",
    "float8_e4m3fnuz": "F8_E4M3FNUZ", "float8_e5m2fnuz": "F8_E5M2FNUZ", "float8_e8m0fnu": "F8_E8M0",
    "qint8": "QI8", "quint8": "QU8", "qint32": "QI32", "quint4x2": "QU4", "quint2x4": "QU2",
}  # fmt: skip

Answers = dict[str, dict[str, Any]]


def array_bytes(array: np.ndarray[Any, Any]) -> bytes:
    """Row-major, little-endian."""
    plain = np.ascontiguousarray(array)
    if plain.dtype.kind == "V" or plain.dtype.itemsize == 1 or plain.dtype.name == "bfloat16":
        return plain.tobytes()
    return plain.astype(plain.dtype.newbyteorder("<")).tobytes()


def tensor_bytes(tensor: torch.Tensor) -> bytes:
    """Row-major, little-endian, conjugated and negated where the tensor is."""
    plain = tensor.detach().resolve_conj().resolve_neg().contiguous().flatten()
    return plain.view(torch.uint8).numpy().tobytes() if plain.numel() > 0 else b""


def dtype_name(dtype: torch.dtype) -> str:
    return DTYPES[str(dtype).removeprefix("torch.")]


def _dense(tensor: torch.Tensor) -> dict[str, Any]:
    return {"dtype": dtype_name(tensor.dtype), "shape": list(tensor.shape), "hex": tensor_bytes(tensor).hex()}


def _quantised(tensor: torch.Tensor, path: str, found: Answers) -> None:
    values = tensor.dequantize()
    answer = {"dtype": dtype_name(tensor.dtype), "shape": list(tensor.shape), "f32": tensor_bytes(values).hex()}
    packed = tensor.dtype in (torch.quint4x2, torch.quint2x4)
    # Of packed ones torch gives out the bytes, the last of which may hold what belongs to no element.
    found[path] = answer if packed else {**answer, "hex": tensor_bytes(tensor.int_repr()).hex()}
    if tensor.qscheme() in (torch.per_channel_affine, torch.per_channel_affine_float_qparams):
        found[f"{path}.scales"] = _dense(tensor.q_per_channel_scales())
        found[f"{path}.zero_points"] = _dense(tensor.q_per_channel_zero_points())


SPARSE = {
    torch.sparse_coo: {"indices": "_indices", "values": "_values"},
    torch.sparse_csr: {"crow_indices": "crow_indices", "col_indices": "col_indices", "values": "values"},
    torch.sparse_bsr: {"crow_indices": "crow_indices", "col_indices": "col_indices", "values": "values"},
    torch.sparse_csc: {"ccol_indices": "ccol_indices", "row_indices": "row_indices", "values": "values"},
    torch.sparse_bsc: {"ccol_indices": "ccol_indices", "row_indices": "row_indices", "values": "values"},
}


def _tensor(tensor: torch.Tensor, path: str, found: Answers) -> None:
    if tensor.is_quantized:
        _quantised(tensor, path, found)
    elif tensor.layout in SPARSE:
        for name, method in SPARSE[tensor.layout].items():
            found[f"{path}.{name}"] = _dense(getattr(tensor, method)())
    elif tensor.is_nested:
        found[f"{path}.buffer"] = _dense(tensor.values())
        found[f"{path}.sizes"] = _dense(tensor._nested_tensor_size())
        found[f"{path}.strides"] = _dense(tensor._nested_tensor_strides())
        found[f"{path}.storage_offsets"] = _dense(tensor._nested_tensor_storage_offsets())
    elif not tensor.is_meta:
        found[path] = _dense(tensor)


def _step(path: str, key: Any) -> str:
    if not isinstance(key, str):
        return f"{path}[{key}]"
    return f"{path}.{key}" if path else key


def _is_number(value: Any) -> bool:
    return isinstance(value, (np.ndarray, np.generic)) and np.asarray(value).dtype.name in DTYPES


def find(value: Any, path: str, found: Answers) -> None:
    """Adds the tensors below a value to `found`."""
    if isinstance(value, torch.Tensor):
        _tensor(value, path or "tensor", found)
    elif _is_number(value):
        array = np.asarray(value)
        found[path or "tensor"] = {
            "dtype": DTYPES[array.dtype.name],
            "shape": list(array.shape),
            "hex": array_bytes(array).hex(),
        }
    elif isinstance(value, dict):
        for key, item in value.items():
            find(item, _step(path, key), found)
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            find(item, f"{path}[{index}]", found)
    elif isinstance(value, np.ndarray) and value.dtype.kind == "O":
        for index, item in enumerate(value.flatten()):
            find(item, f"{path}[{index}]", found)
    elif isinstance(value, torch.nn.Module):
        find(value.__dict__, path, found)


class _Names(dict[str, Any]):
    """Names of which equal ones are told apart as the program does."""

    def __setitem__(self, name: str, answer: Any) -> None:
        times = 1
        while (name if times == 1 else f"{name}~{times}") in self:
            times += 1
        super().__setitem__(name if times == 1 else f"{name}~{times}", answer)


def answers(value: Any) -> Answers:
    found = _Names()
    find(value, "", found)
    return found
