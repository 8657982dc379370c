"""Writes what Python's zipfile reads from the archives in test/fixtures/zip, for the tests of the zip directory reader."""

from __future__ import annotations

import json
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "fixtures" / "zip"


def _content(file: bytes, info: zipfile.ZipInfo) -> bytes:
    """The content without zipfile's own checks, which refuse what torch loads (FORMATS.md 2.3)."""
    name, extra = struct.unpack_from("<HH", file, info.header_offset + 26)
    begin = info.header_offset + 30 + name + extra
    payload = file[begin : begin + info.compress_size]
    return zlib.decompress(payload, -15) if info.compress_type == zipfile.ZIP_DEFLATED else payload


def _members(path: Path) -> dict[str, Any]:
    file = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        return {
            "members": [
                {
                    "name": info.filename,
                    "method": info.compress_type,
                    "flags": info.flag_bits,
                    "crc32": info.CRC,
                    "compressedBytes": info.compress_size,
                    "bytes": info.file_size,
                    "header": info.header_offset,
                    "content": zlib.crc32(_content(file, info)),
                }
                for info in archive.infolist()
            ]
        }


if __name__ == "__main__":
    answers = {path.name: _members(path) for path in sorted(FOLDER.glob("*.pt"))}
    lines = ",\n".join(f"{json.dumps(name)}:{json.dumps(answer, separators=(',', ':'))}" for name, answer in answers.items())
    (FOLDER / "expected.json").write_text("{" + lines + "}\n", encoding="utf-8", newline="\n")
