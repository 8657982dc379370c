"""Compares the program with the reference libraries on files made for the occasion."""

from __future__ import annotations

import os
import random
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from safetensors import SafetensorError

from compare import row_problems, stats_problems, value_problems
from exports import export_problems
from header_cases import EITHER, MILDER, STRICTER, HeaderCase, header_cases
from judge import judge
from loupe import LoupeError, loupe
from mixed import header_entries
from names import unique_names
from summary import BINS, summarise
from tensors import Tensor, random_dtype, random_tensor, write
from writer_check import convert_outcomes, dictionary_outcomes

Listed = tuple[str, Tensor, int]
"""A tensor's name, the tensor, and its absolute offset in the file."""
Outcome = tuple[str, list[str]]
"""A comparison's name and what is wrong."""
ACCEPTED_VERDICTS = ("clean", "warnings")
MOST_LINES_A_JOB = 3


def _random_file(folder: Path, seed: int) -> tuple[Path, list[Listed]]:
    """A file of the reference, and its tensors in header order."""
    rng = random.Random(f"file {seed}")
    count = rng.choice([0, 1, 2, 5, 10, 20, 40])
    most = rng.choice([5, 50, 500, 4000])
    names = unique_names(rng, count, odd=min(count, rng.randrange(5)))
    tensors = {name: random_tensor(rng, random_dtype(rng), most) for name in names}
    # Empty metadata without tensors makes the reference write a broken header.
    choices = [None, {"format": "pt"}, {"b": "2", "a": "1", "\u00fc\n": '"'}, {"": ""}]
    file = write(tensors, rng.choice(choices))
    path = folder / f"random-{seed}.safetensors"
    path.write_bytes(file)
    begin, entries = header_entries(file)
    return path, [(name, tensors[name], begin + entry["data_offsets"][0]) for name, entry in entries]


def _match(rows: list[Any], listed: list[Listed]) -> list[str]:
    return [] if len(rows) == len(listed) else [f"{len(rows)} tensors, not {len(listed)}"]


def _check_tensors(path: Path, listed: list[Listed]) -> list[str]:
    rows = loupe("tensors", str(path), "--json").expect_exit(0).json()
    return _match(rows, listed) + [
        problem
        for index, (row, (name, tensor, offset)) in enumerate(zip(rows, listed))
        for problem in row_problems(row, name, tensor, offset, path.name, index)
    ]


def _check_dump(path: Path, listed: list[Listed]) -> list[str]:
    lines = loupe("dump", str(path), "--json").expect_exit(0).json_lines()
    return _match(lines, listed) + [
        problem for line, (name, tensor, _) in zip(lines, listed) for problem in value_problems(line, name, tensor)
    ]


def _check_stats(path: Path, listed: list[Listed]) -> list[str]:
    results = loupe("stats", str(path), "--all", "--bins", str(BINS), "--json").expect_exit(0).json()
    return _match(results, listed) + [
        problem
        for result, (name, tensor, _) in zip(results, listed)
        for problem in stats_problems(result, name, tensor.dtype, summarise(tensor.dtype, tensor.raw))
    ]


def _check_file(folder: Path, seed: int) -> list[Outcome]:
    path, listed = _random_file(folder, seed)
    checks = {"tensors": _check_tensors, "dump": _check_dump, "stats": _check_stats}
    return [_guarded(f"{name} of file {seed}", work, path, listed) for name, work in checks.items()]


def _check_header(folder: Path, index: int, case: HeaderCase) -> list[str]:
    accepted = judge(case.file).accepted
    path = folder / f"header-{index}.safetensors"
    path.write_bytes(case.file)
    verdict = loupe("verify", str(path), "--json").expect_exit(0, 3, 4).json()["verdict"]
    if case.ours == EITHER:
        return []
    if case.ours == MILDER:
        return [] if verdict != "clean" else ["the verdict is clean"]
    want_good = accepted and case.ours != STRICTER
    if (verdict in ACCEPTED_VERDICTS) == want_good:
        return []
    return [f"the verdict is {verdict}; the reference {'accepts' if accepted else 'refuses'} it"]


def _guarded(name: str, work: Callable[..., list[str]], *arguments: object) -> Outcome:
    try:
        return name, work(*arguments)
    except (LoupeError, SafetensorError, OSError, KeyError, TypeError, AttributeError, ValueError) as error:
        # An answer of another shape than expected fails its own comparison, not the run.
        return name, [f"{type(error).__name__}: {error}"]


def _jobs(folder: Path, files: int, exports: int, dictionaries: int, converts: int) -> list[Callable[[], list[Outcome]]]:
    def export(seed: int) -> list[Outcome]:
        return [_guarded(f"export {seed}", export_problems, folder, seed)]

    def header(index: int, case: HeaderCase) -> list[Outcome]:
        return [_guarded(f"header: {case.group}, {case.name}", _check_header, folder, index, case)]

    return [
        *(partial(_check_file, folder, seed) for seed in range(files)),
        *(partial(export, seed) for seed in range(exports)),
        *(partial(header, index, case) for index, case in enumerate(header_cases())),
        partial(dictionary_outcomes, dictionaries),
        *(partial(convert_outcomes, seed) for seed in range(converts)),
    ]


def check(files: int, exports: int, dictionaries: int, converts: int) -> bool:
    """Runs every comparison; prints each that fails, then `N passed, N failed`. True when none failed."""
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = _jobs(Path(folder), files, exports, dictionaries, converts)
        outcomes = chain.from_iterable(pool.map(lambda job: job(), jobs))
        for name, problems in outcomes:
            if not problems:
                passed += 1
                continue
            failed += 1
            for problem in problems[:MOST_LINES_A_JOB]:
                print(f"FAILED {name}: {problem}".encode("ascii", "backslashreplace").decode(), file=sys.stderr)
    print(f"{passed} passed, {failed} failed")
    return failed == 0
