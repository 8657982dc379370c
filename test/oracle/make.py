"""Regenerates the committed fixtures with the reference libraries."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import safetensors

from dtypes import CANONICAL_NAN, DTYPES, codes_as_f32_bits
from header_cases import HeaderCase, header_cases, nested, nested_objects
from judge import judge
from merged_cases import make_merged
from mixed import make_mixed
from stat_cases import make_stats
from writer_goldens import writer_goldens

TABLE_DTYPES = [
    "F8_E4M3",
    "F8_E5M2",
    "F8_E4M3FNUZ",
    "F8_E5M2FNUZ",
    "F8_E8M0",
    "F4",
    "F6_E2M3",
    "F6_E3M2",
]


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _write_lines(path: Path, head: dict[str, Any], key: str, items: Iterable[Any]) -> None:
    """An object whose last member is a list with one item a line, so that changes show as lines."""
    members = [f"{_text(name)}:{_text(value)}" for name, value in head.items()]
    listed = ",\n".join(map(_text, items))
    path.write_text("{" + ",\n".join([*members, f'"{key}":[\n{listed}\n]']) + "}\n", encoding="utf-8", newline="\n")


def _hex(bits: int) -> str:
    return "nan" if bits == CANONICAL_NAN else f"{bits:08x}"


def _make_tables(folder: Path) -> None:
    tables = []
    for name in TABLE_DTYPES:
        codes = [_hex(bits) for bits in codes_as_f32_bits(DTYPES[name]).tolist()]
        tables.append(f'"{name}":{_text(codes)}')
    (folder / "dtype-tables.json").write_text("{" + ",\n".join(tables) + "}\n", encoding="utf-8", newline="\n")
    for name in ["F16", "BF16"]:
        (folder / f"{name.lower()}.f32bits.bin").write_bytes(codes_as_f32_bits(DTYPES[name]).tobytes())


def _make_mixed(folder: Path) -> None:
    file, expected = make_mixed()
    (folder / "mixed-1000.safetensors").write_bytes(file)
    rows = expected.pop("rows")
    _write_lines(folder / "mixed-1000.expected.json", expected, "rows", rows)


def _judged(case: HeaderCase) -> dict[str, Any]:
    # Of several tensors with one range the reference blames any: the least of many texts is the same each time.
    judgement = min((judge(case.file) for _ in range(20)), key=lambda one: one.error or "")
    return {
        "group": case.group,
        "name": case.name,
        "file_base64": base64.b64encode(case.file).decode(),
        "accepted": judgement.accepted,
        "tensors": judgement.tensors,
        "error": judgement.error,
        "ours": case.ours,
    }


def _deepest(make_file: Callable[[int], bytes]) -> int:
    """The most levels the reference accepts."""
    depth = 1
    while judge(make_file(depth + 1)).accepted:
        depth += 1
    assert not any(judge(make_file(deeper)).accepted for deeper in range(depth + 1, depth + 20))
    return depth


def _make_cases(folder: Path) -> None:
    head = {
        "reference": {"library": "safetensors", "version": safetensors.__version__},
        "deepestIgnoredField": {
            "arrays": _deepest(lambda depth: nested("[", "]", depth)),
            "objects": _deepest(nested_objects),
        },
    }
    _write_lines(folder / "json-cases.json", head, "cases", map(_judged, header_cases()))


def make(folder: Path) -> None:
    """Writes every fixture into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    _make_tables(folder)
    _make_mixed(folder)
    stats = make_stats()["cases"]
    _write_lines(folder / "stats.json", {}, "cases", stats)
    _write_lines(folder / "merged-stats.json", {}, "groups", make_merged(stats)["groups"])
    _make_cases(folder)
    _write_lines(folder / "writer-goldens.json", {}, "cases", writer_goldens())
    for path in sorted(folder.iterdir()):
        print(f"{path.stat().st_size:9,} {path.name}")
