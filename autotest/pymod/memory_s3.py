# SPDX-License-Identifier: MIT
"""An object store in memory on the loopback that speaks S3, checks signatures, and honours If-Match and If-None-Match of
PUT as S3 does. It can fail at random, before and after a change, and it can ignore conditions as old servers do.

    with MemoryS3(faults={"500": 0.02, "412": 0.1}).serve() as s3:
        with s3.configure():                          # sets GDAL's options; s3.root is "/vsis3/bucket"
            ...
        s3.objects                                    # the bodies by key
        s3.uploads.open                               # uploads in parts that are neither completed nor aborted
        s3.fail("PUT", "partNumber=2")                # until s3.heal()
        s3.log                                        # (method, key or prefix, status) of all requests

Faults: "403", "500" and "503" before a change, "500 after" a change, "dropped" and "dropped after" close the connection without
an answer, "late" and "late after" answer when the client has given up, and "412" refuses a condition that holds."""

import contextlib
import email.utils
import hashlib
import http.server
import random
import re
import threading
import time
import urllib.parse
from xml.sax.saxutils import escape

import aws_signatures
from new_ports import serve_in_thread
from s3_access import S3Access
from s3_server import cut_range
from s3_uploads import Uploads, is_of_upload

FAULTS = ("403", "500", "503", "500 after", "dropped", "dropped after", "late", "late after", "412")
TIMEOUT = 2  # seconds, of clients, if "late" is among the faults
_CODES = {"403": "AccessDenied", "500": "InternalError", "503": "SlowDown"}
_XML = {"Content-Type": "application/xml"}


def _make_error(code):
    return f"<Error><Code>{code}</Code></Error>".encode()


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        owner = self.server.owner
        fault = owner.choose_fault(self.command, self.path)
        if fault in ("dropped", "late"):
            return self.end_without_answer(fault)
        if fault in _CODES:
            answer = int(fault), dict(_XML), _make_error(_CODES[fault])
            owner.note(self.command, self.path, answer[0])
        else:
            answer = owner.answer(self.command, self.path, self.headers, body, fault == "412")
        if fault in ("dropped after", "late after"):
            return self.end_without_answer(fault)
        if fault == "500 after":
            answer = 500, dict(_XML), _make_error("InternalError")
        self.send_answer(*answer)

    do_HEAD = do_PUT = do_POST = do_DELETE = do_GET

    def end_without_answer(self, fault):
        if fault.startswith("late"):
            time.sleep(TIMEOUT * 1.2)
        self.close_connection = True

    def send_answer(self, status, headers, body):
        self.send_response_only(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(b"" if self.command == "HEAD" else body)

    def log_message(self, *_):
        pass


class _Server(http.server.ThreadingHTTPServer):
    request_queue_size = 256
    daemon_threads = True


class MemoryS3(S3Access):
    """One bucket, which is empty at first. `faults` maps kinds of faults to their shares of all requests."""

    def __init__(self, faults=None, seed=1, honours_conditions=True):
        assert set(faults or {}) <= set(FAULTS)
        self.faults = dict(faults or {})
        self.random = random.Random(seed)
        self.honours_conditions = honours_conditions
        self.lock = threading.Lock()
        self.failing = {}  # the faults of the next PUTs of some keys
        self.objects = {}
        self.headers = {}
        self.uploads = Uploads(self._set)
        self.refused = []  # the methods, parts of targets, and faults of `fail`
        self.log = []

    def settings(self):
        settings = super().settings()
        if self.faults:
            settings |= {"GDAL_HTTP_MAX_RETRY": "20", "GDAL_HTTP_RETRY_DELAY": "0.01"}
        if any(fault.startswith("late") for fault in self.faults):
            settings["GDAL_HTTP_TIMEOUT"] = str(TIMEOUT)
        return settings

    @contextlib.contextmanager
    def serve(self):
        with serve_in_thread(lambda address: _Server(address, _Handler), self) as server:
            self.endpoint = f"127.0.0.1:{server.server_port}"
            yield self

    def upload(self, folder):
        """Puts the files below a pathlib.Path, with their paths there as keys."""
        for path in folder.rglob("*"):
            if path.is_file():
                self._set(path.relative_to(folder).as_posix(), path.read_bytes())

    def fail(self, method, part, fault="500"):
        """Fails the requests of a method whose path and query hold a text."""
        assert fault in FAULTS
        self.refused.append((method, part, fault))

    def heal(self):
        self.refused.clear()

    def choose_fault(self, method, target):
        key = urllib.parse.unquote(target.partition("?")[0]).removeprefix(f"/{self.bucket}/")
        with self.lock:
            if method == "PUT" and key in self.failing:
                return self.failing.pop(key)
            for failing_method, part, fault in self.refused:
                if method == failing_method and part in target:
                    return fault
            drawn = self.random.random()
        for fault, share in self.faults.items():
            if drawn < share:
                changes = method in ("PUT", "POST", "DELETE")
                return fault if changes or fault not in ("412", "500 after") else None
            drawn -= share
        return None

    def note(self, method, target, status):
        path, _, query = target.partition("?")
        key = urllib.parse.unquote(path).removeprefix(f"/{self.bucket}").removeprefix("/")
        prefix = urllib.parse.parse_qs(query).get("prefix", [""])[0]
        if not key:
            method = {"GET": "LIST", "POST": "DELETE MANY"}.get(method, method)
        with self.lock:
            self.log.append((method, key or prefix, status))
        return method, key

    def answer(self, method, target, headers, body, refuses):
        """Carries a request out. Returns the status, the headers and the body of the answer."""
        code = aws_signatures.find_fault(method, target, headers, {self.key_id: self.secret})
        name, key = self.note(method, target, 403 if code else 0)
        if code:
            return 403, dict(_XML), _make_error(code)
        if method == "PUT" and "partNumber=" in target:
            self.uploads.wait_for_others()
        with self.lock:
            status, answered, answer = self._carry_out(name, key, target, headers, body, refuses)
            self.log[-1] = (name, key or self.log[-1][1], status) if self.log[-1][0] == name else self.log[-1]
        return status, answered, answer

    def _carry_out(self, name, key, target, headers, body, refuses):
        if name == "LIST":
            return 200, dict(_XML), self._list(urllib.parse.parse_qs(target.partition("?")[2]))
        if name == "DELETE MANY":
            keys = re.findall(rb"<Key>([^<]*)</Key>", body)
            for found in keys:
                self.objects.pop(found.decode(), None)
            deleted = b"".join(b"<Deleted><Key>" + found + b"</Key></Deleted>" for found in keys)
            return 200, dict(_XML), b"<DeleteResult>" + deleted + b"</DeleteResult>"
        query = urllib.parse.parse_qs(target.partition("?")[2], keep_blank_values=True)
        if is_of_upload(query):
            return self.uploads.carry_out(name, key, query, body)
        if name == "PUT":
            return self._put(key, headers, body, refuses)
        if name == "DELETE":
            self.objects.pop(key, None)
            return 204, {}, b""
        if key not in self.objects:
            return 404, dict(_XML), _make_error("NoSuchKey")
        return self._get(self.objects[key], dict(self.headers[key]), headers.get("Range"))

    @staticmethod
    def _get(body, headers, span):
        return cut_range(span, headers, body) if span else (200, headers, body)

    def _put(self, key, headers, body, refuses):
        match, none = headers.get("If-Match"), headers.get("If-None-Match")
        is_there = key in self.objects
        if (match or none) and self.honours_conditions:
            if match and not is_there:
                return 404, dict(_XML), _make_error("NoSuchKey")
            if refuses or (none and is_there) or (match and match != self.headers[key]["ETag"]):
                return 412, dict(_XML), _make_error("PreconditionFailed")
        source = urllib.parse.unquote(headers.get("x-amz-copy-source", "")).removeprefix(f"/{self.bucket}/")
        if source and source not in self.objects:
            return 404, dict(_XML), _make_error("NoSuchKey")
        self._set(key, self.objects[source] if source else body)
        answer = b"<CopyObjectResult></CopyObjectResult>" if source else b""
        return 200, {"ETag": self.headers[key]["ETag"]}, answer

    def _set(self, key, body):
        tag = f'"{hashlib.md5(body).hexdigest()}"'
        modified = email.utils.formatdate(usegmt=True)
        self.objects[key] = body
        self.headers[key] = {"ETag": tag, "Last-Modified": modified, "Content-Type": "application/octet-stream"}

    def _list(self, query):
        prefix, delimiter = query.get("prefix", [""])[0], query.get("delimiter", [""])[0]
        most = int(query.get("max-keys", ["1000"])[0])
        after = query.get("marker", [""])[0]
        entries = {}  # a key, or a prefix
        for key in sorted(self.objects):
            if not key.startswith(prefix):
                continue
            end = key.find(delimiter, len(prefix)) if delimiter else -1
            entries[key if end < 0 else key[: end + 1]] = end < 0
        names = [name for name in entries if name > after]
        xml = "".join(self._list_entry(name, entries[name]) for name in names[:most])
        is_cut = len(names) > most
        marker = f"<NextMarker>{escape(names[most - 1])}</NextMarker>" if is_cut else ""
        return (
            f"<ListBucketResult><Name>{self.bucket}</Name><Prefix>{escape(prefix)}</Prefix>"
            f"<IsTruncated>{str(is_cut).lower()}</IsTruncated>{marker}{xml}</ListBucketResult>"
        ).encode()

    def _list_entry(self, name, is_key):
        if not is_key:
            return f"<CommonPrefixes><Prefix>{escape(name)}</Prefix></CommonPrefixes>"
        return (
            f"<Contents><Key>{escape(name)}</Key><LastModified>2024-01-01T00:00:00.000Z</LastModified>"
            f"<Size>{len(self.objects[name])}</Size><StorageClass>STANDARD</StorageClass></Contents>"
        )
