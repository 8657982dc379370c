"""Writes test/fixtures/pickle/oracle.json: pickles, and what CPython's own loader makes of them when nothing is imported.

Run with CPython 3.11: `python3 test/oracle/pickles.py`. The loader is the C one, `pickle.Unpickler`, with `find_class`
giving classes that only record what is done to them. Where `python2` can be run, its two picklers add old streams.
"""

from __future__ import annotations

import base64
import collections
import datetime
import decimal
import io
import json
import pathlib
import pickle
import random
import shutil
import struct
import subprocess
import sys
import types
from typing import Any

OUT = pathlib.Path(__file__).parent.parent / "fixtures" / "pickle" / "oracle.json"


OUT_OF_BAND = b"out of band"


class Recorded:
    """What a call of an imported name made, with everything done to it afterwards."""

    def __new__(cls, *args: Any, **kwargs: Any) -> "Recorded":
        made = object.__new__(cls)
        made.__dict__["log"] = {"args": args, "kwargs": kwargs, "states": [], "items": [], "pairs": []}
        return made

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __setstate__(self, state: Any) -> None:
        self.__dict__["log"]["states"].append(state)

    def append(self, item: Any) -> None:
        self.__dict__["log"]["items"].append(item)

    add = append

    def extend(self, items: Any) -> None:
        self.__dict__["log"]["items"].extend(items)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.__dict__["log"]["pairs"].append((key, value))

    def __hash__(self) -> int:
        return id(self)


class Persistent:
    def __init__(self, pid: Any) -> None:
        self.pid = pid


class Loader(pickle.Unpickler):
    def __init__(self, data: bytes) -> None:
        self.stream = io.BytesIO(data)
        # A Python-2 string stays bytes, as ours does.
        super().__init__(self.stream, encoding="bytes", fix_imports=False, buffers=iter([OUT_OF_BAND] * 99))
        self.named: dict[tuple[str, str], type] = {}

    def find_class(self, module: str, name: str) -> Any:
        return self.named.setdefault((module, name), type("Stub", (Recorded,), {"found": (module, name)}))

    def persistent_load(self, pid: Any) -> Any:
        return Persistent(pid)


class Dump:
    """A value as JSON; an object met again is a reference to its number in order of the first visits."""

    def __init__(self) -> None:
        self.seen: dict[int, int] = {}

    def tree(self, value: Any) -> Any:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int):
            return {"int": hex(value)}
        if isinstance(value, float):
            return {"float": struct.pack(">d", value).hex() if value == value else "nan"}
        if isinstance(value, str):
            return value
        if value == OUT_OF_BAND:
            return "out-of-band buffer"
        if isinstance(value, bytes):
            return {"bytes": value.hex()}
        if isinstance(value, memoryview):
            # READONLY_BUFFER: which object the view is of is not recorded here.
            return {"bytearray": bytes(value).hex()}
        if isinstance(value, type):
            return {"global": list(value.found)}
        if isinstance(value, tuple):
            # A tuple inside itself is possible only through a list, which is numbered.
            return {"tuple": [self.tree(item) for item in value]}
        if isinstance(value, (set, frozenset)):
            name = type(value).__name__
            return {name: sorted(json.dumps(self.tree(item)) for item in value)}
        if id(value) in self.seen:
            return {"again": self.seen[id(value)]}
        self.seen[id(value)] = len(self.seen)
        if isinstance(value, bytearray):
            return {"bytearray": value.hex()}
        if isinstance(value, list):
            return {"list": [self.tree(item) for item in value]}
        if isinstance(value, dict):
            return {"dict": [[self.tree(key), self.tree(item)] for key, item in value.items()]}
        if isinstance(value, Persistent):
            return {"persistent": self.tree(value.pid)}
        log = value.__dict__["log"]
        return {
            "call": list(type(value).found),
            "args": [self.tree(item) for item in log["args"]],
            "kwargs": [[self.tree(key), self.tree(item)] for key, item in log["kwargs"].items()],
            "items": [self.tree(item) for item in log["items"]],
            "pairs": [[self.tree(key), self.tree(item)] for key, item in log["pairs"]],
            "states": [self.tree(item) for item in log["states"]],
        }


def judged(name: str, data: bytes, tail: bytes = b"") -> dict[str, Any]:
    """One case. `tail` lies behind the pickle, which must not be read."""
    loader = Loader(data + tail)
    case: dict[str, Any] = {"name": name, "base64": base64.b64encode(data + tail).decode()}
    try:
        value = loader.load()
    except RecursionError:
        raise
    except Exception as error:
        return {**case, "error": f"{type(error).__name__}: {error}"}
    return {**case, "end": loader.stream.tell(), "tree": Dump().tree(value)}


class Plain:
    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)


class Slotted:
    __slots__ = ("a", "b")


class Named:
    """An instance by keyword arguments: NEWOBJ_EX."""

    def __new__(cls, *_: Any, **__: Any) -> "Named":
        return object.__new__(cls)

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return (1, "two"), {"three": 3.0}


class Pid:
    def __init__(self, pid: Any) -> None:
        self.pid = pid


class Pickler(pickle.Pickler):
    def persistent_id(self, obj: Any) -> Any:
        return obj.pid if isinstance(obj, Pid) else None


Pair = collections.namedtuple("Pair", "x y")


def values() -> dict[str, Any]:
    cyclic: list[Any] = [1]
    cyclic.append(cyclic)
    through: dict[str, Any] = {}
    through["tuple"] = (through, [through])
    shared = {"lr": 0.1}
    slotted = Slotted()
    slotted.a, slotted.b = 1, [slotted]
    metadata: Any = collections.OrderedDict(w=1)
    metadata.extra = {"version": 1}
    edges = [0, 1, -1, 127, 128, 255, 256, 65535, 65536, 2**31 - 1, 2**31, -(2**31), -(2**31) - 1]
    edges += [2**53 - 1, 2**53, 2**53 + 1, -(2**53), 2**63, -(2**63), 2**64, 2**2040, -(2**2039), 10**300]
    return {
        "singles": [None, True, False, (), [], {}, set(), frozenset(), "", b"", bytearray()],
        "ints": edges,
        "floats": [0.0, -0.0, 1.5, 1e-323, 1e308, float("inf"), float("-inf"), float("nan"), 0.1],
        "texts": ["a", "é", "日本", "\U0001f600", "\ud800", "x\udfffy", "\n\\\r\t\x00", "\\u0041", "u" * 300, "\u2028"],
        "bytes": [b"\x00\xff", b"\n'\"\\", bytes(range(256)), b"z" * 300, bytearray(b"ab\xff")],
        "tuples": [(1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), ((), ((),))],
        "long list": [None] * 2001,
        "long dict": dict.fromkeys(range(1000)),
        "longer dict": dict.fromkeys(range(1001)),
        "long set": set(range(1001)),
        "frozen": frozenset(["a", (1, 2)]),
        "keys": {1: "a", "1": "b", None: "c", (1, 2): "d", 2.5: "e", b"b": "f"},
        "cycle": cyclic,
        "cycle through a tuple": through,
        "shared": [shared, shared, (shared,)],
        "ordered": metadata,
        "defaultdict": collections.defaultdict(list, a=[1]),
        "counter": collections.Counter("abca"),
        "deque": collections.deque([1, 2], maxlen=3),
        "instance": Plain(a=1, b=[2]),
        "slots": slotted,
        "keywords": Named(),
        "namedtuple": Pair(1, [2]),
        "class": [Plain, Pair, len],
        "complex": complex(1, -2),
        "slice and range": [slice(1, None), range(3)],
        "namespace": types.SimpleNamespace(a=1),
        "dates": [datetime.date(2020, 1, 2), datetime.timedelta(1), datetime.datetime(2020, 1, 2, 3)],
        "decimal": decimal.Decimal("1.50"),
        "path": pathlib.PurePosixPath("/a/b"),
        "persistent": {"w": Pid(("storage", 1, "0", "cpu", 4)), "v": [Pid(("x",))]},
        "persistent text": Pid("17"),
    }


def pickled() -> list[dict[str, Any]]:
    cases = []
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        for name, value in values().items():
            if name.startswith("long") and protocol in (1, 3, 5):
                continue
            stream = io.BytesIO()
            try:
                Pickler(stream, protocol).dump(value)
            except pickle.PicklingError:
                continue  # Protocol 0 has text for persistent ids only; protocols 0 and 1 have no keyword arguments.
            except TypeError:
                continue  # Slots have no form before protocol 2.
            cases.append(judged(f"{name}, protocol {protocol}", stream.getvalue(), b"\x80\x02tail"))
    stream = io.BytesIO()
    kept: list[Any] = []
    Pickler(stream, 5, buffer_callback=kept.append).dump([pickle.PickleBuffer(b"read only"), pickle.PickleBuffer(bytearray(4))])
    cases.append(judged("buffers out of band", stream.getvalue()))
    return cases


PYTHON2 = """
import base64, json, sys, pickle, cPickle
class Old:
    def __init__(self): self.x = 1
class Older:
    def __getinitargs__(self): return (1, 'a')
class New(object):
    def __init__(self): self.y = u'y'
values = {'text': ['a', u'\\xe9', 'raw \\xff\\x00', "it's", 'line\\n'], 'ints': [1, 2**40, 10L, True], 'old': Old(),
          'older': Older(), 'new': New(), 'dict': {'k': u'v'}, 'float': 1.5, 'tuple': (1, 2, 3, 4), 'list': [None] * 1200,
          'xrange': xrange(3), 'unicode': [unicode, long]}
out = []
for protocol in range(3):
    for name in sorted(values):
        for module in (pickle, cPickle):
            data = module.dumps(values[name], protocol)
            out.append([module.__name__ + ' ' + name + ', protocol ' + str(protocol), base64.b64encode(data)])
print(json.dumps(out))
"""


def python2() -> list[dict[str, Any]]:
    program = sys.argv[1] if len(sys.argv) > 1 else shutil.which("python2.7")
    if program is None:
        sys.exit("name a Python 2.7, whose picklers write old streams: python3 test/oracle/pickles.py PYTHON2")
    made = json.loads(subprocess.run([program, "-c", PYTHON2], check=True, capture_output=True, text=True).stdout)
    return [judged(name, base64.b64decode(data)) for name, data in made]


HAND_MADE: list[bytes] = [
    # Numbers in text.
    *[f"I{text}\n.".encode() for text in "0 00 01 1 -5 +1 010 0x10 0b1 0o7 1_0 0_1 08 1x  99999999999999999999 \x0c7 0x".split(" ")],
    b"I1\x00x\n.", b"I 1\n.", b"I01 \n.", b"I1\r\n.",
    *[f"L{text}\n.".encode() for text in "0L 5 -5L 0x10L 010L 1_0L L 1LL 99999999999999999999L".split()],
    *[f"F{text}\n.".encode() for text in "1 1.5 -1e5 .5 5. nan -inf Infinity 1e x 1.5.2 0x1p3 1e-400".split()],
    # Texts.
    b"V\\u0041\\U0001F600\\\\u0041\\x\xe9\n.", b"V\\ud83d\n.", b"V\\\n.", b"V\\u00\n.", b"V\\U00110000\n.", b"V\n.",
    b"S'a\\n\\x41\\101\\7\\q\\\\\\''\n.", b'S"a"\n.', b"S'a\"\n.", b"S'\n.", b"Sa\n.", b"S''\n.", b"S'\\x4'\n.", b"S'a\\'\n.",
    b"S'\\400'\n.", b"S 'a'\n.", b"X\x03\x00\x00\x00\xed\xa0\x80.", b"X\x01\x00\x00\x00\xff.", b"X\x02\x00\x00\x00\xc0\x80.",
    b"\x8c\x02\xc3\xa9.", b"\x8d\x01\x00\x00\x00\x00\x00\x00\x00a.", b"\x8d" + b"\xff" * 8 + b"a.", b"X\xff\xff\xff\xffa.",
    b"T\x01\x00\x00\x00a.", b"T\xff\xff\xff\xffa.", b"U\x01\xff.", b"C\x02a.", b"B\x02\x00\x00\x00ab.",
    b"\x8e\x01\x00\x00\x00\x00\x00\x00\x00a.", b"\x96\x01\x00\x00\x00\x00\x00\x00\x00a.", b"\x96" + b"\x7f" * 8 + b".",
    # Binary numbers.
    b"J\xff\xff\xff\xff.", b"K\xff.", b"M\xff\xff.", b"G\x3f\xf8" + b"\0" * 6 + b".", b"\x8a\x00.", b"\x8a\x01\xff.",
    b"\x8a\x07" + b"\xff" * 6 + b"\x7f.", b"\x8a\x02\x00\x80.", b"\x8b\x01\x00\x00\x00\x80.", b"\x8b\xff\xff\xff\xff.",
    b"\x8b\x08\x00\x00\x00" + b"\0" * 7 + b"\x80.",
    # Stack and marks.
    b".", b"", b"(.", b"(1.", b"N(0.", b"(N0t.", b"N0.", b"0.", b"(0.", b"1.", b"N(NN1.", b"N2\x86.", b"2.", b"(2.", b"NN.",
    b"N(N.", b"t.", b"(t.", b"(Nt.", b"((NtNt.", b"N(\x85.", b"\x85.", b"NN\x86.", b"NNN\x87.", b"N(NN\x87.", b"(l.", b"(NNd.",
    b"(Nd.", b"(]Nd.", b"(d.", b"l.", b"d.",
    # Containers.
    b"]Na.", b"](NNe.", b"](e.", b"Na.", b"N(e.", b"N(Ne.", b"NNa.", b"}NNs.", b"}(NNNNu.", b"}(Nu.", b"}(u.", b"N(u.", b"NNNs.",
    b"](NNu.", b"}Na.", b"}]Ns.", b"\x8f(NN\x90.", b"\x8f(]\x90.", b"](N\x90.", b"\x8f(\x90.", b"(NK\x01\x91.", b"(]\x91.",
    b"(\x91.", b"](](NeNe.", b"K\x01(NNu.", b"(NN\x90.", b"e.", b"u.", b"\x90.", b"(e.", b"]2a.", b")2\x86.",
    # The memo.
    b"Np0\ng0\n.", b"Nq\x00h\x00.", b"Nr\x00\x01\x00\x00j\x00\x01\x00\x00.", b"h\x00.", b"g 0\n.", b"Np1_0\ng10\n.", b"Np-1\n.",
    b"g-1\n.", b"gx\n.", b"Nq\x05K\x01\x94h\x01.", b"K\x01\x94K\x02\x94h\x00h\x01\x86.", b"q\x00.", b"(q\x00.", b"\x94.",
    b"Nq\x63K\x07q\x64K\x08\x94h\x02h\x63h\x64\x87.", b"Nq\x00K\x01q\x00h\x00.", b"K\x01q\x14K\x02q\x14h\x14.",
    # Imports and calls.
    b"cos\nsystem\n.", b"cos\n\n.", b"c\nos\n.", b"cos\nsystem", b"c\xc3\xa9\n\xff\n.", b"c\xd0\xbes\nsystem\r\n.",
    b"\x8c\x02os\x8c\x06system\x93.", b"\x8c\x02osK\x01\x93.", b"\x8c\x02osN\x93.", b"\x93.", b"N\x93.",
    b"ca\nb\n(NtR.", b"ca\nb\n)R.", b"ca\nb\nNR.", b"N)R.", b"ca\nb\nR.", b"ca\nb\n)\x81.", b"ca\nb\n]\x81.", b"N)\x81.",
    b"ca\nb\n(Nt}\x92.", b"ca\nb\n(Nt}\x8c\x01kNs\x92.", b"(Nia\nb\n.", b"(ia\nb\n.", b"ia\nb\n.", b"(ca\nb\nNo.", b"(ca\nb\no.",
    b"(o.", b"o.", b"(No.", b"ca\nb\n)R}b.", b"ca\nb\n)RNb.", b"ca\nb\n)R(N}tb.", b"N}b.", b"b.", b"]}b.", b"}Nb.",
    b"ca\nb\n)R(NNe(NNu(N\x90.", b"ca\nb\n)RNa.", b"ca\nb\n)RNNs.", b"P17\n.", b"P\xff\n.", b"P\n.", b"(NNtQ.", b"Q.",
    # Headers, frames, extensions, buffers.
    b"\x80\x02N.", b"\x80\x05N.", b"\x80\x02\x80\x03N.", b"N\x80\x04.", b"\x80", b"\x80\x02", b"\x80\x04\x95" + b"\2" + b"\0" * 7 + b"N.",
    b"\x80\x04\x95" + b"\1" + b"\0" * 7 + b"N.", b"\x80\x04\x95" + b"\0" * 8 + b"N.", b"\x95\x00", b"\x97.", b"\x97\x98.", b"N\x98.",
    b"C\x01a\x98.", b"\x96\x01\0\0\0\0\0\0\0a\x98.", b"\x98.", b"\x82\x00.", b"\x84\xff\xff\xff\xff.", b"\x82", b"\xff.", b"N\x00.",
    b"\x82\x01.", b"NNN.N.", b"N..",
]


def framed(length: int, content: bytes) -> bytes:
    return b"\x95" + length.to_bytes(8, "little") + content


# Frames that end inside an opcode, inside one another, beyond STOP: read from a file, these are other pickles than in memory.
FRAME_GAMES: list[bytes] = [
    *[framed(length, b"M\x01\x02M\x03\x04\x86.K\x05.K\x06.") for length in range(14)],
    *[framed(length, b"X\x05\0\0\0abcdeK\x01K\x02\x86.\x86.") for length in range(16)],
    *[framed(length, b"cab\ncd\nef\n)R.gh\n)R.") for length in range(18)],
    *[framed(outer, b"N" + framed(inner, b"K\x01K\x02K\x03K\x04.K\x05.")) for outer in range(6, 20, 2) for inner in range(1, 10)],
    *[b"N" + framed(2, b"K\x01") + framed(2, b"K\x02") + framed(length, bytes_op + b"\x03" + zeros + b"N.)N)N).") for length in range(14)
      for bytes_op, zeros in [(b"C", b""), (b"B", b"\0" * 3), (b"\x8e", b"\0" * 7), (b"\x96", b"\0" * 7), (b"U", b""), (b"T", b"\0" * 3)]],
]


def hand_made() -> list[dict[str, Any]]:
    cases = [judged(f"hand-made {index}", data) for index, data in enumerate(HAND_MADE)]
    return [*cases, *(judged(f"frames {index}", data) for index, data in enumerate(FRAME_GAMES))]


def mutated(sources: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Short pickles with some bytes changed, taken out, or put in: most are broken, and all must be judged alike."""
    draw = random.Random(4)
    short = [data for data in (base64.b64decode(case["base64"]) for case in sources) if len(data) < 160]
    codes = bytes(code.code.encode("latin1")[0] for code in __import__("pickletools").opcodes)
    cases = []
    seen: set[bytes] = set()
    while len(cases) < 1200:
        data = bytearray(draw.choice(short))
        for _ in range(draw.randint(1, 3)):
            if not data:
                break
            at = draw.randrange(len(data))
            what = draw.randrange(4)
            if what == 0:
                data[at] = draw.randrange(256)
            elif what == 1:
                data[at] = draw.choice(codes)
            elif what == 2:
                del data[at]
            else:
                data.insert(at, draw.choice(codes))
        if data and bytes(data) not in seen:
            seen.add(bytes(data))
            cases.append(judged(f"mutated {len(cases)}", bytes(data)))
    return cases


def main() -> None:
    made = [*pickled(), *python2(), *hand_made()]
    cases = [*made, *mutated(made)]
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    head = json.dumps({"python": sys.version.split()[0]})[:-1]
    OUT.write_text(f'{head},"cases":[\n{lines}\n]}}\n', encoding="ascii", newline="\n")
    print(f"{len(cases)} cases, {sum('tree' in case for case in cases)} of them load")


main()
