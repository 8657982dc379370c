"""The oracle: Python's safetensors, numpy and ml_dtypes judge this program's answers.

    run.py [check] [--files N] [--exports N] [--dictionaries N] [--converts N]    compare the built program with them
    run.py make                                 write test/fixtures/oracle anew

The libraries are in requirements.txt beside this file. Where one is missing, nothing is compared and it exits with 0.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

LIBRARIES = ["numpy", "ml_dtypes", "safetensors"]
FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "oracle"


def missing_library() -> str | None:
    """The first library that cannot be imported."""
    for name in LIBRARIES:
        try:
            importlib.import_module(name)
        except ImportError:
            return name
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", nargs="?", choices=["check", "make"], default="check")
    parser.add_argument("--files", type=int, default=200, help="random files to compare (200)")
    parser.add_argument("--exports", type=int, default=200, help="single exports to read back (200)")
    parser.add_argument("--dictionaries", type=int, default=2000, help="random files to write and compare (2000)")
    parser.add_argument("--converts", type=int, default=40, help="sharded models to convert (40)")
    options = parser.parse_args()
    missing = missing_library()
    if missing is not None:
        print(f"oracle skipped: {missing} is not installed")
        return 0
    if options.action == "make":
        from make import make

        make(FIXTURES)
        return 0
    from check import check
    from loupe import ROOT, SCRIPT

    if not SCRIPT.exists():
        print(f"{SCRIPT.relative_to(ROOT)} is missing: run npm run build first", file=sys.stderr)
        return 2
    return 0 if check(options.files, options.exports, options.dictionaries, options.converts) else 1


if __name__ == "__main__":
    sys.exit(main())
