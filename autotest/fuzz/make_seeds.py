#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes inputs for the fuzz targets from small stores.

    make_seeds.py OUT STORES...     STORES are folders in which stores are looked for.

Writes OUT/<target>/<name of the store>. A store of more than 64 KB is left out.
"""
import hashlib
import io
import json
import os
import struct
import sys
import zipfile

MOST_BYTES = 1 << 16
ROOTS = {"zarr.json", ".zarray", ".zgroup", ".zmetadata", "meta", "__zmeta__"}
DOCUMENTS = ROOTS | {"attrs", "__zattr__", ".zattrs", ".nczarray", ".nczgroup", ".nczattr"}


def find_stores(folder):
    """The folders that have the document of a root, and are in no other such folder."""
    for parent, folders, names in os.walk(folder):
        folders.sort()
        if ROOTS & set(names):
            folders.clear()
            yield parent


def read_store(path):
    """The keys and values of a store; nothing if it is too large."""
    entries = {}
    size = 0
    for parent, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names):
            file = os.path.join(parent, name)
            size += os.path.getsize(file)
            if size > MOST_BYTES:
                return None
            with open(file, "rb") as stream:
                entries[os.path.relpath(file, path)] = stream.read()
    return entries


def format_archive(entries):
    """The format of support/byte_archive.h."""
    return b"".join(
        struct.pack("<HI", len(key.encode()), len(value)) + key.encode() + value for key, value in entries.items()
    )


def is_document(key):
    return os.path.basename(key) in DOCUMENTS or key.endswith((".array.json", ".group.json"))


def make_zip(entries, method):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for key, value in entries.items():
            archive.writestr(zipfile.ZipInfo(key), value, method)
    return file.getvalue()


def make_references(entries):
    """kerchunk references that hold the values themselves, as far as they are text."""
    refs = {}
    for key, value in entries.items():
        try:
            refs[key] = value.decode("ascii")
        except UnicodeDecodeError:
            refs[key] = ["/vsimem/fuzz/target", len(key), min(len(value), 40)]
    return json.dumps({"version": 1, "refs": refs}).encode()


def write(out, target, name, content):
    folder = os.path.join(out, target)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as stream:
        stream.write(content)


def make_seeds(path, out):
    entries = read_store(path)
    if not entries:
        return
    name = os.path.basename(path)[:60] + "-" + hashlib.sha1(path.encode()).hexdigest()[:8]
    write(out, "store", name, format_archive(entries))
    write(out, "conventions", name, format_archive(entries))
    write(out, "metadata", name, format_archive({k: v for k, v in entries.items() if is_document(k)}))
    write(out, "references", name, make_references(entries))
    if len(format_archive(entries)) < 4096:
        write(out, "zip", name, make_zip(entries, zipfile.ZIP_STORED))
        write(out, "zip", name + "-deflated", make_zip(entries, zipfile.ZIP_DEFLATED))


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__)
    out, *folders = arguments
    for folder in folders:
        for path in find_stores(folder):
            make_seeds(path, out)


if __name__ == "__main__":
    main(sys.argv[1:])
