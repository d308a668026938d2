# SPDX-License-Identifier: MIT
"""Credentials of S3 that are missing, or that GDAL gets from the machine's role. Debug messages, which have secrets, are
those that the user has asked for: none here. In processes of their own, since GDAL keeps credentials."""

import http.server
import json
import os
import subprocess
import time

from memory_s3 import MemoryS3
from new_ports import serve_in_thread
from plugin_in_use import python

PROGRAM = """
import sys
from osgeo import gdal
gdal.UseExceptions()
driver = gdal.GetDriverByName("Zarr")
source = gdal.GetDriverByName("MEM").Create("", 8, 8)
source.GetRasterBand(1).Fill(7)
path, *options = sys.argv[1:]
steps = {
    "open": lambda: gdal.Open(path),
    "create": lambda: driver.Create(path, 2, 2),
    "copy": lambda: driver.CreateCopy(path, source).FlushCache(),
    "read": lambda: gdal.Open(path).ReadAsArray().sum(),
    "delete": lambda: driver.Delete(path),
}
for name in options:
    try:
        print(name, "done", steps[name]())
    except RuntimeError as error:
        print(name, "failed", error)
"""


class Metadata:
    """The service of a cloud's machine that gives credentials of its role, or has none."""

    def __init__(self, key_id="", secret=""):
        self.key_id, self.secret = key_id, secret

    def answer(self, method, path):
        if not self.key_id:
            return 403, "none here"
        if method == "PUT":
            return 200, "TOKEN-OF-METADATA"
        if path.endswith("/"):
            return 200, "role"
        end = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 3600))
        secrets = {"AccessKeyId": self.key_id, "SecretAccessKey": self.secret, "Token": "TOKEN-OF-SESSION"}
        return 200, json.dumps({"Code": "Success", "Expiration": end, **secrets})


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        status, text = self.server.owner.answer(self.command, self.path)
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    do_PUT = do_GET

    def log_message(self, *_):
        pass


def run(path, *steps, metadata, options=()):
    with serve_in_thread(lambda address: http.server.ThreadingHTTPServer(address, _Handler), metadata) as server:
        environment = {key: value for key, value in os.environ.items() if not key.startswith("AWS_") and key != "CPL_DEBUG"}
        environment |= {
            "CPL_AWS_EC2_API_ROOT_URL": f"http://127.0.0.1:{server.server_port}",
            "CPL_AWS_AUTODETECT_EC2": "NO",
            "AWS_CONFIG_FILE": "/dev/null",
            "CPL_AWS_CREDENTIALS_FILE": "/dev/null",
            **dict(options),
        }
        done = subprocess.run(python(PROGRAM, path, *steps), env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    # An error of several messages has several lines.
    return done, [line for line in done.stdout.splitlines() if line.split()[:1] and line.split()[0] in steps]


def test_without_credentials_each_call_says_so_and_no_more():
    done, lines = run("/vsis3/bucket/a.zarr", "open", "create", "copy", "delete", metadata=Metadata())
    assert [line.split()[:2] for line in lines] == [[name, "failed"] for name in ("open", "create", "copy", "delete")]
    assert done.stdout.count("AWS_SECRET_ACCESS_KEY") >= len(lines), done.stdout
    assert "CURL_INFO" not in done.stderr and not done.stderr.strip(), done.stderr


def test_a_name_without_a_bucket_is_an_error():
    done, lines = run("/vsis3/", "create", "copy", "delete", metadata=Metadata())
    assert [line.split()[:2] for line in lines] == [[name, "failed"] for name in ("create", "copy", "delete")]
    assert "substr" not in done.stdout and "ends before that of a bucket" in done.stdout


def test_credentials_of_a_role_are_not_shown():
    with MemoryS3().serve() as s3:
        metadata = Metadata(s3.key_id, s3.secret)
        access = {name: value for name, value in s3.settings().items() if name not in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")}
        done, lines = run(f"{s3.root}/a.zarr", "copy", "read", "delete", metadata=metadata, options=access)
        assert [line.split()[:2] for line in lines] == [["copy", "done"], ["read", "done"], ["delete", "done"]], done.stdout
        assert not s3.objects
    for secret in ("CURL_INFO", "TOKEN-OF", s3.secret):
        assert secret not in done.stdout + done.stderr, done.stderr
