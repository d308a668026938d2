# SPDX-License-Identifier: MIT
"""Semaphores, which processes of Python's multiprocessing and of Dask share."""

import functools
import multiprocessing


@functools.cache
def why_no_semaphores():
    """An empty text if processes can share semaphores. A bare chroot has no /dev/shm in which users may write."""
    try:
        multiprocessing.Lock()
    except OSError as error:
        return f"Python's processes cannot share semaphores, for which they use /dev/shm: {error}"
    return ""
