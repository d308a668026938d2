#!/usr/bin/env python3
"""Checks who includes whom: zarrlib's folders among each other, and that zarrlib knows nothing of GDAL.

    check_layers.py [ROOT]      ROOT is the source folder; by default the one that this script is in.
    check_layers.py --self-test

Prints one line per violation and exits 1 if there is any.
"""
import os
import re
import sys
import tempfile

# Of the metadata, codecs see their own configuration (CodecSpec) and what a chunk is made of.
CODEC_METADATA = ["metadata/array_metadata.h", "metadata/data_type.h", "metadata/fill_value.h"]
# What a folder of zarrlib may include: other folders of it, or single headers of such a folder.
ALLOWED = {
    "base": [],
    "json": ["base"],
    "store": ["base"],
    "grid": ["json", "base"],
    "metadata": ["grid", "json", "base"],
    "codec": ["grid", *CODEC_METADATA, "json", "base"],  # a shard has a chunk grid of its own
    "array": ["codec", "grid", "store", "metadata", "json", "base"],
    "tools": ["array", "codec", "grid", "store", "metadata", "json", "base"],
}
# A library that one folder wraps for the rest.
ONLY_IN = {"nlohmann/": "json"}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
GDAL_HEADER = re.compile(r"^(gdal/)?(gdal|cpl_|ogr|vrt|memdataset)[^/]*\.h$")
GDAL_NAME = re.compile(r"\b(GDAL|CPL|VSI|OGR|GDT|CSL)[A-Za-z0-9_]+")
COMMENT = re.compile(r"//.*$")


def source_files(folder):
    for parent, folders, names in os.walk(folder):
        folders.sort()
        yield from (os.path.join(parent, n) for n in sorted(names) if n.endswith((".h", ".cpp")))


def may_include(folder, header):
    """Whether a file of zarrlib/<folder> may include zarrlib/<header>."""
    target = header.split("/")[0]
    return target == folder or target in ALLOWED[folder] or header in ALLOWED[folder]


def include_violation(folder, header):
    if GDAL_HEADER.match(header):
        return "a header of GDAL"
    if header.startswith("driver/"):
        return "a header of the driver"
    for prefix, owner in ONLY_IN.items():
        if header.startswith(prefix) and folder != owner:
            return f"only zarrlib/{owner} may include this"
    if header.startswith("zarrlib/") and not may_include(folder, header[len("zarrlib/") :]):
        return f"zarrlib/{folder} may include {', '.join(ALLOWED[folder]) or 'no other folder'}"
    return None


def check_file(path, folder):
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            include = INCLUDE.match(line)
            if include:
                why = include_violation(folder, include.group(1))
                if why:
                    yield f"{path}:{number}: includes {include.group(1)}: {why}"
            else:
                name = GDAL_NAME.search(COMMENT.sub("", line))
                if name:
                    yield f"{path}:{number}: uses {name.group(0)}, a name of GDAL"


def check(root):
    library = os.path.join(root, "zarrlib")
    files = 0
    for path in source_files(library):
        files += 1
        folder = os.path.relpath(path, library).split(os.sep)[0]
        if folder not in ALLOWED:
            yield f"{path}: zarrlib/{folder} has no row in the table of this check"
            continue
        yield from check_file(path, folder)
    if not files:
        yield f"{library}: no source files"


SELF_TEST = {
    "base/error.h": "#include <string>\n",
    "codec/codec.h": '#include "zarrlib/metadata/data_type.h"\n#include "zarrlib/base/error.h"\n',
    "array/array.cpp": '#include "zarrlib/codec/codec.h"\n#include "zarrlib/store/store.h"\n// as GDALOpen does\n',
}
SELF_TEST_VIOLATIONS = {
    "base/up.cpp": '#include "zarrlib/json/json_node.h"\n',
    "metadata/codec.cpp": '#include "zarrlib/codec/codec.h"\n',
    "codec/consolidated.cpp": '#include "zarrlib/metadata/consolidated.h"\n',
    "store/json.cpp": "#include <nlohmann/json.hpp>\n",
    "store/vsi.cpp": "int f() { return VSIStatL(); }\n",
    "array/gdal.cpp": "#include <cpl_conv.h>\n",
    "grid/driver.cpp": '#include "driver/driver_core.h"\n',
    "stray/file.cpp": "\n",
}


def self_test():
    """Every file of SELF_TEST_VIOLATIONS must be found, and nothing else."""
    with tempfile.TemporaryDirectory() as root:
        for name, text in {**SELF_TEST, **SELF_TEST_VIOLATIONS}.items():
            path = os.path.join(root, "zarrlib", name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as f:
                f.write(text)
        found = [v[len(root) + len("/zarrlib/") :].split(":")[0] for v in check(root)]
    if sorted(found) != sorted(SELF_TEST_VIOLATIONS):
        print(f"expected violations in {sorted(SELF_TEST_VIOLATIONS)}, found {sorted(found)}")
        return 1
    return 0


def main():
    arguments = sys.argv[1:]
    if arguments == ["--self-test"]:
        return self_test()
    root = arguments[0] if arguments else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    violations = list(check(root))
    print("\n".join(violations) if violations else "layers: ok")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
