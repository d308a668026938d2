# SPDX-License-Identifier: MIT
"""Servers that others have written, for fixtures."""

import contextlib

import pytest
from web_processes import Missing


def run_or_skip(make):
    """Runs a server while a fixture lives."""
    with contextlib.ExitStack() as stack:
        try:
            server = stack.enter_context(make().serve())
        except Missing as missing:
            pytest.skip(str(missing))
        yield server
