"""Tensor names that readers, shells, terminals, spreadsheets and file systems trip over; all are valid."""

from __future__ import annotations

import random

ODD_NAMES = [
    "",
    " ",
    "  two  spaces  ",
    ".",
    "..",
    "a..b",
    ".leading.dot",
    "trailing.dot.",
    "../../etc/passwd",
    "a/b",
    "C:\\x",
    "CON",
    "nul.txt",
    "-o",
    "--json",
    "--",
    "*",
    "?[a-z]{1,2}",
    "!not",
    "$(id)",
    "`id`",
    "%s%n",
    "'single'",
    'double"quote',
    "back\\slash",
    "tab\there",
    "line\nbreak",
    "carriage\rreturn",
    "bell\x07",
    "escape\x1b[31mred",
    "nul\x00inside",
    "unit\x1fseparator",
    "delete\x7f",
    "next\x85line",
    "line\u2028separator",
    "no\u00a0break",
    "zero\u200bwidth",
    "\ufeffbyte order mark",
    "right\u202eto left",
    "isolate\u2066d",
    "\u00e9 composed",
    "e\u0301 decomposed",
    "\u65e5\u672c\u8a9e.\u91cd\u307f",
    "\u05e9\u05dc\u05d5\u05dd",
    "\U0001f600",
    "\U0001f600.\U0001f3f3\ufe0f\u200d\U0001f308",
    "\U0010ffff",
    "\uffee",
    "\ue000",
    "\ud7ff",
    "<img src=x onerror=alert(1)>",
    "</script>",
    "javascript:alert(1)",
    "=1+1",
    "+1",
    "@SUM(A1)",
    "comma,semicolon;",
    "[0]",
    "{}",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "toString",
    "length",
    "10",
    "2",
    "02",
    "-1",
    "1e3",
    "NaN",
    "null",
    "true",
    "dtype",
    "shape",
    "data_offsets",
    "__metadata__x",
    "__METADATA__",
    "long." + "x" * 300,
]


def model_name(rng: random.Random) -> str:
    """A name as models have them."""
    return rng.choice(
        [
            f"model.layers.{rng.randrange(48)}.self_attn.{rng.choice('qkvo')}_proj.weight",
            f"model.layers.{rng.randrange(48)}.mlp.{rng.choice(['up', 'gate', 'down'])}_proj.bias",
            f"h.{rng.randrange(24)}.ln_{rng.randrange(2)}.{rng.choice(['weight', 'bias'])}",
            f"blocks.{rng.randrange(100)}.{rng.randrange(100)}.w",
        ]
    )


def unique_names(rng: random.Random, count: int, odd: int) -> list[str]:
    """`count` different names, of which up to `odd` are odd ones, in random order."""
    names = set(ODD_NAMES if odd >= len(ODD_NAMES) else rng.sample(ODD_NAMES, odd))
    while len(names) < count:
        names.add(model_name(rng))
    ordered = sorted(names)
    rng.shuffle(ordered)
    return ordered
