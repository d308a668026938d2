# SPDX-License-Identifier: MIT
"""One call of the system fails in a process that changes a store, or reads its metadata: to open, read, write, sync,
rename, link, remove, or for memory. The process tells of it, or the change is complete and what was read is right; each
chunk is an old or a new one; the store opens; and the change succeeds when it is made again.

ZARR_FAULTS=all lets each call fail in each way; by default those that fail are spread over all calls.
"""

import errno
import itertools
import os
import shutil

import fault_operations as operations
import numpy as np
import pytest
from faults import ALL, FEW, Fault
from forked_faults import COUNT, WarmProcess, choose
from osgeo import gdal

LIMIT = 10**6 if ALL else 2 if FEW else 6
KINDS = {
    "fails": (Fault(0, errno.EIO), 2 * LIMIT),
    "full": (Fault(0, errno.ENOSPC, lasting=True), LIMIT),
    "denied": (Fault(0, errno.EACCES, calls="open,look,rename,link,mkdir,unlink"), LIMIT),
    "long": (Fault(0, errno.ENAMETOOLONG, calls="rename,link,mkdir"), LIMIT),
    "absent": (Fault(0, errno.ENOENT, calls="rename,link"), LIMIT),
    "no_folder": (Fault(0, errno.ENOTDIR, calls="rename,link,mkdir"), LIMIT),
    "descriptors": (Fault(0, errno.EMFILE, calls="open,look"), LIMIT),
    "unreadable": (Fault(0, errno.EIO, calls="look,read"), LIMIT),
    "interrupted": (Fault(0, errno.EINTR, calls="open,look,read,write,fsync"), LIMIT),
    "short": (Fault(0, calls="read,write", short=True), LIMIT),
    "memory": (Fault(0, errno.ENOMEM, calls="malloc"), 4 * LIMIT),
}
# The operation, and those that come before it.
OPERATIONS = {
    "create_v2": [],
    "create_v3": [],
    "create_sync": [],
    "copy_v2": [],
    "copy_shards": [],
    "copy_archive": [],
    "update_chunks": ["copy_v2"],
    "update_part": ["copy_shards"],
    "update_metadata": ["copy_v2"],
    "append": ["copy_shards"],
    "append_v2": ["copy_v2"],
    "build_overviews": ["copy_shards"],
    "clean_overviews": ["copy_v2", "build_overviews"],
    "delete": ["copy_v2"],
    "rechunk": [],
}
READINGS = ["read_bands_for_update", "read_arrays_for_update", "read_bands_only", "read_arrays_only"]
OPERATIONS.update({name: ["make_cube"] for name in READINGS})
KINDS_OF_READING = ["denied", "descriptors", "unreadable", "interrupted", "short", "memory"]
if hasattr(gdal.MDArray, "Resize"):
    OPERATIONS["resize"] = ["copy_v2"]
if hasattr(gdal.MDArray, "Rename"):
    OPERATIONS["rename"] = ["copy_v2"]


@pytest.fixture(scope="module")
def process():
    with WarmProcess("fault_operations", {"GDAL_PAM_ENABLED": "NO"}) as process:
        yield process


# --- what is in a store -------------------------------------------------------------------------------------------


def find_arrays(group, path=""):
    for name in group.GetMDArrayNames() or []:
        yield f"{path}/{name}", group.OpenMDArray(name)
    for name in group.GetGroupNames() or []:
        yield from find_arrays(group.OpenGroup(name), f"{path}/{name}")


def read_state(folder, consolidated="YES"):
    """Returns the attributes and elements of each array; nothing if there is no store."""
    path = next((p for p in (f"{folder}/a.zarr", f"{folder}/a.zarr.zip") if os.path.exists(p)), None)
    if path is None or (os.path.isdir(path) and not has_root(path)):
        return {}
    options = [f"USE_CONSOLIDATED_METADATA={consolidated}"]
    dataset = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER, open_options=options)
    state = {}
    for name, array in find_arrays(dataset.GetRootGroup()):
        attributes = {a.GetName(): str(a.Read()) for a in array.GetAttributes()}
        state[name] = (attributes, array.ReadAsArray())
    return state


def has_root(path):
    return any(os.path.exists(f"{path}/{name}") for name in ("zarr.json", ".zgroup", ".zmetadata"))


def are_equal(a, b):
    return a.keys() == b.keys() and all(a[n][0] == b[n][0] and np.array_equal(a[n][1], b[n][1]) for n in a)


def get_blocks(values):
    size = min(operations.CHUNK, *values.shape) if values.ndim == 2 else values.size
    starts = [range(0, length, size) for length in values.shape]
    return [values[tuple(slice(s, s + size) for s in start)] for start in itertools.product(*starts)]


def is_made_of(values, choices):
    """Whether each chunk is that of one of the choices."""
    choices = [get_blocks(choice) for choice in choices if choice.shape == values.shape]
    blocks = enumerate(get_blocks(values))
    return all(any(np.array_equal(block, choice[number]) for choice in choices) for number, block in blocks)


def check_between(found, old, new, text):
    """Checks what an operation that has failed leaves. An array that is new may be incomplete, as its creator knows."""
    for name, (attributes, values) in found.items():
        assert name in old or name in new, text
        choices = [state[name][1] for state in (old, new) if name in state]
        if name not in old:
            choices.append(np.zeros_like(values))
        elif name in new:
            assert attributes in (old[name][0], new[name][0]), text
        else:
            assert attributes == old[name][0], text
        assert is_made_of(values, choices), f"{text}\n{name}: {values}"
    for name in old.keys() & new.keys():
        assert name in found, f"{text}\nno {name}"


# --- operations ---------------------------------------------------------------------------------------------------


class Case:
    """An operation with the stores before and after it."""

    def __init__(self, process, name, folder):
        self.process, self.name, self.folder = process, name, folder
        self.before = folder / "before"
        self.before.mkdir()
        for earlier in OPERATIONS[name]:
            assert process.run(earlier, self.before).error is None
        self.old = read_state(self.before)
        self.new = None
        self.value = None
        self.numbers = itertools.count()

    def run(self, fault):
        own = str(self.folder / str(next(self.numbers)))
        shutil.copytree(self.before, own)
        return own, self.process.run(self.name, own, fault)

    def count(self, fault):
        own, result = self.run(fault)
        assert (result.error, result.crash) == (None, None)
        self.new = read_state(own)
        self.value = self.without_folder(result.value, own)
        return result.calls

    @staticmethod
    def without_folder(value, own):
        return value and value.replace(own, "")

    def check(self, own, result, fault):
        text = f"{fault}: {result}"
        assert result.crash is None, f"{result.crash}\n{text}"
        assert result.happened or result.error is None, text
        if result.error is None:
            assert self.without_folder(result.value, own) == self.value, text
        for consolidated in ("YES", "NO"):
            found = read_state(own, consolidated)
            if result.error is None:
                assert are_equal(found, self.new), f"{text}\n{found}\n{self.new}"
            else:
                check_between(found, self.old, self.new, text)
            if self.name == "rename" and (consolidated == "NO" or not fault.lasting):
                assert {"/a", "/b"} & found.keys(), text
        self.check_again(own, text)

    def check_again(self, own, text):
        if not self.old and has_root(f"{own}/a.zarr"):
            deleted = self.process.run("delete", own)  # a store is not made where there is one
            assert deleted.error is None, f"{text}\n{deleted}"
        again = self.process.run(self.name, own)
        if again.error:  # what is there already, or is not there any more
            assert self.name in ("delete", "append", "append_v2", "clean_overviews", "rename"), f"{text}\n{again}"
        if not again.error or self.name != "append":
            assert are_equal(read_state(own), self.new), f"{text}\n{again}"
        shutil.rmtree(own)


def replace_number(fault, number):
    return Fault(number, fault.error, fault.lasting, fault.calls, fault.short)


@pytest.mark.parametrize(
    "name, kind", [(n, k) for k in KINDS for n in OPERATIONS if n not in READINGS or k in KINDS_OF_READING]
)
def test_a_call_that_fails_is_told_or_of_no_consequence(process, tmp_path, name, kind):
    fault, limit = KINDS[kind]
    case = Case(process, name, tmp_path)
    count = case.count(replace_number(fault, COUNT))
    assert count > 0
    errors = []
    for number in choose(count, limit):
        own, result = case.run(replace_number(fault, number))
        # Streams are GDAL's own: it looks at the file before the driver does.
        if result.error and not result.failed[0].startswith("f"):
            errors.append(result)
        case.check(own, result, replace_number(fault, number))
    if kind in ("interrupted", "short"):
        assert errors == []
