# SPDX-License-Identifier: MIT
"""Pseudo-terminals, for tests of what programs show on a terminal."""

import os
import pty

import pytest


def open_terminal():
    """Returns the file descriptors of our end and of the program's. Skips the test where there are none, for instance in a
    chroot without /dev/pts."""
    try:
        return pty.openpty()
    except OSError as error:
        mounted = os.path.exists("/dev/pts/ptmx")
        pytest.skip(f"no pseudo-terminal can be opened here ({error})" + ("" if mounted else ": devpts is not mounted on /dev/pts"))
