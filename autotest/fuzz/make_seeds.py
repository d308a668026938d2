#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes inputs for the fuzz targets from small stores.

    make_seeds.py OUT STORES...     STORES are folders in which stores are looked for.

Writes OUT/<target>/<name of the store>. A store of more than 64 KB is left out. Encoded chunks that the unit tests of
codecs have in hexadecimal become inputs of the decoders.
"""
import hashlib
import io
import json
import os
import re
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


# The codecs that only read, by the name of the files that have encoded chunks, and a part of their names in rows.
VECTORS = {"lerc": "lerc", "jpeg": "jpeg", "webp": "webp", "tiff": "tiff", "pcodec": "pcodec", "blosc": "blosc",
           "imagecodecs_lz": "imagecodecs_", "zfp": "zfp"}
SHAPES = 10


def find_vectors(tests):
    """Pairs of a part of a codec's name, and an encoded chunk."""
    for parent, _, names in os.walk(tests):
        for name in sorted(n for n in names if n.endswith((".cpp", ".h"))):
            codec = next((VECTORS[start] for start in VECTORS if name.startswith(start)), None)
            if codec is None:
                continue
            with open(os.path.join(parent, name), encoding="utf-8") as stream:
                for match in re.finditer(r'(?:"[0-9a-fA-F]{6,}"\s*)+', stream.read()):
                    digits = re.sub(r'["\s]', "", match.group())
                    if len(digits) % 2 == 0:
                        yield codec, bytes.fromhex(digits)


def make_codec_seeds(root, out):
    with open(os.path.join(root, "fuzz", "support", "codec_rows.cpp"), encoding="utf-8") as stream:
        rows = re.findall(r'^ +\{R"\((.*?)\)", R"', stream.read(), re.MULTILINE)
    for number, (codec, chunk) in enumerate(find_vectors(os.path.join(root, "cpp"))):
        for row in (i for i, text in enumerate(rows) if codec in text):
            for shape in range(SHAPES):
                write(out, "codecs", f"vector-{number}-{row}-{shape}", bytes([row, shape]) + chunk)


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__)
    out, *folders = arguments
    for folder in folders:
        for path in find_stores(folder):
            make_seeds(path, out)
    make_codec_seeds(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), out)


if __name__ == "__main__":
    main(sys.argv[1:])
