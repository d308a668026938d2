# SPDX-License-Identifier: MIT
"""Closes datasets at a known time: those of GDAL are context managers since 3.8 only."""

import contextlib


def close(dataset):
    if hasattr(dataset, "Close"):
        try:
            dataset.Close()
        except RuntimeError:
            # The bindings of some versions would close it once more.
            if dataset.this is not None:
                dataset.thisown, dataset.this = False, None
            raise
    else:  # before GDAL 3.8
        dataset.__swig_destroy__(dataset)
        dataset.this = None


@contextlib.contextmanager
def closing(dataset):
    yield dataset
    close(dataset)
