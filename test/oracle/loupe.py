"""Runs the built command line and reads its JSON."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forms import read_json

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "out" / "lib" / "cli" / "loupe.js"
TIMEOUT_SECONDS = 120


class LoupeError(Exception):
    """A command that failed or answered something other than JSON."""


@dataclass(frozen=True)
class Answer:
    """A finished command."""

    arguments: list[str]
    exit_code: int
    stdout: str
    stderr: str

    def json(self) -> Any:
        """The whole of stdout as one JSON value."""
        return self._read(self.stdout)

    def json_lines(self) -> list[Any]:
        """One JSON value a line. Only a line feed ends a line: names may hold U+2028 and its kind."""
        return [self._read(line) for line in self.stdout.split("\n") if line]

    def expect_exit(self, *codes: int) -> Answer:
        """Itself, if it ended with one of `codes`."""
        if self.exit_code not in codes:
            raise LoupeError(f"{self.arguments[0]} exited with {self.exit_code}: {self.stderr.strip()[:300]}")
        return self

    def _read(self, text: str) -> Any:
        try:
            return read_json(text)
        except ValueError as error:
            raise LoupeError(f"{self.arguments[0]} printed no JSON ({error}): {text[:200]!r}") from error


def loupe(*arguments: str) -> Answer:
    """Runs `loupe ARGUMENTS`."""
    command = ["node", str(SCRIPT), *arguments]
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=TIMEOUT_SECONDS, stdin=subprocess.DEVNULL, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise LoupeError(f"{arguments[0]} took more than {TIMEOUT_SECONDS} s") from error
    try:
        return Answer(list(arguments), done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace"))
    except UnicodeDecodeError as error:
        raise LoupeError(f"{arguments[0]} printed no UTF-8: {error}") from error
