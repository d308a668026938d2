# SPDX-License-Identifier: MIT
"""Runs moto, an object store that speaks S3 and honours conditional requests itself, on the loopback.

    with MotoServer(folder).serve() as s3:
        with s3.configure():                         # sets GDAL's options; s3.root is "/vsis3/bucket"
            ...

`Missing` is raised where moto 5.2, which is the first that honours If-Match of PUT, is not installed."""

import contextlib
import glob
import http.client
import os
import re

from s3_access import S3Access
from web_processes import Missing, run_on_free_port, start_process

_PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "moto_process.py")
_ROOTS = os.environ.get("ZARR_MATRIX_DIR", "/var/cache/zarr-matrix")
_PACKAGES = "usr/lib/python3/dist-packages"


def _has_moto(root):
    """Tells whether a Debian root has a moto that is new enough, and what its server needs."""
    packages = os.path.join(root, _PACKAGES)
    if not os.path.isdir(os.path.join(packages, "flask_cors")):
        return False
    names = [os.path.basename(path) for path in glob.glob(os.path.join(packages, "moto-*-info"))]
    versions = [re.match(r"moto-(\d+)\.(\d+)", name) for name in names]
    return any(version and tuple(map(int, version.groups())) >= (5, 2) for version in versions)


def find_moto():
    """Returns the command that starts Python with moto, and its environment: as it is installed here, or with the Python
    and the C library of the Debian root of sid (see cmake/matrix.sh)."""
    if _has_moto("/"):
        return ["/usr/bin/python3"], {}
    root = os.path.join(_ROOTS, "sid")
    if not _has_moto(root):
        raise Missing("moto 5.2 is not installed here (python3-moto, python3-flask-cors), nor in Debian's root of sid: bash cmake/matrix.sh")
    python = os.path.realpath(os.path.join(root, "usr/bin/python3"))
    loader = os.path.join(root, "lib64/ld-linux-x86-64.so.2")
    command = [loader, "--library-path", os.path.join(root, "usr/lib/x86_64-linux-gnu"), python]
    return command, {"PYTHONHOME": os.path.join(root, "usr"), "PYTHONPATH": os.path.join(root, _PACKAGES)}


class MotoServer(S3Access):
    """An object store with one bucket, which is empty at first. It does not check signatures."""

    def __init__(self, folder):
        self.log_file = os.path.join(str(folder), "moto.log")

    @contextlib.contextmanager
    def serve(self):
        command, environment = find_moto()
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment}

        def start(port):
            with open(self.log_file, "wb") as log:
                return start_process([*command, _PROGRAM, str(port)], stdout=log, stderr=log, env=environment)

        with run_on_free_port(start, self.log_file) as port:
            self.endpoint = f"127.0.0.1:{port}"
            with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
                connection.request("PUT", f"/{self.bucket}")
                assert connection.getresponse().status == 200
            yield self
