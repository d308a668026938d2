# SPDX-License-Identifier: MIT
"""How GDAL reaches a bucket of a server that speaks S3, on the loopback."""

from config_options import Configurable


class S3Access(Configurable):
    """The bucket and the account. `endpoint`, as host and port, is set while the server runs."""

    bucket = "bucket"
    key_id = secret = "S3RVER"  # the only account that s3rver has
    endpoint = ""

    @property
    def root(self):
        return f"/vsis3/{self.bucket}"

    def settings(self):
        """GDAL's options for this store."""
        return {
            "AWS_S3_ENDPOINT": self.endpoint,
            "AWS_HTTPS": "NO",
            "AWS_VIRTUAL_HOSTING": "FALSE",
            "AWS_ACCESS_KEY_ID": self.key_id,
            "AWS_SECRET_ACCESS_KEY": self.secret,
        }
