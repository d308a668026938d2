// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "zarrlib/base/bytes.h"

namespace gdal_zarr {

/// Returns true if a value is so large that S3 or Azure gets it in several requests, and `UploadInParts` can send
/// these. May ask the server what is at the path.
bool CanUploadInParts(const std::string& path, std::uint64_t size);

/// Uploads such a value in parts, several at once; it appears whole. If a request fails, an upload to S3 is aborted, so
/// that the server keeps no parts, which would cost money: GDAL's own file does not do that if the last part or the
/// completion fails. Returns false if it failed. GDAL raises errors about parts in its own threads, so that only its
/// messages tell the reason.
bool UploadInParts(const std::string& path, zarr::ByteSpan value);

}  // namespace gdal_zarr
