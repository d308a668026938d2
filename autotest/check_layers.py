#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks who includes whom: the rooms of zarrlib and of the driver, that zarrlib knows nothing of GDAL, that only one
folder calls the system, and one uses extensions of compilers, and that lists of numbers are keys in ListOrder only.

    check_layers.py [ROOT]      ROOT is the source folder; by default the one that this script is in.
    check_layers.py --self-test

Prints one line per violation and exits 1 if there is any.
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "pymod"))

from source_checks import make_tree, run  # noqa: E402

# Of the metadata, codecs see their own names and configuration (CodecSpec) and what a chunk is made of.
CODEC_METADATA = [
    "metadata/array_metadata.h",
    "metadata/codec_names.h",
    "metadata/data_type.h",
    "metadata/fill_value.h",
]
BELOW_ARRAY = ["codec", "grid", "store", "metadata", "json", "base"]
# What a room of zarrlib may include besides itself: other rooms, or single headers of such a room. A folder that is not
# named here belongs to the room above it; "array" is array/ itself, without its rooms.
ZARRLIB = {
    "base": [],
    "json": ["base"],
    "store": ["base"],
    "store/icechunk": ["grid", "store", "json", "base"],  # references of format 1, and metadata of arrays
    "grid": ["json", "base"],
    "metadata": ["grid", "json", "base"],
    "codec": ["grid", *CODEC_METADATA, "json", "base"],  # a shard has a chunk grid of its own
    "array/cache": BELOW_ARRAY,
    "array": ["array/cache", *BELOW_ARRAY],
    "array/read": ["array", "array/cache", *BELOW_ARRAY],
    "array/write": ["array/read", "array", "array/cache", *BELOW_ARRAY],
    "hierarchy": ["array/write", "array/read", "array", "array/cache", *BELOW_ARRAY],
    "doc/examples": ["hierarchy", "array", "store", "metadata", "grid", "json", "base"],
    "tools": ["store/icechunk", "hierarchy", "array/write", "array/read", "array", "array/cache", *BELOW_ARRAY],
}
# The driver's rooms, the highest first: each may include those after it.
DRIVER = [
    "zarrkit",
    "plugin",
    "create",
    "raster",
    "multidim",
    "overviews",
    "georeferencing",
    "new_array",
    "cf",
    "dataset",
    "io",
    "types",
    "stores",
    "gdal",
]
# Rooms with folders of their own: these, the highest first. They see the headers of the room itself, whose sources put
# them together.
FOLDERS = {
    "driver/georeferencing": ["others", "coordinates", "cf", "geozarr"],
    "driver/stores": ["icechunk", "kerchunk", "parquet", "http"],
    "zarrlib/codec": ["array_to_bytes", "array_to_array", "bytes_to_bytes"],
}
# A library that one room wraps for the rest, and a macro that one header does.
ONLY_IN = {"nlohmann/": "zarrlib/json"}
VERSION_HEADER = "driver/gdal/gdal_compat.h"
MOST_ENTRIES = 40
# The operating system: one interface, and an implementation for each kind of system.
SYSTEM = "zarrlib/base/system"

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
GDAL_HEADER = re.compile(r"^(gdal/)?(gdal|cpl_|ogr|vrt|memdataset)[^/]*\.h$")
GDAL_NAME = re.compile(r"\b(GDAL|CPL|VSI|OGR|GDT|CSL)[A-Za-z0-9_]+")
SYSTEM_HEADER = re.compile(
    r"^(sys/|net/|netinet/|arpa/|linux/|windows)|"
    r"^(aio|dirent|dlfcn|fcntl|fnmatch|ftw|glob|grp|libgen|link|netdb|poll|pthread|pwd|sched|semaphore|spawn|strings|syslog|"
    r"termios|unistd|utime)\.h$"
)
SYSTEM_CALL = re.compile(
    r"(?<![\w.>])(::)?(?:"
    r"access|dladdr|dlopen|dlsym|fork|fsync|fdatasync|flock|fstat|ftruncate|getpid|getuid|gmtime_r|isatty|kill|localtime_r|lstat|"
    r"mkdtemp|mkstemp|mmap|munmap|nanosleep|pread|pthread_\w+|pwrite|readlink|realpath|setenv|sigaction|sigprocmask|strcasecmp|"
    r"strerror_r|strtok_r|symlink|sysconf|timegm|unlink|unsetenv|usleep|waitpid)\s*\("
)
# What only some compilers know, and M_PI, which MSVC hides.
COMPILER = "zarrlib/base/compiler"
EXTENSION = re.compile(r"\b(__builtin_\w+|__attribute__|__int128|__restrict__|__typeof__|M_PI)\b")
COMMENT = re.compile(r"//.*$", re.MULTILINE)
# Containers in order, and keys that one library compares wrongly: see this header.
LIST_ORDER = "zarrlib/base/compiler/list_order.h"
ORDERED = re.compile(r"\bstd::(?:multi)?(map|set)\s*<")
LIST = re.compile(
    r"\bstd::vector\s*<\s*(?:const\s+)?"
    r"(?:std::(?:u?int\w*_t|size_t|ptrdiff_t|byte)|unsigned|signed|char|short|int|long|float|double)\b"
)
ALIAS = re.compile(r"\busing\s+(\w+)\s*=\s*([^;]+);")


def source_files(folder):
    for parent, folders, names in os.walk(folder):
        folders.sort()
        yield from (os.path.join(parent, n) for n in sorted(names) if n.endswith((".h", ".cpp")))


def room_in(path, rooms):
    """The room, among `rooms`, of a path below zarrlib/ or driver/: the longest folder that is one."""
    folder = os.path.dirname(path)
    while folder and folder not in rooms:
        folder = os.path.dirname(folder)
    return folder


def allowed_rooms(tree, room):
    if tree == "zarrlib":
        return ZARRLIB[room]
    return DRIVER[DRIVER.index(room) + 1 :]


def folder_violation(tree, room, path, header):
    """Of files of one room that has folders."""
    order = FOLDERS.get(f"{tree}/{room}")
    if not order:
        return None
    own, target = (os.path.relpath(os.path.dirname(p), room).split("/")[0] for p in (path, header))
    if target in order and own in order and order.index(target) < order.index(own):
        return f"{room}/{own} stands below {room}/{target}"
    if target in order and own == "." and path.endswith(".h"):
        return f"headers of {room} stand below {room}/{target}"
    return None


def include_violation(tree, path, header):
    """`path` is below zarrlib/ or driver/."""
    rooms = ZARRLIB if tree == "zarrlib" else DRIVER
    room = room_in(path, rooms)
    if tree == "zarrlib":
        if GDAL_HEADER.match(header):
            return "a header of GDAL"
        if header.startswith("driver/"):
            return "a header of the driver"
    if SYSTEM_HEADER.match(header) and not f"{tree}/{path}".startswith(SYSTEM + "/"):
        return f"only {SYSTEM} calls the system"
    for prefix, owner in ONLY_IN.items():
        if header.startswith(prefix) and owner != f"{tree}/{room}":
            return f"only {owner} may include this"
    if not header.startswith(tree + "/"):
        return None
    header = header[len(tree) + 1 :]
    target = room_in(header, rooms)
    if target == room:
        return folder_violation(tree, room, path, header)
    allowed = allowed_rooms(tree, room)
    if target in allowed or header in allowed:
        return None
    return f"{tree}/{room} may include {', '.join(allowed) or 'no other room'}"


def check_file(root, path, tree):
    inside = os.path.relpath(path, os.path.join(root, tree))
    may_call_system = f"{tree}/{inside}".startswith(SYSTEM + "/")
    may_use_extensions = f"{tree}/{inside}".startswith(COMPILER + "/")
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            include = INCLUDE.match(line)
            if include:
                why = include_violation(tree, inside, include.group(1))
                if why:
                    yield f"{path}:{number}: includes {include.group(1)}: {why}"
                continue
            code = COMMENT.sub("", line)
            name = GDAL_NAME.search(code) if tree == "zarrlib" else None
            if name:
                yield f"{path}:{number}: uses {name.group(0)}, a name of GDAL"
            call = None if may_call_system else SYSTEM_CALL.search(code)
            if call:
                yield f"{path}:{number}: calls {call.group(0)[:-1].strip()}, as only {SYSTEM} does"
            extension = None if may_use_extensions else EXTENSION.search(code)
            if extension:
                yield f"{path}:{number}: uses {extension.group(0)}, an extension of some compilers, as only {COMPILER} does"
            if tree == "driver" and "GDAL_VERSION_NUM" in code and f"driver/{inside}" != VERSION_HEADER:
                yield f"{path}:{number}: asks for GDAL's version, as only {VERSION_HEADER} does"


def headers_of(path):
    with open(path, encoding="utf-8") as f:
        return [m.group(1) for m in map(INCLUDE.match, f) if m]


def header_cycles(root):
    """One line for each header that includes itself, by way of others."""
    graph = {}
    for tree in ("zarrlib", "driver"):
        for path in source_files(os.path.join(root, tree)):
            if path.endswith(".h"):
                graph[os.path.relpath(path, root)] = headers_of(path)
    for start in graph:
        seen, left = set(), list(graph[start])
        while left:
            header = left.pop()
            if header == start:
                yield f"{start}: includes itself by way of other headers"
                break
            if header in graph and header not in seen:
                seen.add(header)
                left += graph[header]


def split_arguments(text, begin):
    """The arguments of the template whose "<" precedes `begin`."""
    depth, arguments = 0, [""]
    for character in text[begin:]:
        if character == ">" and depth == 0:
            break
        depth += {"<": 1, "(": 1, ">": -1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            arguments.append("")
        else:
            arguments[-1] += character
    return arguments


def is_list(key, aliases, seen=frozenset()):
    """Whether a type contains a list of numbers, also by another name."""
    names = set(re.findall(r"\w+", key)) & aliases.keys() - seen
    return bool(LIST.search(key)) or any(is_list(aliases[name], aliases, seen | {name}) for name in names)


def misordered_lists(root):
    texts = {}
    for tree in ("zarrlib", "driver", "autotest/cpp"):
        for path in source_files(os.path.join(root, tree)):
            with open(path, encoding="utf-8") as f:
                texts[path] = COMMENT.sub("", f.read())
    shared = dict(alias for path, text in texts.items() if path.endswith(".h") for alias in ALIAS.findall(text))
    for path, text in texts.items():
        aliases = {**shared, **dict(ALIAS.findall(text))}
        for match in ORDERED.finditer(text):
            arguments = split_arguments(text, match.end())
            order = arguments[2 if match.group(1) == "map" else 1 :]
            if is_list(arguments[0], aliases) and "ListOrder" not in "".join(order[:1]):
                line = text.count("\n", 0, match.start()) + 1
                yield f"{path}:{line}: orders lists of numbers without the ListOrder of {LIST_ORDER}"


def crowded_folders(root):
    for tree in ("zarrlib", "driver"):
        for parent, folders, names in os.walk(os.path.join(root, tree)):
            if len(folders) + len(names) > MOST_ENTRIES:
                yield f"{parent}: {len(folders) + len(names)} entries: a room has at most {MOST_ENTRIES}"


def check(root):
    files = 0
    for tree in ("zarrlib", "driver"):
        for path in source_files(os.path.join(root, tree)):
            files += 1
            inside = os.path.relpath(path, os.path.join(root, tree))
            if not room_in(inside, ZARRLIB if tree == "zarrlib" else DRIVER):
                yield f"{path}: its folder is no room in the tables of this check"
                continue
            yield from check_file(root, path, tree)
    if not files:
        yield f"{root}: no source files"
    yield from header_cycles(root)
    yield from misordered_lists(root)
    yield from crowded_folders(root)


SELF_TEST = {
    "zarrlib/base/error.h": "#include <string>\n",
    "zarrlib/base/system/process.cpp": "#include <unistd.h>\nint f() { return ::getpid(); }\n",
    "zarrlib/base/system/posix/file.cpp": "#include <sys/stat.h>\nint f(int d) { return ::fsync(d); }\n",
    "zarrlib/base/compiler/swap.h": "inline int f(int i) { return __builtin_bswap32(i); }\n",
    "zarrlib/tools/info.cpp": "void f(Store& s) { s.access(); store->unlink(); my_getpid(); }  // as stat(2) does\n",
    "zarrlib/codec/codec.h": '#include "zarrlib/metadata/data_type.h"\n#include "zarrlib/base/error.h"\n',
    "zarrlib/codec/registry.cpp": '#include "zarrlib/codec/array_to_bytes/bytes.h"\n',
    "zarrlib/array/array.cpp": '#include "zarrlib/codec/codec.h"\n#include "zarrlib/store/store.h"\n// as GDALOpen does\n',
    "zarrlib/array/write/writer.cpp": '#include "zarrlib/array/read/chunk_loader.h"\n',
    "driver/plugin/open.cpp": '#include "driver/gdal/gdal_error.h"\n#include <gdal_priv.h>\n',
    "driver/georeferencing/cf/cf.cpp": '#include "driver/georeferencing/geozarr/levels.h"\n',
    "driver/gdal/gdal_compat.h": "#if GDAL_VERSION_NUM >= 1\n#endif\n",
    "zarrlib/grid/lists.h": "using Numbers = std::vector<int>;\n",
    "zarrlib/grid/lists.cpp": (
        "using Texts = std::vector<std::string>;\n"
        "std::map<Numbers, std::pair<int, int>, zarr::ListOrder> a;  // not std::set<Numbers>\n"
        "std::set<std::vector<std::uint64_t>,\n    ListOrder> b;\nstd::set<Texts> c;\nstd::map<int, Numbers> d;\n"
    ),
    "driver/cf/numbers.cpp": "using Numbers = std::vector<std::string>;\nstd::set<Numbers> numbers;\n",
}
SELF_TEST_VIOLATIONS = {
    "zarrlib/base/up.cpp": '#include "zarrlib/json/json_node.h"\n',
    "zarrlib/metadata/codec.cpp": '#include "zarrlib/codec/codec.h"\n',
    "zarrlib/codec/consolidated.cpp": '#include "zarrlib/metadata/consolidated.h"\n',
    "zarrlib/codec/bytes_to_bytes/zstd.cpp": '#include "zarrlib/codec/array_to_bytes/bytes.h"\n',
    "zarrlib/codec/table.h": '#include "zarrlib/codec/array_to_bytes/bytes.h"\n',
    "zarrlib/array/cache/cache.cpp": '#include "zarrlib/array/array.h"\n',
    "zarrlib/array/read/read.cpp": '#include "zarrlib/array/write/writer.h"\n',
    "zarrlib/store/json.cpp": "#include <nlohmann/json.hpp>\n",
    "zarrlib/store/vsi.cpp": "int f() { return VSIStatL(); }\n",
    "zarrlib/tools/header.cpp": "#include <sys/stat.h>\n",
    "zarrlib/store/header.cpp": "#include <fcntl.h>\n",
    "zarrlib/base/call.cpp": "int f(int d) { return ::fsync(d); }\n",
    "zarrlib/base/swap.cpp": "int f(int i) { return __builtin_bswap32(i); }\n",
    "driver/cf/angle.cpp": "double f(double d) { return d * 180 / M_PI; }\n",
    "zarrlib/tools/call.cpp": "int f() { return ::getpid(); }\n",
    "driver/stores/header.cpp": "#include <dlfcn.h>\n",
    "driver/stores/call.cpp": "bool f(int d) { return fsync(d) == 0; }\n",
    "zarrlib/array/gdal.cpp": "#include <cpl_conv.h>\n",
    "zarrlib/grid/driver.cpp": '#include "driver/plugin/open.h"\n',
    "zarrlib/stray/file.cpp": "\n",
    "driver/file.cpp": "\n",
    "driver/dataset/up.cpp": '#include "driver/multidim/md_array.h"\n',
    "driver/georeferencing/geozarr/up.cpp": '#include "driver/georeferencing/cf/cf.h"\n',
    "driver/io/version.cpp": "#if GDAL_VERSION_NUM >= 1\n#endif\n",
    "driver/cf/a.h": '#include "driver/cf/a.h"\n',
    "zarrlib/grid/map.cpp": "std::map<std::vector<std::uint32_t>, int> m;\n",
    "zarrlib/grid/set.h": "std::set<\n    std::vector<const std::size_t>, std::less<>> s;\n",
    "driver/io/alias.cpp": "using Key = std::pair<std::string, Numbers>;\nstd::multimap<Key, ListOrder> m;\n",
}


def self_test():
    """Every file of SELF_TEST_VIOLATIONS must be found, and nothing else."""
    with make_tree({**SELF_TEST, **SELF_TEST_VIOLATIONS}) as root:
        found = [v.removeprefix(root + "/").split(":")[0] for v in check(root)]
    if sorted(found) != sorted(SELF_TEST_VIOLATIONS):
        return f"expected violations in {sorted(SELF_TEST_VIOLATIONS)}, found {sorted(found)}"
    return ""


if __name__ == "__main__":
    sys.exit(run("layers", check, self_test))
