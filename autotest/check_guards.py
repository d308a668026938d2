#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that no exception can pass from the driver's classes into GDAL: each function that overrides one of GDAL's does
its work within Guard, TryChange or another function that does, or only calls functions of GDAL and of `HARMLESS`.

    check_guards.py [ROOT]      ROOT is the source folder; by default the one that this script is in.
    check_guards.py --self-test

Prints one line per violation and exits 1 if there is any.
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "pymod"))

from source_checks import make_tree, run  # noqa: E402

# Functions that throw nothing: they return members, or are GDAL's own, which GDAL calls as well.
HARMLESS = {
    "CloseDataset", "CountOverviews", "EQUAL", "FetchNameValue", "FlushBandBlocks", "GetDataCoverageStatus",
    "GetNoDataValueAsDouble", "HasFractions", "Hides", "INIT_RASTERIO_EXTRA_ARG", "IgnoreMaskFile", "IsDefaultDomain", "IsRequestsDomain",
    "List", "NeedsPlace", "Note", "ToFlushResult", "array", "band", "c_str", "data", "deleted", "empty", "get", "has_value", "hierarchy", "is_new",
    "load", "md_array", "parts", "pixels", "points", "size", "source", "srs", "starts_with", "store", "transform", "value_or", "view", "writable",
}
KEYWORDS = {
    "if", "for", "while", "switch", "return", "sizeof", "static_cast", "const_cast", "reinterpret_cast", "dynamic_cast",
    "catch", "decltype", "alignof", "double", "int", "defined",
}
GUARD = re.compile(r"\b(?:Guard|GuardChange|TryChange|Change)\s*(?:<[^;{}()]*>)?\s*\(")
CLASS = re.compile(r"\bclass\s+(\w+)[^;{}()]*:\s*([^{;]*?)\{")
OVERRIDE = re.compile(
    r"([A-Za-z_]\w*)\s*\(((?:[^()]|\([^()]*\))*)\)\s*(?:const\s*)?"
    r"(?:ZARR_CONST_SINCE_\w+\s*)?(?:const\s*)?(?:override|ZARR_OVERRIDE_SINCE_\w+)\s*([{;])"
)


def read_sources(root):
    """The sources of the driver, without comments and texts."""
    sources = {}
    for folder, _, names in os.walk(os.path.join(root, "driver")):
        for name in sorted(names):
            if not name.endswith((".h", ".cpp")):
                continue
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as f:
                text = f.read()
            text = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text)
            text = re.sub(r"//[^\n]*", "", text)
            text = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
            sources[os.path.relpath(path, root)] = text
    return sources


def find_own_interfaces(root):
    """The names of the functions that the driver's own interfaces have; only the driver calls those."""
    names = set()
    for folder, _, files in os.walk(os.path.join(root, "driver", "dataset")):
        for name in files:
            with open(os.path.join(folder, name), encoding="utf-8") as f:
                names.update(re.findall(r"\bvirtual\b[^;{}()]*?(\w+)\(", f.read()))
    return names


def take_block(text, begin):
    """The block that begins with the brace at `begin`."""
    depth = 0
    for i in range(begin, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return text[begin : i + 1]
    return text[begin:]


def find_classes(sources):
    """The classes that GDAL's are bases of, also through other classes: (file, name, body)."""
    classes = [(path, m[1], m[2], take_block(text, m.end() - 1)) for path, text in sources.items() for m in CLASS.finditer(text)]
    of_gdal = set()
    count = -1
    while count < len(of_gdal):
        count = len(of_gdal)
        for _, name, bases, _ in classes:
            if any(word.startswith("GDAL") or word in of_gdal for word in re.findall(r"\w+", bases)):
                of_gdal.add(name)
    return [(path, name, body) for path, name, _, body in classes if name in of_gdal]


def find_definition(sources, class_name, function):
    """The bodies of a function that is defined outside of its class."""
    begin = re.compile(rf"\b{class_name}::{function}\s*\(")
    for text in sources.values():
        for match in begin.finditer(text):
            brace = re.compile(r"[;{]").search(text, match.end())
            if brace and brace[0] == "{" and re.match(r"^[^=]*$", text[match.end() : brace.start()]):
                yield take_block(text, brace.start())


def list_calls(body):
    """The names of the functions that a body calls; functions of GDAL's classes and of C do not count."""
    for match in re.finditer(r"((?:\w+::)*)(\w+)\s*(?:<[\w:*, ]*>)?\s*\(", body):
        qualifier, name = match[1], match[2]
        if name in KEYWORDS or qualifier.startswith(("GDAL", "gdal")) or name.startswith(("GDAL", "CPL", "CSL", "VSI")):
            continue
        if name not in HARMLESS:
            yield name


def find_overrides(sources, ours):
    """The functions that override GDAL's: (file, class, name, body)."""
    overrides = []
    for path, class_name, body in find_classes(sources):
        for match in OVERRIDE.finditer(body):
            name, end = match[1], match[3]
            if body[: match.start()].endswith("~") or name in ours:
                continue
            bodies = [take_block(body, match.end() - 1)] if end == "{" else find_definition(sources, class_name, name)
            overrides.extend((path, class_name, name, found) for found in bodies)
    return overrides


def find_guarded(sources):
    """The names of the functions that guard themselves."""
    guarded = {"Guard", "GuardChange", "TryChange"}
    for text in sources.values():
        for match in re.finditer(r"(\w+)\s*\((?:[^()]|\([^()]*\))*\)\s*(?:const\s*)?(?:noexcept\s*)?(?:override\s*)?\{", text):
            if match[1] not in KEYWORDS and GUARD.search(take_block(text, match.end() - 1)):
                guarded.add(match[1])
    return guarded


def check(root):
    sources = read_sources(root)
    overrides = find_overrides(sources, find_own_interfaces(root))
    if not overrides:
        yield f"{root}: no function overrides one of GDAL's"
    harmless = find_guarded(sources) | {name for _, _, name, _ in overrides}
    for path, class_name, name, body in overrides:
        calls = [] if GUARD.search(body) else sorted(set(list_calls(body)) - harmless)
        if calls:
            yield f"{path}: {class_name}::{name} calls {', '.join(calls)} outside of Guard"


SELF_TEST = """
class Band final : public GDALPamRasterBand {
 public:
  ~Band() override { Save(); }
  double GetMinimum(int* has) override { return GDALPamRasterBand::GetMinimum(has); }
  double GetMaximum(int* has) override { return Guard(0.0, [&] { return Find(); }); }
  double GetScale(int* has) override;
  double GetOffset(int* has) override;
  const char* GetUnitType() override { return FindUnit(); }
};
class View : public GDALProxyRasterBand {};
class Shown final : public View {
  int GetMaskFlags() override { return Find(); }
};
class Other final : public Store {
  bool Get() override { return Find(); }
};
double Band::GetScale(int*) { return FindGuarded(); }
double Band::GetOffset(int*) { return Find(); }
double FindGuarded() { return Guard(0.0, [&] { return Find(); }); }
"""


def self_test():
    """GetOffset, GetUnitType and GetMaskFlags must be found, and nothing else."""
    with make_tree({"driver/any_room/band.h": SELF_TEST}) as root:
        count = len(find_overrides(read_sources(root), find_own_interfaces(root)))
        found = re.findall(r"\w+::\w+", " ".join(check(root)))
    if count != 6 or sorted(found) != ["Band::GetOffset", "Band::GetUnitType", "Shown::GetMaskFlags"]:
        return f"found {found} of {count} overrides"
    return ""


if __name__ == "__main__":
    sys.exit(run("guards", check, self_test))
