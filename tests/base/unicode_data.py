#!/usr/bin/env python3
"""Makes unicode_data.cpp and unicode/compositions.cpp in src/base out of Python's unicodedata, and proves what was made
of it.

    unicode_data.py BASE                  writes both files below BASE (src/base)
    unicode_data.py --check BASE PROGRAM  they are what would be written, and PROGRAM (unicode_dump, which asks
                                          base/utf8 about every code point) agrees with unicodedata on each of them

The tables are those of Unicode 14. With another version of Python's tables the check ends with 77, which ctest
counts as skipped: a difference would say something about Python and nothing about us.
"""
import pathlib
import subprocess
import sys
import unicodedata

WANTED = "14.0.0"
LIMIT = 0x110000

# Format characters that a terminal shows: the soft hyphen and the signs that stand before numbers and verses.
VISIBLE_FORMAT = {0xAD, *range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}

# Wide whether assigned or not (UAX 11).
WIDE_BY_DEFAULT = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2FFFD), (0x30000, 0x3FFFD))


def category(value):
    return unicodedata.category(chr(value))


def is_word(value):
    return category(value)[0] in "LMN"


def is_zero_width(value):
    if 0x1160 <= value <= 0x11FF or 0xD7B0 <= value <= 0xD7C6 or 0xD7CB <= value <= 0xD7FB:
        return True  # vowels and finals that join the Hangul initial before them
    if value in VISIBLE_FORMAT:
        return False
    return category(value) in ("Mn", "Me", "Cf")


def is_wide(value):
    if is_zero_width(value):
        return False
    if 0x1F1E6 <= value <= 0x1F1FF:
        return True  # regional indicators, two of which are a flag
    if any(first <= value <= last for first, last in WIDE_BY_DEFAULT):
        return True
    if category(value) == "Cn":
        return False  # Python calls unassigned characters full-width
    return unicodedata.east_asian_width(chr(value)) in "WF"


def lower(value):
    # The first of several: only U+0130 has a full mapping of two, and its simple mapping is the first of them.
    return ord(chr(value).lower()[0])


def compositions():
    """(first, mark, both): canonical pairs of a letter and one of the common marks, of alphabets and of kana."""
    result = []
    for value in range(LIMIT):
        parts = unicodedata.decomposition(chr(value)).split()
        if len(parts) != 2 or parts[0].startswith("<"):
            continue
        first, mark = (int(part, 16) for part in parts)
        common = 0x300 <= mark <= 0x36F or mark in (0x3099, 0x309A)
        if common and unicodedata.normalize("NFC", chr(value)) == chr(value):  # some are never put together
            result.append((first, mark, value))
    return sorted(result)


def ranges(wanted):
    result = []
    for value in range(LIMIT):
        if not wanted(value):
            continue
        if result and result[-1][1] == value - 1:
            result[-1][1] = value
        else:
            result.append([value, value])
    return result


def case_ranges():
    """[first, last, delta, stride]: runs with the same distance to their lower case, each or every second one."""
    result = []
    for value in range(LIMIT):
        delta = lower(value) - value
        if delta == 0:
            continue
        if result:
            run = result[-1]
            step = value - run[1]
            alone = run[0] == run[1]
            if run[2] == delta and (step in (1, 2) if alone else step == run[3]):
                run[1] = value
                run[3] = step
                continue
        result.append([value, value, delta, 1])
    return result


def rows(entries, width=108):
    lines, line = [], "   "
    for entry in entries:
        text = " {" + entry + "},"
        if len(line) + len(text) > width:
            lines.append(line)
            line = "   "
        line += text
    return "\n".join(lines + [line])


def table(name, entries):
    body = rows("0x%X, 0x%X" % (first, last) for first, last in entries)
    return "constexpr CodePointRange %s[] = {\n%s\n};\n" % (name, body)


def getter(kind, name, what):
    return "std::span<const %s> %s() {\n  return %s;\n}\n\n" % (kind, name, what)


def source(header, tables, getters):
    return (
        "// Made by tests/base/unicode_data.py from Unicode %s; a test holds it against the script.\n"
        '#include "base/%s"\n\n'
        "namespace plankeep::base {\n"
        "namespace {\n\n"
        "// clang-format off\n" % (WANTED, header)
        + "\n".join(tables)
        + "// clang-format on\n\n"
        "}  // namespace\n\n"
        + "".join(getters)
        + "}  // namespace plankeep::base\n"
    )


def files():
    """Path below src/base -> text."""
    case = rows("0x%X, 0x%X, %d, %d" % tuple(run) for run in case_ranges())
    pairs = rows("0x%X, 0x%X, 0x%X" % pair for pair in compositions())
    return {
        "unicode_data.cpp": source(
            "unicode_data.hpp",
            [table("kWord", ranges(is_word)), table("kWide", ranges(is_wide)),
             table("kZeroWidth", ranges(is_zero_width)), "constexpr CaseRange kLowerCase[] = {\n%s\n};\n" % case],
            [getter("CodePointRange", "word_ranges", "kWord"), getter("CodePointRange", "wide_ranges", "kWide"),
             getter("CodePointRange", "zero_width_ranges", "kZeroWidth"),
             getter("CaseRange", "lower_case_ranges", "kLowerCase")]),
        "unicode/compositions.cpp": source(
            "unicode/compositions.hpp",
            ["constexpr Composition kCompositions[] = {\n%s\n};\n" % pairs],
            [getter("Composition", "compositions", "kCompositions")]),
    }


def width(value):
    return 0 if is_zero_width(value) else 2 if is_wide(value) else 1


def check(base, program):
    for name, text in files().items():
        if (base / name).read_text(encoding="utf-8") != text:
            return "%s is not what this script writes" % (base / name)
    said = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
    # Like the program: nothing of a character that is no word character, its own lower case, and one column wide.
    wanted = []
    for value in range(LIMIT):
        if 0xD800 <= value <= 0xDFFF:
            continue
        word, low, columns = int(is_word(value)), lower(value), width(value)
        if word or low != value or columns != 1:
            wanted.append("%d %d %d %d" % (value, word, low, columns))
    for program_says, unicodedata_says in zip(said, wanted):
        if program_says != unicodedata_says:
            return "the program says %s, unicodedata %s" % (program_says, unicodedata_says)
    if len(said) != len(wanted):
        return "the program says something of %d characters, unicodedata of %d" % (len(said), len(wanted))
    return None


def main(arguments):
    if unicodedata.unidata_version != WANTED:
        print("skipped: this Python knows Unicode %s, the tables are %s" % (unicodedata.unidata_version, WANTED))
        return 77
    if len(arguments) == 1 and arguments[0] != "--check":
        for name, text in files().items():
            (pathlib.Path(arguments[0]) / name).write_text(text, encoding="utf-8")
        return 0
    if len(arguments) != 3 or arguments[0] != "--check":
        print(__doc__)
        return 2
    trouble = check(pathlib.Path(arguments[1]), arguments[2])
    print(trouble or "ok")
    return 1 if trouble else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
