# SPDX-License-Identifier: MIT
"""The power fails while a store is written with SYNC=YES: at each instant, and for each choice of what the disk has by
then that its promise allows (autotest/pymod/power_failure.py). What was reported as done is there; else each chunk is
an old or a new one, and the store opens."""

import shutil

import fault_operations as operations
import numpy as np
import pytest
from faults import ALL
from forked_faults import WarmProcess
from osgeo import gdal
from power_failure import Record, find_states, write_tree
from test_call_faults import are_equal, check_between, read_state

MOST = 1000 if ALL else 16


@pytest.fixture(scope="module")
def process():
    with WarmProcess("fault_operations", {"GDAL_PAM_ENABLED": "NO"}) as process:
        yield process


def record(process, tmp_path, operation, earlier=None):
    """Returns the record of an operation with the states before and after it."""
    folder, before, trace = tmp_path / "folder", tmp_path / "before", str(tmp_path / "trace")
    folder.mkdir()
    if earlier:
        assert process.run(earlier, folder).error is None
    shutil.copytree(folder, before)
    result = process.run(operation, folder, trace=trace)
    assert (result.error, result.crash) == (None, None)
    return Record(trace, folder, before), read_state(before), read_state(folder)


def read_tree(tree, folder):
    """Returns the states with and without consolidated metadata; None for one that cannot be opened."""
    write_tree(tree, str(folder))
    try:
        return [read_state(folder, consolidated) for consolidated in ("YES", "NO")]
    except (RuntimeError, AttributeError):
        return [None, None]
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize("operation, earlier", [("create_synced", None), ("append_synced", "copy_shards")])
def test_what_was_done_with_sync_is_there(process, tmp_path, operation, earlier):
    changes, old, new = record(process, tmp_path, operation, earlier)
    states = 0
    for states, (marks, tree) in enumerate(find_states(changes, MOST), 1):
        for found in read_tree(tree, tmp_path / f"state{states}"):
            assert found is not None, (marks, tree.keys())
            if "done" in marks:
                assert are_equal(found, new), (marks, tree.keys())
            else:
                check_between(found, old, new, f"{marks} {tree.keys()}")
    assert states > 10


def expect_values(state, marks):
    """The marks tell what has been reported; what comes next may be there as well."""
    name = "/b" if "/b" in state else "/a"
    if not marks:
        return
    assert name in state and ("renamed" not in marks or name == "/b"), marks
    choices = [operations.NEW] if "written again" in marks else [operations.OLD, operations.NEW]
    values = state[name][1]
    for start in range(0, operations.WIDTH, operations.CHUNK):
        part = np.s_[:, start : start + operations.CHUNK]
        assert any(np.array_equal(values[part], choice[part]) for choice in choices), (marks, values)
    assert "deleted" not in marks or "/c" not in state, marks


def test_each_change_of_a_session_with_sync_is_there(process, tmp_path):
    changes, _, _ = record(process, tmp_path, "session_synced")
    marks_seen = set()
    for number, (marks, tree) in enumerate(find_states(changes, MOST)):
        consolidated, found = read_tree(tree, tmp_path / f"state{number}")
        assert found is not None, (marks, tree.keys())
        expect_values(found, marks)
        # While an array moves, the consolidated metadata name it at neither place.
        moves = marks == ("written", "written again") and not {"/a", "/b"} & consolidated.keys()
        if not moves:
            expect_values(consolidated, marks)
        marks_seen.update(marks)
    assert marks_seen >= {"written", "written again", "done"}
    assert ("renamed" in marks_seen) == hasattr(gdal.MDArray, "Rename")


def test_without_sync_a_power_failure_may_lose_what_was_done(process, tmp_path):
    """The states that are checked above contain losses, if nothing is forced to the disk."""
    changes, _, new = record(process, tmp_path, "create_unsynced")
    lost = 0
    for number, (marks, tree) in enumerate(find_states(changes, MOST)):
        found = read_tree(tree, tmp_path / f"state{number}")
        lost += "done" in marks and (found[0] is None or not are_equal(found[0], new))
    assert lost > 0
