# SPDX-License-Identifier: MIT
"""Dask's workers load the plugin that GDAL_DRIVER_PATH names, by default that of the folder build/."""

import os
import signal

import pytest

_AUTOTEST = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
os.environ.setdefault("GDAL_DRIVER_PATH", os.path.join(os.path.dirname(_AUTOTEST), "build", "gdalplugins"))
import jobs  # noqa: E402  (it loads the plugin that GDAL_DRIVER_PATH names, and knows the folder pymod)
from plugin_in_use import pytest_sessionstart  # noqa: E402, F401
from semaphores import why_no_semaphores  # noqa: E402

TIME_LIMIT = 120  # seconds


@pytest.fixture(scope="session", autouse=True)
def programs():
    try:
        import distributed.client  # noqa: F401  (a folder of the name "distributed" is a module, too)
    except ImportError:
        pytest.skip("Dask is not installed for this Python: bash cmake/deps.sh distributed")
    if not os.path.exists(jobs.get_zarrkit()):
        pytest.skip("zarrkit is not built here")
    if why_no_semaphores():
        pytest.skip(why_no_semaphores())


@pytest.fixture(autouse=True)
def time_limit(request):
    """Ends a test that hangs. A mark of this name sets another limit."""
    mark = request.node.get_closest_marker("time_limit")
    seconds = mark.args[0] if mark else TIME_LIMIT

    def stop(number, frame):
        raise TimeoutError(f"the test took more than {seconds} s")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    yield
    signal.alarm(0)


def pytest_configure(config):
    config.addinivalue_line("markers", "time_limit(seconds): the time that a test may take")
    config.addinivalue_line("filterwarnings", "ignore:make_current is deprecated")  # in a module that Dask uses


@pytest.fixture(scope="session")
def client(programs, tmp_path_factory):
    """A client of two workers."""
    from distributed import Client

    with jobs.start_cluster(tmp_path_factory.mktemp("workers"), 2) as cluster, Client(cluster) as connected:
        yield connected


@pytest.fixture
def store(tmp_path):
    """The path of a store that does not exist yet, in a folder of its own."""
    return str(tmp_path / "test.zarr")
