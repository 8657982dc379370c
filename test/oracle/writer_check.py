"""Compares what the built library and `loupe convert` write with the reference, byte for byte."""

from __future__ import annotations

import json
import random
import subprocess
import tempfile
from pathlib import Path

from safetensors import deserialize, safe_open

from loupe import ROOT, LoupeError, loupe
from tensors import Tensor, random_tensor, write
from writer_goldens import as_json, random_dictionary

SCRIPT = Path(__file__).resolve().parent / "write-dictionaries.mjs"
Outcome = tuple[str, list[str]]


def dictionary_outcomes(count: int) -> list[Outcome]:
    """`count` random dictionaries, written by the library in one process and compared with the reference's files."""
    with tempfile.TemporaryDirectory() as folder:
        wanted = []
        jobs = Path(folder) / "jobs.jsonl"
        with jobs.open("w", encoding="utf-8") as lines:
            for seed in range(count):
                tensors, metadata = random_dictionary(seed, 200)
                wanted.append(write(tensors, metadata))
                path = str(Path(folder) / f"{seed}.safetensors")
                lines.write(json.dumps({"path": path, **as_json(tensors, metadata)}) + "\n")
        done = subprocess.run(["node", str(SCRIPT), str(jobs)], capture_output=True, cwd=ROOT, check=False)
        if done.returncode != 0:
            return [("dictionaries", [done.stderr.decode(errors="replace")[:500]])]
        outcomes = []
        for seed, file in enumerate(wanted):
            got = (Path(folder) / f"{seed}.safetensors").read_bytes()
            outcomes.append((f"dictionary {seed}", [] if got == file else [_difference(got, file)]))
        return outcomes


def _difference(got: bytes, want: bytes) -> str:
    at = next((i for i, (a, b) in enumerate(zip(got, want)) if a != b), min(len(got), len(want)))
    return f"{len(got)} bytes, not {len(want)}; the first difference is at {at}"


def _model(seed: int) -> dict[str, Tensor]:
    rng = random.Random(f"model {seed}")
    dtypes = ["F16", "BF16", "F8_E4M3", "F8_E5M2", "F32", "I64", "BOOL", "F4"]
    count = rng.randint(5, 40)
    return {f"layers.{i}.{rng.choice('qkvo')}": random_tensor(rng, rng.choice(dtypes), 4000) for i in range(count)}


def _read(path: Path) -> dict[str, tuple[str, list[int], bytes]]:
    """Every tensor of a file as the reference's own reader has it, with its raw bytes."""
    return {
        name: (entry["dtype"], list(entry["shape"]), bytes(entry["data"]))
        for name, entry in deserialize(path.read_bytes())
    }


def _split(folder: Path, tensors: dict[str, Tensor], metadata: dict[str, str]) -> None:
    """A sharded model of the reference's files with an index as transformers writes it."""
    folder.mkdir()
    names = list(tensors)
    step = max(1, len(names) // 3)
    parts = [names[at : at + step] for at in range(0, len(names), step)]
    weight_map = {}
    for number, part in enumerate(parts, 1):
        name = f"model-{number:05}-of-{len(parts):05}.safetensors"
        (folder / name).write_bytes(write({key: tensors[key] for key in part}, metadata))
        weight_map.update({key: name for key in part})
    total = sum(len(tensor.raw) for tensor in tensors.values())
    index = {"metadata": {"total_size": total}, "weight_map": weight_map}
    text = json.dumps(index, indent=2, sort_keys=True) + "\n"
    (folder / "model.safetensors.index.json").write_text(text, encoding="utf-8")


def _index_problems(folder: Path, limit: int) -> list[str]:
    path = folder / "model.safetensors.index.json"
    shards = sorted(folder.glob("model-*.safetensors"))
    if not path.exists():
        return [] if len(shards) == 0 else ["shards without an index"]
    text = path.read_text(encoding="utf-8")
    index = json.loads(text)
    found = {}
    total = 0
    problems = []
    for shard in shards:
        tensors = _read(shard)
        size = sum(len(raw) for _, _, raw in tensors.values())
        if size > limit and len(tensors) > 1:
            problems.append(f"{shard.name} has {size} bytes of {limit}")
        total += size
        found.update({name: shard.name for name in tensors})
    want = json.dumps({"metadata": {"total_size": total}, "weight_map": found}, indent=2, sort_keys=True) + "\n"
    if text != want:
        problems.append("the index is not what transformers would write")
    if index["weight_map"] != found:
        problems.append("the index does not say where the tensors are")
    return problems


def _convert_problems(seed: int) -> list[str]:
    rng = random.Random(f"convert {seed}")
    tensors, metadata = _model(seed), {"format": "pt"}
    whole = write(tensors, metadata)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _split(folder / "in", tensors, metadata)
        merged, sharded, again = folder / "merged.safetensors", folder / "sharded", folder / "again.safetensors"
        loupe("convert", str(folder / "in"), "-o", str(merged), "--json").expect_exit(0)
        problems = [] if merged.read_bytes() == whole else ["merged: " + _difference(merged.read_bytes(), whole)]
        limit = rng.randint(200, 40_000)
        loupe("convert", str(merged), "-o", str(sharded), "--max-shard-size", f"{limit}B", "--json").expect_exit(0)
        problems += _index_problems(sharded, limit)
        loupe("convert", str(sharded), "-o", str(again), "--json").expect_exit(0)
        if again.read_bytes() != whole:
            problems.append("resharded and merged: " + _difference(again.read_bytes(), whole))
        with safe_open(again, "np") as file:
            if sorted(file.keys()) != sorted(tensors) or file.metadata() != metadata:
                problems.append("the reference lists other tensors or metadata")
        return problems + _load_problems(folder / "in", sharded)


def _load_problems(before: Path, after: Path) -> list[str]:
    """`load_file` of torch, where it is installed, on both models."""
    try:
        import torch
        from safetensors.torch import load_file
    except ImportError:
        return []
    old = {key: value for path in before.glob("*.safetensors") for key, value in load_file(path).items()}
    new = {key: value for path in after.glob("*.safetensors") for key, value in load_file(path).items()}
    same = old.keys() == new.keys() and all(
        old[key].dtype == new[key].dtype
        and old[key].shape == new[key].shape
        and torch.equal(_octets(old[key]), _octets(new[key]))
        for key in old
    )
    return [] if same else ["torch loads other tensors"]


def _octets(tensor):  # type: ignore[no-untyped-def]
    import torch

    return tensor.contiguous().reshape(-1).view(torch.uint8)


def convert_outcomes(seed: int) -> list[Outcome]:
    """One sharded model of the reference's: merged, resharded and merged again by `loupe convert`."""
    try:
        return [(f"convert {seed}", _convert_problems(seed))]
    except (LoupeError, OSError, ValueError, KeyError) as error:
        return [(f"convert {seed}", [f"{type(error).__name__}: {error}"])]
