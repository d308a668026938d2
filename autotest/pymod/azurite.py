# SPDX-License-Identifier: MIT
"""Runs Azurite, an object store that speaks the language of Azure's blobs, on the loopback.

    with Azurite(folder).serve() as azure:
        with azure.configure():                       # sets GDAL's options; azure.root is "/vsiaz/container"
            ...

`Missing` is raised where Azurite is not installed."""

import base64
import contextlib
import hashlib
import hmac
import os
import re
import urllib.parse

from config_options import Configurable
from web_processes import find_package, run_on_free_port, start_process

_ACCOUNT = "devstoreaccount1"
# Azurite's only account and its key are those of its documentation.
_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="


def make_signature():
    """Makes a shared access signature for all that there is in the account."""
    version, until = "2020-08-04", "2099-01-01T00:00:00Z"
    fields = {"sp": "rwdlac", "ss": "b", "srt": "sco", "st": "", "se": until, "sip": "", "spr": "http,https", "sv": version}
    text = "\n".join([_ACCOUNT, *fields.values(), ""])
    signed = hmac.new(base64.b64decode(_KEY), text.encode(), hashlib.sha256).digest()
    return urllib.parse.urlencode({name: value for name, value in fields.items() if value} | {"sig": base64.b64encode(signed)})


class Azurite(Configurable):
    """An object store with one container, which is empty at first. Each request needs a right signature: by the "key" of
    the account, or one for all requests that was "shared"."""

    root = "/vsiaz/container"

    def __init__(self, folder, access="key"):
        self.access = access
        self.folder = str(folder)
        self.log_file = os.path.join(self.folder, "azurite.log")

    @contextlib.contextmanager
    def serve(self):
        program = find_package("azurite", "azurite-blob")

        def start(port):
            options = ["--location", self.folder, "--blobHost", "127.0.0.1", "--blobPort", str(port)]
            # GDAL may name a version of the protocol that is newer than Azurite.
            options += ["--skipApiVersionCheck", "--disableTelemetry"]
            with open(self.log_file, "wb") as log:
                return start_process([program, *options], stdout=log, stderr=log)

        with run_on_free_port(start, self.log_file) as port:
            self.endpoint = f"http://127.0.0.1:{port}/{_ACCOUNT}"
            with self.configure():
                self.make_container()
            yield self

    def make_container(self):
        from osgeo import gdal

        assert gdal.Mkdir(self.root, 0o755) == 0

    def settings(self):
        """GDAL's options for this store."""
        secret = f"AccountKey={_KEY}" if self.access == "key" else f"SharedAccessSignature={make_signature()}"
        parts = ["DefaultEndpointsProtocol=http", f"AccountName={_ACCOUNT}", secret, f"BlobEndpoint={self.endpoint}"]
        # GDAL signs URLs in a way of 2012, which Azurite does not know; it knows how GDAL signs headers.
        client = {"ZARR_HTTP_CLIENT": "GDAL"} if self.access == "key" else {}
        return {"AZURE_STORAGE_CONNECTION_STRING": ";".join(parts), **client}

    def list_answers(self, method, part):
        """The statuses of the requests of a method whose URLs hold a text, in the order in which they were answered."""
        with open(self.log_file, encoding="utf-8", errors="replace") as log:
            found = re.findall(rf'"{method} (\S+) HTTP/1.1" (\d+)', log.read())
        return [int(status) for url, status in found if part in url]
