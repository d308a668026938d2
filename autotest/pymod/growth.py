# SPDX-License-Identifier: MIT
"""Tells whether work grows faster than what it is done with."""

import time


def measure_growth(size, prepare, work):
    """Returns how many times as much processor time `work(prepare(size))` takes for eight times the size: about 8 if each
    part takes the same, and 64 if each is compared with all others. Other processes do not count."""

    def measure(parts):
        prepared = prepare(parts)
        begin = time.process_time()
        work(prepared)
        return time.process_time() - begin

    one = measure(size)
    return measure(8 * size) / one
