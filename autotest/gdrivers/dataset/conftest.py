# SPDX-License-Identifier: MIT
"""Processes that change a store at the same time, or one before the other."""

import pytest
from writer_team import Team


@pytest.fixture(scope="module")
def other():
    """Another process, which runs code with a dataset of its own."""
    with Team(1) as team:
        yield lambda path, code: team.run("calls", path, code=code)


@pytest.fixture(scope="module")
def team():
    with Team(4) as processes:
        yield processes
