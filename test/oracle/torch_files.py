"""Files that torch writes, and what it reads back: compared with this program, and kept as fixtures.

    torch_files.py make            writes test/fixtures/pytorch/torch anew
    torch_files.py check [SEEDS]   writes random files, runs the built program over them and compares every bit

Every storage dtype, protocols 2 to 5, both file formats, views, quantised and sparse tensors, modules, optimizers, TorchScript.
"""

from __future__ import annotations

import collections
import io
import json
import random
import struct
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch

from torch_answers import Answers, answers

FOLDER = Path(__file__).resolve().parents[1] / "fixtures" / "pytorch" / "torch"

PLAIN = [
    torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.complex64, torch.complex128,
    torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool,
]  # fmt: skip
"""Dtypes that have a storage class of their own."""
UNTYPED = [
    torch.uint16, torch.uint32, torch.uint64, torch.float8_e5m2, torch.float8_e4m3fn, torch.float8_e5m2fnuz,
    torch.float8_e4m3fnuz, torch.float8_e8m0fnu,
]  # fmt: skip
"""Dtypes that are saved as raw bytes."""

Write = Callable[[Any], bytes]


def zipped(protocol: int = 2) -> Write:
    def write(value: Any) -> bytes:
        target = io.BytesIO()
        torch.save(value, target, pickle_protocol=protocol)
        return target.getvalue()

    return write


def stacked(protocol: int = 2) -> Write:
    def write(value: Any) -> bytes:
        target = io.BytesIO()
        torch.save(value, target, pickle_protocol=protocol, _use_new_zipfile_serialization=False)
        return target.getvalue()

    return write


def _raw(rng: random.Random, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    """Any bits at all, so that NaN, infinities and extremes occur; booleans are 0 and 1."""
    count = int(np.prod(shape, dtype=np.int64))
    if dtype == torch.bool:
        return torch.tensor([rng.getrandbits(1) for _ in range(count)], dtype=torch.uint8).to(torch.bool).reshape(shape)
    raw = torch.tensor(list(rng.randbytes(count * dtype.itemsize)), dtype=torch.uint8)
    return raw.view(dtype).reshape(shape)


def _dtypes(rng: random.Random, dtypes: list[torch.dtype]) -> Any:
    return {str(dtype).removeprefix("torch."): _raw(rng, (2, 3), dtype) for dtype in dtypes}


def _views(rng: random.Random) -> Any:
    base = _raw(rng, (4, 6), torch.float32)
    cube = _raw(rng, (2, 3, 4), torch.bfloat16)
    wide = _raw(rng, (2, 3, 4, 5), torch.float16)
    return collections.OrderedDict(
        base=base,
        again=base,
        transposed=base.t(),
        rows=base[1:3],
        columns=base[:, ::2],
        tail=base.flatten()[20:],
        cube=cube.permute(2, 0, 1),
        inner=cube[:, 1, :],
        expanded=base[:, :1].expand(4, 5),
        expanded_scalar=torch.tensor(2.5).expand(3, 2),
        diagonal=base.as_strided((3,), (7,), 1),
        overlapping=base.as_strided((4, 3), (1, 1), 0),
        channels_last=wide.contiguous(memory_format=torch.channels_last),
        one=base[2:3, 3:4],
        empty_view=base[4:],
    )


def _shapes(rng: random.Random) -> Any:
    return {
        "scalar": _raw(rng, (), torch.float64),
        "integer": torch.tensor(2**62 + 1),
        "empty": torch.empty(0),
        "empty_rows": torch.empty(0, 3, dtype=torch.int16),
        "empty_inside": torch.empty(2, 0, 4, dtype=torch.bool),
        "ones": _raw(rng, (1, 1, 1, 1, 1), torch.int32),
        "long": _raw(rng, (257,), torch.uint8),
    }


def _bits(rng: random.Random) -> Any:
    complex64 = _raw(rng, (2, 3), torch.complex64)
    complex128 = _raw(rng, (3, 2), torch.complex128)
    return {
        "conj": complex64.conj(),
        "conj_transposed": complex128.conj().t(),
        # Views of another dtype: torch saves no storage under two.
        "imag_of_conj": _raw(rng, (2, 3), torch.complex64).conj().imag,
        "imag_of_conj_rows": _raw(rng, (3, 2), torch.complex128).conj().imag[1:],
        "real_of_conj": _raw(rng, (2, 2), torch.complex64).conj().real,
        "neg": torch._neg_view(_raw(rng, (4,), torch.float32)),
        "neg_double": torch._neg_view(_raw(rng, (2, 2), torch.float64)),
        "neg_int": torch._neg_view(_raw(rng, (3,), torch.int16)),
        "neg_conj": torch._neg_view(complex64.conj()),
    }


def _tree(rng: random.Random) -> Any:
    one = lambda: _raw(rng, (2,), torch.float32)  # noqa: E731
    return {
        "epoch": 3,
        "name": "run",
        "state_dict": collections.OrderedDict([("layer.0.weight", one()), ("layer.10.weight", one()), ("layer.2.weight", one())]),
        "list": [one(), 1.5, [one()], (one(), None)],
        0: one(),
        -1: {"a.b": one(), "a": {"b": one()}},
        "counts": collections.Counter("aab"),
        # Picklers write dicts in batches of a thousand.
        "many": {**{index: index for index in range(1001)}, "last": one()},
        "hyper": {"lr": 1e-3, "betas": (0.9, 0.999), "size": torch.Size([1, 2]), "dtype": torch.float16, "device": torch.device("cpu")},
        "big": 2**80,
        "bytes": b"\x00\xff",
        "set": {1, 2},
    }


def _quantised(rng: random.Random) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found: dict[str, Any] = {}
        generator = torch.Generator().manual_seed(rng.getrandbits(31))
        values = torch.randn(3, 5, generator=generator)
        for dtype in (torch.qint8, torch.quint8, torch.qint32):
            name = str(dtype).removeprefix("torch.")
            scale, zero = rng.uniform(1e-3, 0.2), rng.randrange(0, 100)
            whole = torch.quantize_per_tensor(values, scale, zero, dtype)
            found[name] = {"tensor": whole, "transposed": whole.t(), "rows": whole[1:], "scalar": torch.quantize_per_tensor(torch.tensor(0.7), scale, zero, dtype), "empty": torch.quantize_per_tensor(torch.empty(0, 2), scale, zero, dtype)}
            for axis in (0, 1):
                scales = torch.rand(values.shape[axis], generator=generator, dtype=torch.float64) * 0.1 + 1e-3
                zeros = torch.randint(0, 100, (values.shape[axis],), generator=generator)
                found[name][f"axis{axis}"] = torch.quantize_per_channel(values, scales, zeros, axis, dtype)
        image = torch.randn(2, 3, 4, 2, generator=generator).contiguous(memory_format=torch.channels_last)
        scales = torch.rand(3, generator=generator, dtype=torch.float64) + 0.01
        found["channels_last"] = torch.quantize_per_channel(image, scales, torch.tensor([1, 2, 3]), 1, torch.quint8)
        for dtype in (torch.quint8, torch.quint4x2, torch.quint2x4):
            scales = torch.rand(3, generator=generator) * 0.3 + 0.05
            zeros = torch.rand(3, generator=generator) * 3
            found[f"{str(dtype).removeprefix('torch.')}_float"] = torch.quantize_per_channel(values.abs() * 3, scales, zeros, 0, dtype)
        integers = torch.tensor([-(2**31), -1, 0, 16777217, 2**31 - 1], dtype=torch.int32)
        found["qint32_wide"] = torch._make_per_tensor_quantized_tensor(integers, 0.1, 0)
        return found


def _sparse(rng: random.Random) -> Any:
    dense = torch.tensor([[0.0, 1, 0, 2], [0, 0, 3, 0], [4, 0, 0, 5], [0, 0, 0, 0]])
    indices = torch.tensor([[0, 1, 0], [2, 0, 2]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {
            "coo": dense.to_sparse(),
            "uncoalesced": torch.sparse_coo_tensor(indices, torch.tensor([1.0, 2.0, 3.0]), (2, 3)),
            "hybrid": torch.sparse_coo_tensor(indices, _raw(rng, (3, 2), torch.int32), (2, 3, 2)),
            "csr": dense.to_sparse_csr(),
            "csc": dense.to_sparse_csc(),
            "bsr": dense.to_sparse_bsr((2, 2)),
            "bsc": dense.to_sparse_bsc((2, 2)),
            "empty": torch.sparse_coo_tensor(size=(2, 2)),
        }


class _Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Linear(3, 2)
        self.norm = torch.nn.BatchNorm1d(2)
        self.register_buffer("mask", torch.tensor([True, False]))

    def forward(self, value: torch.Tensor) -> torch.Tensor:
        return self.norm(self.first(value))


def _model(seed: int) -> _Net:
    torch.manual_seed(seed)
    return _Net()


def _parameters(rng: random.Random) -> Any:
    parameter = torch.nn.Parameter(_raw(rng, (2, 2), torch.float32))
    tagged = _raw(rng, (2,), torch.float32)
    tagged.tag = "x"  # type: ignore[attr-defined]
    return {"state": _model(rng.getrandbits(31)).state_dict(), "parameter": parameter, "frozen": torch.nn.Parameter(torch.ones(1), requires_grad=False), "buffer": torch.nn.Buffer(torch.ones(2)), "attribute": tagged}


def _optimizers(rng: random.Random) -> Any:
    found = {}
    for name, make in {"adam": torch.optim.Adam, "sgd": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9)}.items():
        model = _model(rng.getrandbits(31))
        optimizer = make(model.parameters())
        model(torch.ones(4, 3)).sum().backward()
        optimizer.step()
        found[name] = optimizer.state_dict()
    return found


def _numpy(rng: random.Random) -> Any:
    array = np.frombuffer(rng.randbytes(48), "<f4").reshape(3, 4)
    return {"array": array, "fortran": np.asfortranarray(array), "big": array.astype(">f4"), "number": np.float64(0.1), "flag": np.bool_(True), "wide": np.int64(-(2**63)), "tensor": torch.ones(2)}


def _script(rng: random.Random) -> tuple[bytes, Answers]:
    class Inner(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = torch.nn.Parameter(_raw(rng, (2, 3), torch.float32))

        def forward(self, value: torch.Tensor) -> torch.Tensor:
            return value * self.weight

    class Outer(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = Inner()
            self.register_buffer("scale", torch.tensor([2.0, 3.0, 4.0]))
            self.table = torch.jit.Attribute({"a": torch.tensor([1, 2])}, dict[str, torch.Tensor])
            self.rows = torch.jit.Attribute([torch.tensor([5.0]), torch.tensor([6.0, 7.0])], list[torch.Tensor])
            self.count = 3

        def forward(self, value: torch.Tensor) -> torch.Tensor:
            return self.inner(value) * self.scale + self.rows[0] * self.count

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        traced = torch.jit.trace(lambda value: value + torch.tensor([[1.0, 2.0, 3.0]]), torch.ones(1, 3))
        scripted = torch.jit.script(Outer())
        target = io.BytesIO()
        torch.jit.save(scripted, target)
        other = io.BytesIO()
        torch.jit.save(traced, other)
    found = answers({"inner": {"weight": scripted.inner.weight}, "scale": scripted.scale, "table": scripted.table, "rows": scripted.rows})
    return target.getvalue(), found


def _constants() -> tuple[bytes, Answers]:
    """A TorchScript archive with tensors among its constants."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")

        class Traced(torch.nn.Module):
            def forward(self, value: torch.Tensor) -> torch.Tensor:
                return value + torch.tensor([[1.0, 2.0, 3.0]])

        traced = torch.jit.trace(Traced(), torch.ones(1, 3))
        target = io.BytesIO()
        torch.jit.save(traced, target)
    return target.getvalue(), answers({"constants": [torch.tensor([[1.0, 2.0, 3.0]])]})


def _swapped(rng: random.Random) -> tuple[bytes, Answers]:
    """An archive that says it is big-endian. torch swaps by the class of the storage."""
    import zipfile

    value = {str(dtype).removeprefix("torch."): _raw(rng, (2, 3), dtype) for dtype in PLAIN}
    source = zipfile.ZipFile(io.BytesIO(zipped()(value)))
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name in source.namelist():
            archive.writestr(name, b"big" if name.endswith("/byteorder") else source.read(name))
    target.seek(0)
    return target.getvalue(), answers(torch.load(target, weights_only=False))


def _big_legacy(rng: random.Random) -> tuple[bytes, Answers]:
    """A stacked file whose writer says that it ran on a big-endian machine: its storages are little-endian all the same."""
    content = stacked()(_dtypes(rng, PLAIN)).replace(b"little_endianq\x02\x88", b"little_endianq\x02\x89")
    assert b"little_endianq\x02\x89" in content
    return content, answers(torch.load(io.BytesIO(content), weights_only=False))


def _text(value: str) -> bytes:
    raw = value.encode()
    return b"X" + struct.pack("<I", len(raw)) + raw


def _global(module: str, name: str) -> bytes:
    return b"c" + module.encode() + b"\n" + name.encode() + b"\n"


def _ints(*values: int) -> bytes:
    return b"(" + b"".join(b"J" + struct.pack("<i", value) for value in values) + b"t"


def _old(rng: random.Random) -> tuple[bytes, Answers]:
    """Tensors, variables and parameters as torch wrote them before 0.4: their class, then BUILD."""
    import zipfile

    storage = b"(" + _text("storage") + _global("torch", "FloatStorage") + _text("0") + _text("cpu") + b"J" + struct.pack("<i", 6) + b"tQ"
    tensor = _global("torch", "FloatTensor") + b")\x81(" + storage + b"K\x01" + _ints(2, 2) + _ints(1, 2) + b"tb"
    rebuilt = _global("torch._utils", "_rebuild_tensor") + b"(" + storage + b"K\x00" + _ints(2, 3) + _ints(3, 1) + b"tR"
    hooks = _global("collections", "OrderedDict") + b")R"
    parameter = _global("torch.nn.parameter", "Parameter")
    entries = {
        # torch.FloatTensor cannot be called any more, Tensor can.
        "tensor": tensor.replace(b"torch\nFloatTensor", b"torch\nTensor"),
        "variable": parameter + b")\x81(" + rebuilt + b"N" + hooks + b"\x88Ntb",
        "parameter": parameter + b"(" + rebuilt + b"t\x81(\x88N" + hooks + b"tb",
        "plain": parameter + b"(" + rebuilt + b"\x89tR",
    }
    root = b"\x80\x02}(" + b"".join(_text(name) + value for name, value in entries.items()) + b"u."
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("old/data.pkl", root)
        archive.writestr("old/data/0", rng.randbytes(24))
        archive.writestr("old/version", b"3\n")
    target.seek(0)
    return target.getvalue(), answers(torch.load(target, weights_only=False))


def _tar(rng: random.Random) -> tuple[bytes, Answers]:
    """The tar archive of torch 0.1: sys_info, pickle, tensors, storages."""
    import pickle
    import tarfile

    storages = [(torch.FloatStorage, "<f4", 12), (torch.LongStorage, "<i8", 4), (torch.HalfStorage, "<f2", 3), (torch.ByteStorage, "u1", 5)]
    tensors = [  # key, storage, sizes, strides, offset
        (101, 1, (3, 4), (4, 1), 0), (102, 1, (4, 3), (1, 4), 0), (103, 1, (2,), (5,), 1),
        (104, 2, (2, 2), (2, 1), 0), (105, 3, (3,), (1,), 0), (106, 4, (5,), (1,), 0), (107, 9, (2,), (1,), 1), (108, 1, (0,), (1,), 0),
    ]  # fmt: skip
    content: dict[str, bytes] = {"sys_info": pickle.dumps({"protocol_version": 1000, "little_endian": True}, 2)}
    body = pickle.dumps(len(storages), 2)
    for key, (kind, code, count) in enumerate(storages, 1):
        body += b"\x80\x02(K" + bytes([key]) + _text("cpu") + _global("torch", kind.__name__) + b"t."
        body += struct.pack("<q", count) + rng.randbytes(count * np.dtype(code).itemsize)
    # Storage 9 is elements 3 to 7 of storage 1.
    content["storages"] = body + pickle.dumps([(9, 1, 3, 4)], 2)
    body = pickle.dumps(len(tensors), 2)
    for key, storage, sizes, strides, offset in tensors:
        body += b"\x80\x02(K" + bytes([key]) + b"K" + bytes([storage]) + _global("torch", "FloatTensor") + b"t."
        body += struct.pack("<ii", len(sizes), 0) + struct.pack(f"<{len(sizes) * 2 + 1}q", *sizes, *strides, offset)
    content["tensors"] = body
    # Persistent ids are the decimal text of the key, by PERSID as protocol 0 has it or by BINPERSID.
    refer = [b"P%d\n" % key if key % 2 else _text(str(key)) + b"Q" for key, *_ in tensors]
    content["pickle"] = b"\x80\x02}(" + b"".join(_text(f"t{key}") + ref for (key, *_), ref in zip(tensors, refer)) + _text("epoch") + b"K\x03u."
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:", format=tarfile.USTAR_FORMAT) as archive:
        for name, raw in content.items():
            info = tarfile.TarInfo(name)
            info.size = len(raw)
            archive.addfile(info, io.BytesIO(raw))
    with tempfile.NamedTemporaryFile(suffix=".pt") as file:
        file.write(target.getvalue())
        file.flush()
        return target.getvalue(), answers(torch.load(file.name, weights_only=False))


def cases(seed: int) -> Iterator[tuple[str, bytes, Answers]]:
    """Files with the answers of torch; the same for the same seed, but for storage keys of stacked files."""
    rng = random.Random(seed)
    values: list[tuple[str, Any, list[tuple[str, Write]]]] = []
    both = [("zip", zipped()), ("stacked", stacked())]
    protocols = [(f"zip-p{protocol}", zipped(protocol)) for protocol in range(2, 6)]
    stacks = [(f"stacked-p{protocol}", stacked(protocol)) for protocol in range(2, 6)]
    values.append(("dtypes", _dtypes(rng, PLAIN), [*protocols, *stacks]))
    values.append(("untyped", _dtypes(rng, UNTYPED), protocols))
    values.append(("views", _views(rng), [*both, ("zip-p4", zipped(4))]))
    values.append(("shapes", _shapes(rng), both))
    values.append(("bits", _bits(rng), both))
    values.append(("tree", _tree(rng), [*both, ("zip-p5", zipped(5))]))
    values.append(("quantised", _quantised(rng), both))
    values.append(("sparse", _sparse(rng), both))
    values.append(("parameters", _parameters(rng), both))
    values.append(("optimizers", _optimizers(rng), both))
    values.append(("numpy", _numpy(rng), [*both, ("zip-p5", zipped(5))]))
    values.append(("alone", _raw(rng, (2, 2), torch.float32), both))
    for name, value, writers in values:
        for label, write in writers:
            content = write(value)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                loaded = torch.load(io.BytesIO(content), weights_only=False)
            yield f"{name}-{label}.pt", content, answers(loaded)
    for name, make in {"script.pt": lambda: _script(rng), "constants.pt": _constants, "big-endian.pt": lambda: _swapped(rng), "stacked-big-endian.pt": lambda: _big_legacy(rng), "old.pt": lambda: _old(rng), "tar.pt": lambda: _tar(rng)}.items():
        content, found = make()
        yield name, content, found


def make() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    lines = []
    for name, content, found in cases(7):
        (FOLDER / name).write_bytes(content)
        lines.append(f"{json.dumps(name)}:{json.dumps(found, separators=(',', ':'))}")
    text = "{" + ",\n".join(lines) + "}\n"
    (FOLDER / "answers.json").write_text(text, encoding="utf-8", newline="\n")


def _exported(path: Path, folder: Path, form: str) -> dict[str, str]:
    """The bytes of every tensor as the program exports them, by name."""
    from loupe import loupe

    target = folder / form
    loupe("export", str(path), "--include", "*", "-o", str(target), "--format", form, "--force").expect_exit(0)
    manifest = json.loads((target / "manifest.json").read_text(encoding="utf-8"))
    return {entry["name"]: (target / entry["file"]).read_bytes().hex() for entry in manifest["tensors"]}


def _problems(path: Path, found: Answers, folder: Path) -> list[str]:
    from loupe import loupe

    rows = {row["name"]: row for row in loupe("tensors", str(path), "--json").json()}
    if set(rows) != set(found):
        return [f"tensors {sorted(set(rows) ^ set(found))[:4]} are not in both"]
    problems = [
        f"{name}: {rows[name]['dtype']} {rows[name]['shape']}, not {answer['dtype']} {answer['shape']}"
        for name, answer in found.items()
        if [rows[name]["dtype"], rows[name]["shape"]] != [answer["dtype"], answer["shape"]]
    ]
    forms = {"hex": "raw"} | ({"f32": "f32"} if any("f32" in answer for answer in found.values()) else {})
    for key, form in forms.items():
        exported = _exported(path, folder, form)
        problems += [
            f"{name}: {key} differs" for name, answer in found.items() if key in answer and exported.get(name) != answer[key]
        ]
    return problems


def check(seeds: int) -> bool:
    """Compares the built program with torch on files of this many seeds; prints what fails, then the counts."""
    failed = passed = 0
    for seed in range(1000, 1000 + seeds):
        for file, content, found in cases(seed):
            with tempfile.TemporaryDirectory() as name:
                path = Path(name) / file
                path.write_bytes(content)
                wrong = _problems(path, found, Path(name))
            failed += len(wrong) > 0
            passed += len(wrong) == 0
            for problem in wrong[:3]:
                print(f"FAILED {file} of seed {seed}: {problem}", file=sys.stderr)
    print(f"{passed} passed, {failed} failed")
    return failed == 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["check"]:
        sys.exit(0 if check(int(sys.argv[2]) if len(sys.argv) > 2 else 2) else 1)
    make()
