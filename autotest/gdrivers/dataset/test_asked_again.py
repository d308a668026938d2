# SPDX-License-Identifier: MIT
"""A failure to read is not remembered as absence: a dataset that could be opened tells all when it is asked again."""

import errno

import pytest
from fault_operations import NOT_OPENED
from faults import Fault
from forked_faults import COUNT, WarmProcess


@pytest.fixture(scope="module")
def process():
    with WarmProcess("fault_operations", {"GDAL_PAM_ENABLED": "NO"}) as process:
        yield process


@pytest.mark.parametrize("operation", ["ask_bands_twice", "ask_arrays_twice"])
def test_the_second_answers_are_whole(process, tmp_path, operation):
    assert process.run("make_cube", tmp_path).error is None

    def run(number):
        return process.run(operation, tmp_path, Fault(number, errno.EIO, calls="open,look,read"))

    whole = run(COUNT)
    assert (whole.error, whole.crash) == (None, None)
    answers = [run(number) for number in range(1, whole.calls + 1)]
    assert {(a.error, a.crash) for a in answers} == {(None, None)}
    assert {a.value for a in answers} - {NOT_OPENED} == {whole.value}
