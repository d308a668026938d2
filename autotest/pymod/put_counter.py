# SPDX-License-Identifier: MIT
"""Counts how often the files of folders are put, as the system tells it (inotify)."""

import collections
import ctypes
import os
import struct

_IN_MOVED_TO, _IN_CREATE = 0x80, 0x100
_libc = ctypes.CDLL(None, use_errno=True)


class PutCounter:
    """Counts what is moved to a name in a folder, or made there, but not in the folders below it."""

    def __init__(self, folder):
        self._events = _libc.inotify_init1(os.O_NONBLOCK)
        mask = _IN_MOVED_TO | _IN_CREATE
        if self._events < 0 or _libc.inotify_add_watch(self._events, os.fsencode(folder), mask) < 0:
            raise OSError(ctypes.get_errno(), "inotify")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self._events)

    def take(self):
        """Returns how often each name was put since the last call; temporary files are left out."""
        puts = collections.Counter()
        while data := self._read():
            while data:
                size = struct.unpack_from("iIII", data)[3]
                name = data[16 : 16 + size].rstrip(b"\0").decode()
                puts[name] += not name.startswith(".zarr-tmp-")
                data = data[16 + size :]
        return +puts

    def _read(self):
        try:
            return os.read(self._events, 1 << 16)
        except BlockingIOError:
            return b""
