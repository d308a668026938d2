#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the words of comments in C++ files: no room gets more faults than it has, until it has none.

    check_words.py [ROOT]      ROOT is the source folder; by default the one that contains this script.
    check_words.py --table     prints the number of faults of each room, in the form of KNOWN
    check_words.py --self-test

The rules are in .github/CONTRIBUTING.md. Each fault is reported with its file, line and rule, and a better form.
Prints one line per violation and exits 1 if there is any.
"""

import bisect
import collections
import dataclasses
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "pymod"))

from source_checks import ROOT, make_tree, run  # noqa: E402

# Rooms with faults, each with their number. A room with fewer faults gets its new number, and leaves the list when it has none.
KNOWN = {}


@dataclasses.dataclass
class Rule:
    name: str
    pattern: re.Pattern
    better: str


def rule(name, pattern, better):
    return Rule(name, re.compile(pattern), better)


GLOSSARY = "R8, words of Zarr, GDAL and C++"
RULES = (
    rule(
        "R1, the value that is returned",
        r"; nothing\b|\b(?:[Rr]eturns|[Gg]ives) nothing\b|"
        r"(?<!\b[Dd]oes )(?<!\b[Cc]hanges )\b[Nn]othing (?:if|for|where|unless|when|once)\b",
        "returns nullopt (null, an empty list) if ...",
    ),
    rule(
        "R2, negate the verb",
        r"(?<!\b[Tt]here )\b(?:is|are|was|were) (?:none\b|no\b(?! (?:longer|more than|less than)\b))",
        "is not a ...; does not have ...",
    ),
    rule("R7, processes and callers are things", r"\b(?:[Ww]hoever|[Nn]obody|[Ss]omebody)\b", "the caller; no process"),
    rule("R9, obligations of the caller", r"\b[Tt]o be called\b", "Call this ...; Must be called ..."),
    rule(GLOSSARY, r"\b[Bb]eside\b", "next to; in addition to"),
    rule(GLOSSARY, r"\b[Bb]ehind(?= \w)", "after; past the end of"),
    rule(GLOSSARY, r"\b[Aa]new\b", "again"),
    rule(GLOSSARY, r"\b[Mm]eanwhile\b", "in the meantime, or nothing"),
    rule(GLOSSARY, r"\b[Ss]tands? (?:in|at|on|for itself|before|after|there|alone)\b", "is in; precedes; follows"),
    rule(GLOSSARY, r"\b(?:a|no|each|one|another) look\b", "lookup; request; stat()"),
    rule(GLOSSARY, r"\b(?:[Oo]n|over) (?:a |the )?(?:networks?|web)\b", "in a remote store"),
    rule(GLOSSARY, r"\b[Ss]mall letters\b", "lower case"),
    rule(GLOSSARY, r"\btexts\b", "strings"),
    rule(GLOSSARY, r"\bside files?\b", "PAM file"),
    rule(GLOSSARY, r"\b(?:whole|half a) turns?\b", "multiples of 360°"),
    rule(GLOSSARY, r"\bGDAL's own (?:Zarr )?driver\b", "GDAL's built-in driver"),
    rule(GLOSSARY, r"\b[Ss]anitizers? of (?:addresses|threads)\b", "AddressSanitizer; ThreadSanitizer"),
    rule(GLOSSARY, r"\b(?:strings?|elements|types|bytes|text) of (?:any|variable) length\b", "variable-length ..."),
    rule(
        GLOSSARY,
        r"\b(?:a|the|its|their|this|no|same) places?\b|\bplaces? of (?:an |the )?arrays?\b",
        "georeferencing (of an array); location (in a document); position",
    ),
)

TOKEN = re.compile(
    r"""R"(\w*)\((?:.|\n)*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'|//[^\n]*|/\*(?:.|\n)*?\*/"""
)
MARKER = re.compile(r"//[/!]?<?[ \t]?")


@dataclasses.dataclass
class Fault:
    path: str
    line: int
    rule: Rule
    words: str

    def __str__(self):
        return f'{self.path}:{self.line}: "{self.words}" ({self.rule.name}); better: {self.rule.better}'


def source_files(root):
    for tree in ("zarrlib", "driver"):
        for parent, folders, names in os.walk(os.path.join(root, tree)):
            folders.sort()
            yield from (os.path.join(parent, n) for n in sorted(names) if n.endswith((".h", ".cpp")))


def find_comments(text):
    """Yields the text of each comment, and its (offset in it, line) for each of its lines. Lines that follow each other
    are one comment."""
    starts = [match.start() + 1 for match in re.finditer("\n", text)]
    comment, lines = "", []
    for token in TOKEN.finditer(text):
        if not token[0].startswith("//"):
            continue
        line = bisect.bisect_right(starts, token.start()) + 1
        if lines and lines[-1][1] != line - 1:
            yield comment, lines
            comment, lines = "", []
        comment += " " if lines else ""
        lines = lines + [(len(comment), line)]
        comment += MARKER.sub("", token[0], count=1).strip()
    if lines:
        yield comment, lines


def find_faults(root):
    for path in source_files(root):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        name = os.path.relpath(path, root)
        for comment, lines in find_comments(text):
            for each in RULES:
                for match in each.pattern.finditer(comment):
                    line = max(line for offset, line in lines if offset <= match.start())
                    yield Fault(name, line, each, match[0].strip("; "))


def get_room(path):
    """Returns "driver/gdal" for "driver/gdal/text.h" and for files in folders below it."""
    return "/".join(os.path.dirname(path).split(os.sep)[:2])


def group_by_room(root):
    rooms = collections.defaultdict(list)
    for fault in find_faults(root):
        rooms[get_room(fault.path)].append(fault)
    return rooms


def check(root, known=None):
    known = KNOWN if known is None else known
    rooms = group_by_room(root)
    for room in sorted(rooms.keys() | known.keys()):
        count, most = len(rooms[room]), known.get(room, 0)
        if count > most:
            yield f"{room}: {count} faults in the words of comments, at most {most}:"
            yield from (f"  {fault}" for fault in rooms[room])
        elif count < most:
            yield f"{room}: {count} faults in the words of comments: its number in KNOWN is {most}"


def print_table(root):
    rooms = group_by_room(root)
    for room in sorted(rooms):
        print(f'    "{room}": {len(rooms[room])},')
    print(f"# {sum(map(len, rooms.values()))} faults")


SELF_TEST = {
    "zarrlib/base/faulty.h": """#pragma once
/// The name; nothing if there is none. What is no name is refused.
/// To be called once; nobody
/// else does. Returns
/// nothing for others.
std::string name(const char* text = "// nobody");  // behind the last one
int separated = 1'000;  ///< It is no longer used, and is no more than 3.
/// Returns nullopt if there is no name. Call this once.
/// There are no texts. Does nothing if it is empty.
""",
    "driver/gdal/part/good.cpp": "// Returns nullopt if the name is not valid.\nconst char* const kText = R\"(// is none)\";\n",
}
SELF_TEST_FAULTS = [(2, "R1"), (2, "R2"), (3, "R9"), (3, "R7"), (4, "R1"), (6, "R8"), (9, "R8")]


def self_test():
    with make_tree(SELF_TEST) as root:
        faults = list(find_faults(root))
        found = sorted((fault.line, fault.rule.name[:2]) for fault in faults)
        if found != sorted(SELF_TEST_FAULTS) or {get_room(fault.path) for fault in faults} != {"zarrlib/base"}:
            return f"expected {sorted(SELF_TEST_FAULTS)}, got {found}"
        if list(check(root, {"zarrlib/base": 7})):
            return "the right number is rejected"
        if len(list(check(root, {"zarrlib/base": 6}))) != 8 or len(list(check(root, {"zarrlib/base": 7, "gone": 1}))) != 1:
            return "a wrong number passes"
    return ""


if __name__ == "__main__":
    if sys.argv[1:] == ["--table"]:
        print_table(ROOT)
    else:
        sys.exit(run("words", check, self_test))
