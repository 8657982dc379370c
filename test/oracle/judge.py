"""The reference's judgement of a file."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass

from safetensors import SafetensorError, deserialize, safe_open


@dataclass(frozen=True)
class Judgement:
    """`tensors` by name: in offset order, the reference lists empty tensors of one offset at random.

    `error` is the reference's text without its prefix, or None when it accepts the file.
    """

    accepted: bool
    tensors: list[str]
    error: str | None


def judge(file: bytes) -> Judgement:
    """Asks both of the reference's entrances, which must agree."""
    handle, path = tempfile.mkstemp(suffix=".safetensors")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(file)
        opened = _open(path)
    finally:
        os.unlink(path)
    try:
        names = {name for name, _ in deserialize(file)}
    except SafetensorError as error:
        assert not opened.accepted, f"deserialize refuses what safe_open takes: {error}"
        return opened
    assert opened.accepted and names == set(opened.tensors)
    return opened


def _open(path: str) -> Judgement:
    try:
        with safe_open(path, "np") as file:
            return Judgement(True, sorted(file.keys()), None)
    except SafetensorError as error:
        return Judgement(False, [], str(error).removeprefix("Error while deserializing header: "))
