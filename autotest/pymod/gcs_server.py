# SPDX-License-Identifier: MIT
"""An object store on the loopback that behaves as the XML API of Google Cloud Storage: each state of an object has a
generation, which answers tell, and on which a request can depend. If-Match of PUT is ignored there.

    with GcsServer().serve() as gcs:
        with gcs.configure():                         # sets GDAL's options; gcs.root is "/vsigs/bucket"
            ...
"""

import base64
import contextlib
import email.utils
import hashlib
import hmac
import http.server
import itertools
import json
import re
import threading
import urllib.parse
from xml.sax.saxutils import escape

from config_options import Configurable
from new_ports import serve_in_thread
from s3_server import cut_range

KEY_ID, SECRET, TOKEN = "GOOGID", "secret", "token-of-the-tests"
_ERROR = "<?xml version='1.0'?><Error><Code>{}</Code></Error>"


class _Object:
    def __init__(self, body, generation):
        self.body = body
        self.headers = {
            "ETag": f'"{hashlib.md5(body).hexdigest()}"',
            "x-goog-generation": str(generation),
            "Last-Modified": email.utils.formatdate(usegmt=True),
            "Content-Type": "application/octet-stream",
        }


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        status, headers, answer = self.server.owner.answer(self.command, self.path, self.headers, body)
        self.send_response_only(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(b"" if self.command == "HEAD" else answer)

    do_HEAD = do_PUT = do_POST = do_DELETE = do_GET

    def log_message(self, *_):
        pass


class _Server(http.server.ThreadingHTTPServer):
    request_queue_size = 256
    daemon_threads = True


class GcsServer(Configurable):
    """One bucket, which is empty at first. `access` is "open", "keys" (the signatures of HMAC keys are checked) or
    "token" (a bearer token from this server's own token page)."""

    root = "/vsigs/bucket"

    def __init__(self, access="open"):
        self.access = access
        self.lock = threading.Lock()
        self.objects = {}
        self.generations = itertools.count(1700000000000001)
        self.log = []  # (method, path, status)
        self.before = lambda method, path: None  # is called before each request

    @contextlib.contextmanager
    def serve(self):
        with serve_in_thread(lambda address: _Server(address, _Handler), self) as server:
            self.url = f"http://127.0.0.1:{server.server_port}/"
            yield self

    def settings(self):
        """GDAL's options for this store."""
        access = {
            "open": {"GS_NO_SIGN_REQUEST": "YES"},
            "keys": {"GS_ACCESS_KEY_ID": KEY_ID, "GS_SECRET_ACCESS_KEY": SECRET},
            "token": {
                "GS_OAUTH2_REFRESH_TOKEN": "refresh",
                "GS_OAUTH2_CLIENT_ID": "client",
                "GS_OAUTH2_CLIENT_SECRET": "secret",
                "GOA2_AUTH_URL_TOKEN": self.url + "token",
            },
        }
        return {"CPL_GS_ENDPOINT": self.url, **access[self.access]}

    # --- requests ---

    def answer(self, method, target, headers, body):
        path, _, query = target.partition("?")
        self.before(method, path)
        status, head, answer = self.find_answer(method, path, urllib.parse.parse_qs(query, keep_blank_values=True), headers, body)
        with self.lock:
            self.log.append((method, path, status))
        return status, head, answer if isinstance(answer, bytes) else answer.encode()

    def find_answer(self, method, path, query, headers, body):
        if path == "/token":
            return 200, {"Content-Type": "application/json"}, json.dumps({"access_token": TOKEN, "expires_in": 3600})
        if not self.is_allowed(method, path, query, headers):
            return 403, {}, _ERROR.format("SignatureDoesNotMatch")
        if path == "/batch/storage/v1":
            return self.remove_many(body.decode())
        key = urllib.parse.unquote(path).removeprefix("/bucket").removeprefix("/")
        if not key:
            return 200, {"Content-Type": "application/xml"}, self.list_keys(query)
        with self.lock:
            return getattr(self, "do_" + method.lower())(key, headers, body)

    def is_allowed(self, method, path, query, headers):
        if self.access == "token":
            return headers.get("Authorization") == f"Bearer {TOKEN}"
        return self.access == "open" or self.is_signed(method, path, query, headers)

    def is_signed(self, method, path, query, headers):
        """Checks a signature of version 2, in the query or in the header Authorization."""
        if "Signature" in query:
            text, signature = f"GET\n\n\n{query['Expires'][0]}\n{path}", query["Signature"][0]
        else:
            names = sorted({name.lower() for name in headers if name.lower().startswith("x-goog-")})
            lines = [method, headers.get("Content-MD5") or "", headers.get("Content-Type") or "", headers.get("Date") or ""]
            text = "\n".join([*lines, *(f"{name}:{headers[name].strip()}" for name in names), path])
            signature = (headers.get("Authorization") or "").removeprefix(f"GOOG1 {KEY_ID}:")
        expected = base64.b64encode(hmac.new(SECRET.encode(), text.encode(), hashlib.sha1).digest()).decode()
        return hmac.compare_digest(signature, expected)

    def do_get(self, key, headers, _):
        found = self.objects.get(key)
        if not found:
            return 404, {}, _ERROR.format("NoSuchKey")
        if headers.get("If-None-Match") == found.headers["ETag"]:
            return 304, found.headers, b""
        span = headers.get("Range")
        return cut_range(span, found.headers, found.body) if span else (200, found.headers, found.body)

    do_head = do_get

    def do_put(self, key, headers, body):
        found, wanted = self.objects.get(key), headers.get("x-goog-if-generation-match")
        present = found.headers["x-goog-generation"] if found else "0"
        if wanted is not None and wanted != present:
            return 412, {}, _ERROR.format("PreconditionFailed")
        self.objects[key] = self.make_object(body)
        return 200, self.objects[key].headers, b""

    def make_object(self, body):
        return _Object(body, next(self.generations))

    def do_delete(self, key, *_):
        return (204, {}, b"") if self.objects.pop(key, None) else (404, {}, _ERROR.format("NoSuchKey"))

    def remove_many(self, text):
        """Answers a request of many requests."""
        keys = re.findall(r"DELETE /storage/v1/b/bucket/o/(\S+) HTTP", text)
        with self.lock:
            found = [self.objects.pop(urllib.parse.unquote(key), None) for key in keys]
        parts = [
            f"--x\r\nContent-ID: <response-{i + 1}>\r\n\r\nHTTP/1.1 {204 if one else 404} -\r\n\r\n" for i, one in enumerate(found)
        ]
        return 200, {"Content-Type": "multipart/mixed; boundary=x"}, "".join(parts) + "--x--\r\n"

    def list_keys(self, query):
        """Lists without pages."""
        prefix, delimiter = query.get("prefix", [""])[0], query.get("delimiter", [""])[0]
        contents, folders = "", set()
        with self.lock:
            found = {key: len(one.body) for key, one in sorted(self.objects.items()) if key.startswith(prefix)}
        for key, size in found.items():
            rest = key[len(prefix) :]
            if delimiter and delimiter in rest:
                folders.add(prefix + rest[: rest.index(delimiter) + 1])
                continue
            contents += f"<Contents><Key>{escape(key)}</Key><Size>{size}</Size><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>"
        contents += "".join(f"<CommonPrefixes><Prefix>{escape(one)}</Prefix></CommonPrefixes>" for one in sorted(folders))
        return f"<?xml version='1.0' encoding='UTF-8'?><ListBucketResult><Prefix>{escape(prefix)}</Prefix>{contents}</ListBucketResult>"
