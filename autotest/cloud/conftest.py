# SPDX-License-Identifier: MIT
"""Tests of stores on the web run against the plugin that GDAL_DRIVER_PATH names, by default that of the folder build/,
and against servers on the loopback."""

import os
import sys

import pytest

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.environ.setdefault("GDAL_DRIVER_PATH", os.path.join(_ROOT, "build", "gdalplugins"))

sys.path.insert(0, os.path.join(_ROOT, "autotest", "pymod"))  # helpers of several tests

from fault_server import FaultServer  # noqa: E402
from moto_server import MotoServer  # noqa: E402
from nginx import Nginx  # noqa: E402
from osgeo import gdal  # noqa: E402  (reads GDAL_DRIVER_PATH)
from plugin_in_use import pytest_sessionstart  # noqa: E402, F401
from s3_server import S3Server  # noqa: E402
from server_fixtures import run_or_skip  # noqa: E402

gdal.UseExceptions()


@pytest.fixture
def server(tmp_path):
    """A server of the test's folder that fails on request."""
    with FaultServer(tmp_path).serve() as running:
        yield running


@pytest.fixture
def slow_server(tmp_path):
    """A server that takes 100 ms for requests that come together, so that those that wait for each other can be told."""
    with FaultServer(tmp_path, latency=0.1, gathers=True).serve() as running:
        yield running


@pytest.fixture(params=["HTTP/1.1", "HTTP/2.0"])
def nginx(request, tmp_path):
    """Nginx, with the folder tmp_path / "www"."""
    (tmp_path / "www").mkdir()
    tls = request.param == "HTTP/2.0"
    gdal.SetConfigOption("GDAL_HTTP_UNSAFESSL", "YES" if tls else None)
    yield from run_or_skip(lambda: Nginx(tmp_path / "www", tmp_path / "nginx", tls))
    gdal.SetConfigOption("GDAL_HTTP_UNSAFESSL", None)


@pytest.fixture(scope="module")
def s3rver(tmp_path_factory):
    yield from run_or_skip(lambda: S3Server(tmp_path_factory.mktemp("s3rver")))


@pytest.fixture(scope="module")
def moto(tmp_path_factory):
    yield from run_or_skip(lambda: MotoServer(tmp_path_factory.mktemp("moto")))


@pytest.fixture
def s3_bucket(s3rver):
    """An object store that is a program of its own, and to which GDAL's options lead. Its bucket is empty."""
    with s3rver.configure():
        s3rver.empty()
        yield s3rver


@pytest.fixture
def path(s3_bucket):
    """The name of a store that is not there yet."""
    return f"{s3_bucket.root}/a.zarr"


@pytest.fixture(params=["ZARR_V2", "ZARR_V3"])
def version(request):
    """The option FORMAT of a new store."""
    return request.param


@pytest.fixture(autouse=True)
def settings():
    """No test waits for ever."""
    gdal.SetConfigOption("GDAL_HTTP_TIMEOUT", "30")
    yield
    gdal.SetConfigOption("GDAL_HTTP_TIMEOUT", None)
    gdal.VSICurlClearCache()
