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
import tempfile

ROOMS = ["plugin", "raster", "multidim", "cf"]
# Functions that throw nothing: they return members, or are GDAL's own, which GDAL calls as well.
HARMLESS = {
    "CloseDataset", "CountOverviews", "EQUAL", "FetchNameValue", "FlushBandBlocks", "GetDataCoverageStatus",
    "GetNoDataValueAsDouble", "INIT_RASTERIO_EXTRA_ARG", "IgnoreMaskFile", "IsRequestsDomain", "List", "NeedsPlace",
    "Note", "ToFlushResult", "array", "c_str", "data", "deleted", "empty", "get", "has_value", "hierarchy", "is_new",
    "load", "md_array", "size", "srs", "starts_with", "store", "value_or", "view", "writable",
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
    """The sources of the driver's rooms, without comments and texts."""
    sources = {}
    for room in ROOMS:
        for folder, _, names in os.walk(os.path.join(root, "driver", room)):
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
    """The classes that GDAL's are bases of: (file, name, body)."""
    for path, text in sources.items():
        for match in CLASS.finditer(text):
            if re.search(r"\bGDAL\w+", match[2]):
                yield path, match[1], take_block(text, match.end() - 1)


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


def check(root):
    sources = read_sources(root)
    ours = find_own_interfaces(root)
    overrides = []
    guarded = {"Guard", "GuardChange", "TryChange"}
    for path, class_name, body in find_classes(sources):
        for match in OVERRIDE.finditer(body):
            name, end = match[1], match[3]
            if body[: match.start()].endswith("~") or name in ours:
                continue
            bodies = [take_block(body, match.end() - 1)] if end == "{" else find_definition(sources, class_name, name)
            overrides.extend((path, class_name, name, found) for found in bodies)
    names = {name for _, _, name, _ in overrides}
    # Other functions that guard themselves.
    for text in sources.values():
        for match in re.finditer(r"(\w+)\s*\((?:[^()]|\([^()]*\))*\)\s*(?:const\s*)?(?:noexcept\s*)?(?:override\s*)?\{", text):
            if match[1] not in KEYWORDS and GUARD.search(take_block(text, match.end() - 1)):
                guarded.add(match[1])
    violations = []
    for path, class_name, name, body in overrides:
        if GUARD.search(body):
            continue
        calls = sorted(set(list_calls(body)) - guarded - names)
        if calls:
            violations.append(f"{path}: {class_name}::{name} calls {', '.join(calls)} outside of Guard")
    return len(overrides), violations


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
class Other final : public Store {
  bool Get() override { return Find(); }
};
double Band::GetScale(int*) { return FindGuarded(); }
double Band::GetOffset(int*) { return Find(); }
double FindGuarded() { return Guard(0.0, [&] { return Find(); }); }
"""


def self_test():
    """GetOffset and GetUnitType must be found, and nothing else."""
    with tempfile.TemporaryDirectory() as root:
        os.makedirs(os.path.join(root, "driver", "raster"))
        with open(os.path.join(root, "driver", "raster", "band.h"), "w") as f:
            f.write(SELF_TEST)
        count, violations = check(root)
    found = sorted(re.findall(r"Band::(\w+)", " ".join(violations)))
    if count != 5 or found != ["GetOffset", "GetUnitType"]:
        print(f"found {found} of {count} overrides")
        return 1
    return 0


def main():
    arguments = sys.argv[1:]
    if arguments == ["--self-test"]:
        return self_test()
    root = arguments[0] if arguments else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    count, violations = check(root)
    print("\n".join(violations) if violations else "guards: ok")
    return 1 if violations or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
