# SPDX-License-Identifier: MIT
"""Closes datasets at a known time: those of GDAL are context managers since 3.8 only."""

import contextlib


def close(dataset):
    if not hasattr(dataset, "Close"):  # before GDAL 3.8
        dataset.__swig_destroy__(dataset)
        dataset.this = None
        return
    try:
        dataset.Close()
    except RuntimeError:
        # The bindings before GDAL 3.13 would free it once more.
        if dataset.this is not None:
            dataset.thisown, dataset.this = False, None
        raise


@contextlib.contextmanager
def closing(dataset):
    yield dataset
    close(dataset)
