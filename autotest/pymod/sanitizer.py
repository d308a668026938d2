# SPDX-License-Identifier: MIT
"""Some tests cannot run in a process that has the sanitizer of addresses (cmake/sanitizers.sh driver)."""

import os


def skip_with_sanitizer(reason):
    if "libasan" in os.environ.get("LD_PRELOAD", ""):
        import pytest

        pytest.skip(f"with the sanitizer of addresses: {reason}")
