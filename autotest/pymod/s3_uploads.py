# SPDX-License-Identifier: MIT
"""Uploads in parts to an object store in memory, as S3 has them: begun, and later completed or aborted. An upload that is
neither is kept, and costs money."""

import hashlib
import itertools
import re
import threading


def is_of_upload(query):
    """Tells whether a request is for an upload, by its parsed query."""
    return "uploads" in query or "uploadId" in query


def make_error(status, code):
    return status, {"Content-Type": "application/xml"}, f"<Error><Code>{code}</Code></Error>".encode()


class Uploads:
    """`put` is called with the key and the bytes of a completed upload."""

    def __init__(self, put):
        self.put = put
        self.ids = itertools.count(1)
        self.open = {}  # by their ids: the key, and the parts by their numbers
        self.begun = 0
        self.gather = 0  # how many parts must be under way before one is answered
        self.waiting = threading.Condition()
        self.under_way = 0

    def carry_out(self, method, key, query, body):
        """Returns the status, the headers and the body of the answer."""
        if method == "POST" and "uploads" in query:
            return self.begin(key)
        upload = query["uploadId"][0]
        if upload not in self.open or self.open[upload][0] != key:
            return make_error(404, "NoSuchUpload")
        if method == "PUT":
            tag = f'"{hashlib.md5(body).hexdigest()}"'
            self.open[upload][1][int(query["partNumber"][0])] = tag, body
            return 200, {"ETag": tag}, b""
        if method == "DELETE":
            del self.open[upload]
            return 204, {}, b""
        return self.complete(upload, body.decode())

    def wait_for_others(self):
        """Call this for each part, without a lock. Raises TimeoutError if the others do not come."""
        with self.waiting:
            self.under_way += 1
            self.waiting.notify_all()
            if not self.waiting.wait_for(lambda: self.under_way >= self.gather, timeout=20):
                raise TimeoutError("parts are sent one after the other")

    def begin(self, key):
        upload = f"upload{next(self.ids)}"
        self.open[upload] = key, {}
        self.begun += 1
        answer = f"<InitiateMultipartUploadResult><UploadId>{upload}</UploadId></InitiateMultipartUploadResult>"
        return 200, {"Content-Type": "application/xml"}, answer.encode()

    def complete(self, upload, text):
        key, parts = self.open[upload]
        numbers = [int(number) for number in re.findall(r"<PartNumber>(\d+)<", text)]
        tags = re.findall(r"<ETag>([^<]*)<", text)
        if numbers != sorted(numbers) or tags != [parts.get(number, ("",))[0] for number in numbers]:
            return make_error(400, "InvalidPart")
        del self.open[upload]
        self.put(key, b"".join(parts[number][1] for number in numbers))
        return 200, {"Content-Type": "application/xml"}, b"<CompleteMultipartUploadResult></CompleteMultipartUploadResult>"
