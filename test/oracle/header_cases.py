"""Headers, good and hostile, for the reference to judge: every row of the format's acceptance rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

SAME = "same"
STRICTER = "stricter"
MILDER = "milder"
EITHER = "either"


@dataclass(frozen=True)
class HeaderCase:
    """A file to judge. `ours` says how this program's verdict must relate to the reference's:

    `same`: clean or warnings where the reference accepts, worse where it refuses; `stricter`: the reference accepts and
    we report an error; `milder`: the reference refuses and we open it, but never as clean; `either`: both will do.
    """

    group: str
    name: str
    file: bytes
    ours: str = SAME


def with_header(header: str | bytes, data: bytes = bytes(4)) -> bytes:
    """A file of an honest header length, the header as it stands, and data."""
    text = header.encode() if isinstance(header, str) else header
    return len(text).to_bytes(8, "little") + text + data


def entry(dtype: str = "F32", shape: str = "[1]", offsets: str = "[0,4]", extra: str = "") -> str:
    """A tensor entry of raw JSON parts."""
    return f'{{"dtype":"{dtype}","shape":{shape},"data_offsets":{offsets}{extra}}}'


GOOD = '{"a":' + entry() + "}"
GOOD_BYTES = GOOD.encode()


def _lengths() -> Iterator[HeaderCase]:
    def case(name: str, file: bytes) -> HeaderCase:
        return HeaderCase("length", name, file)

    def claims(length: int) -> bytes:
        return length.to_bytes(8, "little") + GOOD_BYTES + bytes(4)

    yield case("valid, one tensor", with_header(GOOD))
    yield case("empty file", b"")
    yield case("one byte", b"\x01")
    yield case("seven bytes", bytes(7))
    yield case("eight zero bytes", bytes(8))
    yield case("length 0 with a header after it", claims(0))
    yield case("length 1", claims(1))
    yield case("length one short of the header", claims(len(GOOD_BYTES) - 1))
    yield case("length one past the header", claims(len(GOOD_BYTES) + 1))
    yield case("length to the end of the file", claims(len(GOOD_BYTES) + 4))
    yield case("length one past the end of the file", claims(len(GOOD_BYTES) + 5))
    yield case("length 100,000,000 on a small file", claims(100_000_000))
    yield case("length 100,000,001 on a small file", claims(100_000_001))
    yield case("length 2^31", claims(2**31))
    yield case("length 2^32", claims(2**32))
    yield case("length 2^32 + header (low word looks right)", claims(2**32 + len(GOOD_BYTES)))
    yield case("length 2^53 + 1", claims(2**53 + 1))
    yield case("length 2^63", claims(2**63))
    yield case("length 2^64 - 8", claims(2**64 - 8))
    yield case("length 2^64 - 1", claims(2**64 - 1))
    yield case("length big-endian", len(GOOD_BYTES).to_bytes(8, "big") + GOOD_BYTES + bytes(4))
    yield case("two bytes of header, no tensors", with_header("{}", b""))
    yield case("no tensors, padded", with_header("{}      ", b""))
    yield case("no tensors, one byte of data", with_header("{}", b"\0"))
    yield case("metadata only", with_header('{"__metadata__":{"k":"v"}}', b""))


def _text() -> Iterator[HeaderCase]:
    def case(name: str, header: str | bytes, ours: str = SAME) -> HeaderCase:
        return HeaderCase("text", name, with_header(header), ours)

    yield case("leading space", " " + GOOD)
    yield case("leading tab, CR, LF", "\t\r\n" + GOOD)
    yield case("leading vertical tab", "\v" + GOOD)
    yield case("leading no-break space", "\u00a0" + GOOD)
    yield case("leading NUL", "\0" + GOOD)
    yield case("trailing spaces", GOOD + "   ")
    yield case("trailing tab, CR, LF", GOOD + "\t\r\n")
    yield case("trailing NUL", GOOD + "\0")
    yield case("trailing NULs after spaces", GOOD + "  \0\0")
    yield case("trailing letter", GOOD + "x")
    yield case("trailing comma after the object", GOOD + ",")
    yield case("two objects", GOOD + "{}")
    yield case(
        "white space everywhere", '{ "a" :\n{ "dtype" : "F32" ,\t"shape" : [ 1 ] ,\r"data_offsets" : [ 0 , 4 ] } }'
    )
    yield case("UTF-8 byte order mark", b"\xef\xbb\xbf" + GOOD_BYTES)
    yield case("UTF-16", GOOD.encode("utf-16-le"))
    for name, bad in [
        ("overlong slash C0 AF", b"\xc0\xaf"),
        ("overlong NUL C0 80", b"\xc0\x80"),
        ("overlong in three bytes E0 80 AF", b"\xe0\x80\xaf"),
        ("overlong in four bytes F0 80 80 AF", b"\xf0\x80\x80\xaf"),
        ("surrogate ED A0 80", b"\xed\xa0\x80"),
        ("surrogate pair as CESU-8", b"\xed\xa0\xbd\xed\xb8\x80"),
        ("truncated two-byte sequence", b"\xc3"),
        ("truncated three-byte sequence", b"\xe6\x97"),
        ("truncated four-byte sequence", b"\xf0\x9f\x98"),
        ("lone continuation byte", b"\x80"),
        ("byte FF", b"\xff"),
        ("above U+10FFFF", b"\xf4\x90\x80\x80"),
        ("five-byte sequence", b"\xf8\x88\x80\x80\x80"),
        ("Latin-1 letter", b"\xe9"),
    ]:
        yield case(f"invalid UTF-8 in a name: {name}", b'{"a' + bad + b'":' + entry().encode() + b"}")
    yield case("invalid UTF-8 in ignored text", GOOD_BYTES[:-2] + b',"x":"\xff"}}')
    yield case("header cut inside a character", GOOD_BYTES + b"\xc3")
    yield case("top level array", "[" + GOOD + "]")
    yield case("top level string", '"a"')
    yield case("top level null", "null")
    yield case("top level number", "0")
    yield case("only white space", "        ")
    yield case("unclosed object", GOOD[:-1])
    yield case("empty name without value", '{"a"}')
    yield case("name without quotes", "{a:" + entry() + "}")
    yield case("single quotes", GOOD.replace('"', "'"))
    yield case("line comment", "//x\n" + GOOD)
    yield case("block comment", '{/**/"a":' + entry() + "}")
    yield case("trailing comma in the object", GOOD[:-1] + ",}")
    yield case("trailing comma in an array", '{"a":' + entry(shape="[1,]") + "}")
    yield case("double comma", '{"a":' + entry() + ',,"b":' + entry(offsets="[4,4]", shape="[0]") + "}")
    yield case("the fault of an official writer", '{},"__metadata__":{"k":"v"}}')


def _strings() -> Iterator[HeaderCase]:
    def named(name: str, raw: str, ours: str = SAME) -> HeaderCase:
        return HeaderCase("strings", name, with_header('{"' + raw + '":' + entry() + "}"), ours)

    yield named("empty name", "")
    yield named("name __proto__", "__proto__")
    yield named("name constructor", "constructor")
    yield named("name hasOwnProperty", "hasOwnProperty")
    yield named("name 10", "10")
    yield named("name with an escaped NUL", "a\\u0000b")
    yield named("name with a raw NUL", "a\0b")
    yield named("name with a raw line feed", "a\nb")
    yield named("name with a raw tab", "a\tb")
    yield named("name with raw 0x1F", "a\x1fb")
    yield named("name with raw 0x7F", "a\x7fb")
    yield named("name with raw U+0085", "a\u0085b")
    yield named("name with raw U+2028", "a\u2028b")
    yield named("name with raw U+FEFF", "\ufeffa")
    yield named("name with every short escape", '\\"\\\\\\/\\b\\f\\n\\r\\t')
    yield named("escape of a letter", "\\u0061")
    yield named("escape in upper-case hexadecimal", "\\u00E9\\u00FF")
    yield named("escaped surrogate pair", "\\ud83d\\ude00")
    yield named("lone high surrogate escape", "\\ud800")
    yield named("lone low surrogate escape", "\\ude00")
    yield named("high surrogate escape, then a letter", "\\ud83da")
    yield named("high surrogate escape, then another escape", "\\ud83d\\n")
    yield named("two high surrogate escapes", "\\ud83d\\ud83d")
    yield named("surrogate escapes in the wrong order", "\\ude00\\ud83d")
    yield named("escape of noncharacter U+FFFF", "\\uffff")
    yield named("escape too short", "\\u00e")
    yield named("escape with a letter beyond F", "\\u00eg")
    yield named("escape with a plus sign", "\\u+0e9")
    yield named("escape \\x", "\\x61")
    yield named("escape \\'", "\\'")
    yield named("escape \\U", "\\U0001f600")
    yield named("escape \\0", "\\0")
    yield named("backslash at the end", "a\\")
    pair = entry(), entry(offsets="[4,8]")
    yield HeaderCase(
        "strings",
        "names 10 and 2, in that order",
        with_header(f'{{"10":{pair[0]},"2":{pair[1]}}}', bytes(8)),
    )
    yield HeaderCase(
        "strings",
        "names that differ by Unicode normalisation",
        with_header(f'{{"\u00e9":{pair[0]},"e\u0301":{pair[1]}}}', bytes(8)),
    )


def _duplicates() -> Iterator[HeaderCase]:
    def case(name: str, header: str, size: int = 4, ours: str = STRICTER) -> HeaderCase:
        return HeaderCase("duplicates", name, with_header(header, bytes(size)), ours)

    good = entry()
    yield case("name twice, the same entry", f'{{"a":{good},"a":{good}}}')
    yield case("name twice, the last covers the data", f'{{"a":{entry(offsets="[4,8]")},"a":{good}}}')
    yield case("name twice, the last leaves a gap", f'{{"a":{good},"a":{entry(offsets="[4,8]")}}}', 8, SAME)
    yield case("name twice, the first is nonsense", f'{{"a":{entry(shape="[9]", offsets="[7,3]")},"a":{good}}}')
    yield case("name twice, the first has an unknown dtype", f'{{"a":{entry(dtype="F128")},"a":{good}}}', 4, SAME)
    yield case("name twice, once escaped", f'{{"a":{good},"\\u0061":{good}}}')
    for key, value in [("dtype", '"F32"'), ("shape", "[1]"), ("data_offsets", "[0,4]")]:
        yield case(f"{key} twice in an entry", '{"a":' + entry(extra=f',"{key}":{value}') + "}", 4, SAME)
    yield case("shape twice, once escaped", '{"a":' + entry(extra=',"\\u0073hape":[1]') + "}", 4, SAME)
    yield case("an ignored field twice", '{"a":' + entry(extra=',"x":1,"x":2') + "}", 4, EITHER)
    yield case("__metadata__ twice", f'{{"__metadata__":{{"k":"v"}},"__metadata__":{{"k":"v"}},"a":{good}}}', 4, SAME)
    yield case("__metadata__ null, then an object", f'{{"__metadata__":null,"__metadata__":{{}},"a":{good}}}', 4, SAME)
    yield case("a key twice inside __metadata__", f'{{"__metadata__":{{"k":"v","k":"w"}},"a":{good}}}')


def _metadata() -> Iterator[HeaderCase]:
    def case(name: str, value: str, ours: str = SAME) -> HeaderCase:
        return HeaderCase("metadata", name, with_header(f'{{"__metadata__":{value},"a":{entry()}}}'), ours)

    yield case("one entry", '{"k":"v"}')
    yield case("empty object", "{}")
    yield case("null", "null")
    yield case("empty key and value", '{"":""}')
    yield case("keys of object prototypes", '{"__proto__":"x","constructor":"y","10":"z","2":"w"}')
    yield case("escapes in key and value", '{"\\ud83d\\ude00\\n":"\\u0000\\""}')
    yield case("lone surrogate escape in a value", '{"k":"\\ud800"}')
    yield case("a long value", '{"k":"' + "x" * 5000 + '"}')
    yield case("number value", '{"n":0}', MILDER)
    yield case("null value", '{"n":null}', MILDER)
    yield case("boolean value", '{"n":true}', MILDER)
    yield case("array value", '{"n":[]}', MILDER)
    yield case("object value", '{"n":{}}', MILDER)
    yield case("nested object of strings", '{"n":{"k":"v"}}', MILDER)
    yield case("one string, one number", '{"k":"v","n":1}', MILDER)
    yield case("array", "[]", MILDER)
    yield case("array of pairs", '[["k","v"]]', MILDER)
    yield case("string", '"x"', MILDER)
    yield case("number", "1", MILDER)
    yield case("false", "false", MILDER)
    yield HeaderCase("metadata", "after the tensors", with_header(GOOD[:-1] + ',"__metadata__":{"k":"v"}}'))
    yield HeaderCase("metadata", "key escaped", with_header(f'{{"\\u005f_metadata__":{{"k":"v"}},"a":{entry()}}}'))
    yield HeaderCase("metadata", "a tensor called __metadata__", with_header(f'{{"__metadata__":{entry()}}}'), MILDER)
    yield HeaderCase("metadata", "a tensor called __METADATA__", with_header(f'{{"__METADATA__":{entry()}}}'))
    yield HeaderCase("metadata", "metadata under a name's entry", with_header('{"a":{"k":"v"}}'))


def _entries() -> Iterator[HeaderCase]:
    def whole(name: str, value: str, ours: str = SAME) -> HeaderCase:
        return HeaderCase("entries", name, with_header(f'{{"a":{value}}}'), ours)

    yield whole("fields in another order", '{"data_offsets":[0,4],"shape":[1],"dtype":"F32"}')
    yield whole("field names escaped", '{"d\\u0074ype":"F32","shape":[1],"data_offsets":[0,4]}')
    for value in ["null", "0", '"F32"', "true", "[]", "{}"]:
        yield whole(f"entry is {value}", value)
    yield whole("entry as an array", '["F32",[1],[0,4]]', STRICTER)
    yield whole("entry as an array of two", '["F32",[1]]')
    yield whole("entry as an array of four", '["F32",[1],[0,4],0]')
    yield whole("no dtype", '{"shape":[1],"data_offsets":[0,4]}')
    yield whole("no shape", '{"dtype":"F32","data_offsets":[0,4]}')
    yield whole("no data_offsets", '{"dtype":"F32","shape":[1]}')
    yield whole("field name in another case", '{"Dtype":"F32","shape":[1],"data_offsets":[0,4]}')
    for dtype in [
        "f32",
        "F128",
        "",
        " F32",
        "float32",
        "E8M0",
        "UE8",
        "FP4",
        "I4",
        "C128",
        "F8_E3M4",
        "BOOLEAN",
        "F32\\u0000",
    ]:
        yield whole(f"dtype {dtype!r}", entry(dtype=dtype))
    yield whole("dtype escaped", '{"dtype":"\\u004632","shape":[1],"data_offsets":[0,4]}')
    for value, ours in [
        ("null", SAME),
        ("32", SAME),
        ("0", SAME),
        ('["F32"]', SAME),
        ('{"F32":null}', STRICTER),
        ('{"F32":{}}', SAME),
        ('{"F32":[]}', SAME),
        ('{"F32":null,"F32":null}', SAME),
        ("{}", SAME),
    ]:
        yield whole(f"dtype is {value}", f'{{"dtype":{value},"shape":[1],"data_offsets":[0,4]}}', ours)
    for value in ["null", "1", '"1"', "{}", "[[1]]", "[null]", "[true]", '["1"]', "[{}]"]:
        yield whole(f"shape is {value}", entry(shape=value))
    for value in [
        "null",
        "4",
        "[]",
        "[4]",
        "[0]",
        "[0,4,4]",
        "[0,4,null]",
        "[[0,4]]",
        "[null,4]",
        "[false,4]",
        '{"0":0,"1":4}',
        '"0,4"',
    ]:
        yield whole(f"data_offsets is {value}", entry(offsets=value))
    for extra in [
        '"x":null',
        '"x":1',
        '"x":-1.5e10',
        '"x":"y"',
        '"x":[1,[2,{"y":3}]]',
        '"":{}',
        '"x":{"dtype":"F16"}',
        '"x":123456789012345678901234567890',
    ]:
        yield whole(f"extra field {extra}", entry(extra="," + extra))
    yield whole("extra field 1e999", entry(extra=',"x":1e999'), EITHER)
    yield whole("extra field -1e999", entry(extra=',"x":-1e999'), EITHER)
    yield whole("extra field 1e-999", entry(extra=',"x":1e-999'))
    yield whole("lone surrogate escape in an extra field", entry(extra=',"x":"\\ud800"'), EITHER)
    yield whole("lone surrogate escape in an extra field's name", entry(extra=',"\\ud800":0'), EITHER)
    for token in [
        "NaN",
        "Infinity",
        "-Infinity",
        "undefined",
        "True",
        "nul",
        "+1",
        ".5",
        "5.",
        "-",
        "1e",
        "1e+",
        "0x1",
        "01",
        "-01",
        "1_0",
    ]:
        yield whole(f"extra field {token}", entry(extra=f',"x":{token}'))


def _numbers() -> Iterator[HeaderCase]:
    tokens = [
        "1.0",
        "1e0",
        "1E0",
        "10e-1",
        "-0",
        "0",
        "-1",
        '"1"',
        "01",
        "1.5",
        "NaN",
        "9007199254740993",
        "18446744073709551615",
    ]
    tokens += ["18446744073709551616", "340282366920938463463374607431768211456", "1e400", "4294967297"]
    for token in tokens:
        # Integral forms such as 1e0 are JSON integers to some readers; the reference takes plain digits only.
        ours = EITHER if token in ("1.0", "1e0", "1E0", "10e-1", "-0") else SAME
        yield HeaderCase("numbers", f"shape [{token}]", with_header(f'{{"a":{entry(shape=f"[{token}]")}}}'), ours)
    for token in ["4.0", "4e0", "0.4e1", '"4"', "04", "-4", "4.5", "5", "4294967300", "9007199254740993"]:
        ours = EITHER if token in ("4.0", "4e0", "0.4e1") else SAME
        yield HeaderCase("numbers", f"end {token}", with_header(f'{{"a":{entry(offsets=f"[0,{token}]")}}}'), ours)
    for token in ["18446744073709551615", "18446744073709551616"]:
        yield HeaderCase("numbers", f"end {token}", with_header(f'{{"a":{entry(offsets=f"[0,{token}]")}}}'))
    for token in ["-0", "0.0", "0e0", "00", "-1", "1"]:
        ours = EITHER if token in ("-0", "0.0", "0e0") else SAME
        yield HeaderCase("numbers", f"begin {token}", with_header(f'{{"a":{entry(offsets=f"[{token},4]")}}}'), ours)
    wrapped = entry(offsets=f"[{2**64 - 4},{2**64 - 1}]")
    yield HeaderCase("numbers", "range at the top of 64 bits", with_header(f'{{"a":{wrapped}}}'))


def _shapes() -> Iterator[HeaderCase]:
    def case(name: str, dtype: str, shape: str, size: int, ours: str = SAME) -> HeaderCase:
        text = f'{{"a":{entry(dtype, shape, f"[0,{size}]")}}}'
        return HeaderCase("shapes", name, with_header(text, bytes(size)), ours)

    big = str(2**40)
    yield case("scalar", "F32", "[]", 4)
    yield case("scalar without bytes", "F32", "[]", 0)
    yield case("no elements", "F32", "[0]", 0)
    yield case("no elements, with bytes", "F32", "[0]", 4)
    yield case("no elements in the last of several dimensions", "F32", "[0,5]", 0)
    yield case("one element without bytes", "F32", "[1]", 0)
    yield case("one element short", "F32", "[2]", 4)
    yield case("one byte short", "F32", "[1]", 3)
    yield case("eight dimensions", "U8", "[1,1,1,1,1,1,1,2]", 2)
    yield case("100 dimensions", "U8", "[" + ",".join(["1"] * 100) + "]", 1)
    yield case("overflow before a zero", "U8", f"[{big},{big},0]", 0)
    yield case("zero before an overflow", "U8", f"[0,{big},{big}]", 0)
    yield case("zero between two that overflow", "U8", f"[{big},0,{big}]", 0)
    yield case("2^63 × 2 elements", "U8", f"[{2**63},2]", 0)
    yield case("2^61 bytes, 2^64 bits", "U8", f"[{2**61}]", 0)
    yield case("2^61 - 1 bytes", "U8", f"[{2**61 - 1}]", 0)
    yield case("2^62 F32", "F32", f"[{2**62}]", 0)
    yield case("2^64 - 1 elements of F4", "F4", f"[{2**64 - 1}]", 0)
    yield case("product wraps to the right size", "U8", f"[{2**32 + 1},{2**32}]", 0)
    yield case("2^32 + 1 elements against 4 bytes", "F32", f"[{2**32 + 1}]", 4)
    for dtype in ["F6_E2M3", "F6_E3M2"]:
        for count, size in [(4, 3), (8, 6), (1, 1), (2, 2), (3, 3), (5, 4), (4, 4), (0, 0)]:
            yield case(f"{dtype} [{count}] in {size} bytes", dtype, f"[{count}]", size)
        yield case(f"{dtype} [2,2] in 3 bytes", dtype, "[2,2]", 3)
    for shape, size in [
        ("[2]", 1),
        ("[3]", 2),
        ("[3]", 1),
        ("[1]", 1),
        ("[2,7]", 7),
        ("[7,2]", 7),
        ("[]", 1),
        ("[0]", 0),
        ("[16]", 16),
        ("[1,1]", 1),
    ]:
        yield case(f"F4 {shape} in {size} bytes", "F4", shape, size)
    yield case("F6 scalar", "F6_E2M3", "[]", 1)
    yield case("BOOL with byte 2", "BOOL", "[1]", 1)
    sizes = {
        "F64": 8,
        "I64": 8,
        "U64": 8,
        "C64": 8,
        "F32": 4,
        "I32": 4,
        "U32": 4,
        "F16": 2,
        "BF16": 2,
        "I16": 2,
        "U16": 2,
    }
    one_byte = ["BOOL", "U8", "I8", "F8_E4M3", "F8_E5M2", "F8_E4M3FNUZ", "F8_E5M2FNUZ", "F8_E8M0"]
    for dtype, size in {**sizes, **{name: 1 for name in one_byte}}.items():
        yield case(f"one {dtype}", dtype, "[1]", size)


def _ranges() -> Iterator[HeaderCase]:
    def case(
        name: str, ranges: list[tuple[int, int]], size: int, ours: str = SAME, elements: int | None = None
    ) -> HeaderCase:
        parts = [
            f'"{chr(97 + index)}":'
            + entry("U8", f"[{end - begin if elements is None else elements}]", f"[{begin},{end}]")
            for index, (begin, end) in enumerate(ranges)
        ]
        return HeaderCase("ranges", name, with_header("{" + ",".join(parts) + "}", bytes(size)), ours)

    yield case("two tensors", [(0, 4), (4, 8)], 8)
    yield case("header order reversed", [(4, 8), (0, 4)], 8)
    yield case("hole at the start", [(4, 8)], 8)
    yield case("hole between", [(0, 4), (8, 12)], 12)
    yield case("overlap", [(0, 4), (2, 6)], 6)
    yield case("the same range twice", [(0, 4), (0, 4)], 4)
    yield case("one inside another", [(0, 8), (2, 6)], 8)
    yield case("overlap of the first and the third only", [(0, 6), (6, 8), (4, 6)], 8)
    yield case("reversed", [(4, 0)], 4, elements=4)
    yield case("reversed, after another", [(0, 4), (4, 0)], 4, elements=4)
    yield case("trailing byte", [(0, 4)], 5)
    yield case("eight trailing bytes", [(0, 4)], 12)
    yield case("last byte missing", [(0, 4)], 3)
    yield case("all data missing", [(0, 4)], 0)
    yield case("last tensor missing", [(0, 4), (4, 8)], 4)
    yield case("empty at the start", [(0, 0), (0, 4)], 4)
    yield case("empty at the start, listed last", [(0, 4), (0, 0)], 4)
    yield case("empty between", [(0, 4), (4, 4), (4, 8)], 8)
    yield case("two empty between", [(0, 4), (4, 4), (4, 4), (4, 8)], 8)
    yield case("empty at the end", [(0, 4), (4, 4)], 4)
    yield case("empty inside another", [(0, 4), (2, 2)], 4)
    yield case("empty past the end", [(0, 4), (5, 5)], 4)
    yield case("empty far past the end", [(2**40, 2**40)], 0)
    yield case("only an empty one", [(0, 0)], 0)
    yield case("range outside the file", [(0, 4), (4, 2**40)], 8)
    unaligned = '{"a":' + entry("BOOL", "[1]", "[0,1]") + ',"b":' + entry("F64", "[1]", "[1,9]") + "}"
    yield HeaderCase("ranges", "unaligned data", with_header(unaligned, bytes(9)))
    yield HeaderCase("ranges", "unaligned header length", with_header(GOOD + " " * (1 - len(GOOD_BYTES) % 2)))


def nested(opening: str, closing: str, depth: int) -> bytes:
    """A file whose entry has an ignored field that nests `depth` levels of its own."""
    return with_header('{"a":' + entry(extra=',"x":' + opening * depth + closing * depth) + "}")


def nested_objects(depth: int) -> bytes:
    """As `nested`, with objects: {"y":{"y":{}}} is 3 levels."""
    value = '{"y":' * (depth - 1) + "{}" + "}" * (depth - 1)
    return with_header('{"a":' + entry(extra=',"x":' + value) + "}")


def _nesting() -> Iterator[HeaderCase]:
    for depth in [1, 64, 120, 123, 124, 125, 126, 127, 128, 129, 200]:
        yield HeaderCase("nesting", f"arrays, {depth} levels in an ignored field", nested("[", "]", depth))
        yield HeaderCase("nesting", f"objects, {depth} levels in an ignored field", nested_objects(depth))
    yield HeaderCase("nesting", "10,000 opening brackets", with_header('{"a":{"x":' + "[" * 10_000))
    yield HeaderCase("nesting", "arrays, 200 levels as an entry", with_header('{"a":' + "[" * 200 + "]" * 200 + "}"))
    yield HeaderCase("nesting", "arrays, 200 levels at the top", with_header("[" * 200 + "]" * 200))


def header_cases() -> list[HeaderCase]:
    """All cases; names are unique within their group."""
    makers = [_lengths, _text, _strings, _duplicates, _metadata, _entries, _numbers, _shapes, _ranges, _nesting]
    cases = [case for make in makers for case in make()]
    assert len({(case.group, case.name) for case in cases}) == len(cases)
    return cases
