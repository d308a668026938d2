#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks how wide classes are and how tangled units: nothing becomes wider than it is, until it is as narrow as it should be.

    check_widths.py [ROOT]      ROOT is the source folder; by default the one that this script is in.
    check_widths.py --table     prints the numbers, the widest classes first
    check_widths.py --self-test

A unit is a header and the .cpp file beside it. Of a class count the public functions that it declares first: not what it
overrides, and no constructors, destructors, operators and deleted functions.
Prints one line per violation and exits 1 if there is any.
"""

import collections
import dataclasses
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "pymod"))

from source_checks import ROOT, make_tree, run  # noqa: E402

MOST_PUBLIC = 20
# Classes that are wider today, each with its number. A class that becomes narrower gets its new number, and leaves the list
# when it has no more than MOST_PUBLIC.
WIDE = {
    "JsonNode": 35,
    "MDArray": 23,
}
MOST_CASTS = 11
# Units that include each other, by way of others: the sizes of the circles of more than two.
CIRCLES = []

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
STRING = re.compile(r'R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"')
LITERAL = re.compile(r"(?<!\w)'(?:\\.|[^'\\])'")
CLASS = re.compile(r"(?:^|\s)(class|struct)\s+(?:\[\[\w+\]\]\s+)?(\w+)[^;()=]*$")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)
CAST = re.compile(r"\bdynamic_(?:pointer_)?cast<")
NO_FUNCTION = re.compile(r"^(?:using|friend|typedef|static_assert|template\s*<[^>]*>\s*friend|enum)\b")


@dataclasses.dataclass
class Width:
    public: int = 0
    private: int = 0
    virtual: int = 0


def source_files(root):
    for tree in ("zarrlib", "driver"):
        for parent, folders, names in os.walk(os.path.join(root, tree)):
            folders.sort()
            yield from (os.path.join(parent, n) for n in sorted(names) if n.endswith((".h", ".cpp")))


def read_code(path):
    """The text of a file without comments and without what strings contain."""
    with open(path, encoding="utf-8") as f:
        return LITERAL.sub("0", STRING.sub('""', COMMENT.sub(" ", f.read())))


def is_function(statement, class_name):
    statement = " ".join(statement.split())
    if "(" not in statement or NO_FUNCTION.match(statement) or re.search(r"=\s*delete$", statement):
        return False
    before = re.sub(r"^template\s*<.*?>\s*(?=\w)", "", statement)
    # The parentheses of a type, as in std::function<void()>, stand within angle brackets.
    depth, name = 0, None
    for position, character in enumerate(before):
        depth += (character == "<") - (character == ">" and before[position - 1 : position] != "-")
        if character in "={" and depth == 0:
            return False
        if character == "(" and depth == 0:
            name = re.search(r"([~\w]+)\s*$", before[:position])
            break
    return bool(name) and name[1] not in (class_name, f"~{class_name}", "operator") and "operator" not in before.split("(")[0]


def measure_classes(text):
    """Yields the name and the width of each class that is defined in a header."""
    open_braces = []  # for each: a class's name, or None
    access, widths, statement = [], {}, ""
    for piece in re.split(r"([{};]|\b(?:public|private|protected)\s*:(?!:))", text):
        if piece == "{":
            found = CLASS.search(statement)
            inside = bool(open_braces) and open_braces[-1] is not None
            if inside and not found:
                count(statement, open_braces[-1], access[-1], widths)
            open_braces.append(found[2] if found else None)
            if found:
                access.append("private" if found[1] == "class" else "public")
                widths.setdefault(found[2], Width())
            statement = ""
        elif piece == "}":
            if open_braces and open_braces.pop() is not None:
                access.pop()
            statement = ""
        elif piece == ";":
            if open_braces and open_braces[-1] is not None:
                count(statement, open_braces[-1], access[-1], widths)
            statement = ""
        elif re.fullmatch(r"(public|private|protected)\s*:", piece or ""):
            if open_braces and open_braces[-1] is not None:
                access[-1] = piece.rstrip(": ")
                statement = ""
        else:
            statement += piece or ""
    yield from widths.items()


def count(statement, name, access, widths):
    if not is_function(statement, name):
        return
    if re.search(r"\b(override|final)\b", statement):
        return
    if access == "public":
        widths[name].public += 1
    else:
        widths[name].private += 1
    if re.search(r"\bvirtual\b", statement):
        widths[name].virtual += 1


def measure_widths(root):
    widths = {}
    for path in source_files(root):
        if path.endswith(".h"):
            widths.update(measure_classes(re.sub(r"(?m)^\s*#(?:\\\n|[^\n])*", "", read_code(path))))
    return widths


def count_casts(root):
    return sum(len(CAST.findall(read_code(path))) for path in source_files(root))


def find_circles(root):
    """The units that include each other, by way of others, in groups of more than two."""
    graph = collections.defaultdict(set)
    for path in source_files(root):
        unit = os.path.splitext(os.path.relpath(path, root))[0]
        with open(path, encoding="utf-8") as f:
            graph[unit] |= {os.path.splitext(header)[0] for header in INCLUDE.findall(f.read())} - {unit}
    return sorted((sorted(group) for group in find_components(graph) if len(group) > 2), key=len, reverse=True)


def find_components(graph):
    """Tarjan's strongly connected components, without recursion."""
    index, low, on_stack, stack, groups = {}, {}, set(), [], []
    for start in list(graph):
        if start in index:
            continue
        work = [(start, iter(sorted(graph[start])))]
        index[start] = low[start] = len(index)
        stack.append(start)
        on_stack.add(start)
        while work:
            unit, targets = work[-1]
            for target in targets:
                if target not in graph:
                    continue
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(sorted(graph[target]))))
                    break
                if target in on_stack:
                    low[unit] = min(low[unit], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[unit])
                if low[unit] == index[unit]:
                    group = []
                    while not group or group[-1] != unit:
                        group.append(stack.pop())
                        on_stack.discard(group[-1])
                    groups.append(group)
    return groups


def check(root, wide=None, most_casts=None, circles=None):
    wide = WIDE if wide is None else wide
    widths = measure_widths(root)
    for name, width in sorted(widths.items()):
        most = wide.get(name, MOST_PUBLIC)
        if width.public > most:
            yield f"{name}: {width.public} public functions, at most {most}"
        elif name in wide and width.public < most:
            yield f"{name}: {width.public} public functions: its number in WIDE is {most}"
    yield from (f"{name}: a class of WIDE that is not there" for name in sorted(wide.keys() - widths.keys()))
    casts, most = count_casts(root), MOST_CASTS if most_casts is None else most_casts
    if casts != most:
        yield f"{casts} dynamic casts: MOST_CASTS is {most}"
    found, known = find_circles(root), CIRCLES if circles is None else circles
    if [len(group) for group in found] != known:
        for group in found:
            yield f"these {len(group)} units include each other: {', '.join(group)}"
        yield f"circles of units: CIRCLES is {known}"


def print_table(root):
    widths = sorted(measure_widths(root).items(), key=lambda item: (-item[1].public, item[0]))
    print("class: public, private, virtual functions")
    for name, width in widths[:25]:
        print(f"{name}: {width.public}, {width.private}, {width.virtual}")
    print(f"dynamic casts: {count_casts(root)}")
    for group in find_circles(root):
        print(f"circle of {len(group)} units: {', '.join(group)}")
    lines = 0
    for path in source_files(root):
        with open(path, encoding="utf-8") as f:
            lines += sum(1 for _ in f)
    print(f"lines of source: {lines}")


SELF_TEST = {
    "zarrlib/base/narrow.h": """#pragma once
#define MACRO(x) \\
  class Hidden { public: int f(); };
class Narrow : public Base {
 public:
  Narrow();
  explicit Narrow(int number) : number_(number) {}
  ~Narrow() override;
  Narrow(const Narrow&) = delete;
  bool operator==(const Narrow&) const = default;
  using Callback = std::function<void(int)>;
  friend void Swap(Narrow&, Narrow&);
  int number() const { return number_ > 0 ? Get(number_) : 0; }  // int three();
  bool Base() const override;
  virtual std::function<void()> two(const std::string& text = "a();") = 0;
  template <typename T>
  T Three(T value) const { if (value) { return Get(); } return 0; }
  struct Part { int One(); int value = Make(); };
  std::function<bool()> no_function;

 private:
  int Four();
  int number_ = std::max(1, 2);
};
""",
}
SELF_TEST_WIDTHS = {"Narrow": Width(3, 1, 1), "Part": Width(1, 0, 0)}
SELF_TEST_CIRCLE = {
    "driver/a.h": '#include "driver/b.h"\n',
    "driver/b.h": "\n",
    "driver/b.cpp": '#include "driver/c.h"\n#include "driver/b.h"\n',
    "driver/c.cpp": '#include "driver/a.h"\nauto x = dynamic_cast<A*>(b);  // dynamic_cast<B*>\n',
}


def self_test():
    with make_tree(SELF_TEST) as root:
        widths = measure_widths(root)
        if widths != SELF_TEST_WIDTHS:
            return f"expected {SELF_TEST_WIDTHS}, got {widths}"
        if list(check(root, {}, 0, [])) or len(list(check(root, {"Narrow": 4, "Gone": 21}, 1, [3]))) != 4:
            return "numbers that are right are refused, or wrong ones pass"
    with make_tree(SELF_TEST_CIRCLE) as root:
        if find_circles(root) != [["driver/a", "driver/b", "driver/c"]] or count_casts(root) != 1:
            return f"circles {find_circles(root)}, {count_casts(root)} casts"
    return ""


if __name__ == "__main__":
    if sys.argv[1:] == ["--table"]:
        print_table(ROOT)
    else:
        sys.exit(run("widths", check, self_test))
