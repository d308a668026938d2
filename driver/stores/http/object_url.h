// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gdal_zarr {

/// Returns true if the driver may request values at a path itself: /vsicurl/ with http or https, /vsis3/, /vsigs/ and
/// /vsiaz/. Other paths are left to GDAL.
bool IsWebPath(std::string_view path);

/// Returns the URL of a value. `folder` is a path for which IsWebPath is true; `query` is the query of a URL, or "".
/// For an object store, signs the URL if the configuration options require it; this does not need a request, and the
/// URL is valid for some minutes. Returns nullopt if GDAL cannot create such a URL, or if the request needs headers.
/// Call this while GDAL's errors are collected.
std::optional<std::string> MakeValueUrl(const std::string& folder, std::string_view key, const std::string& query);

/// Percent-encodes the characters of a key that are special or not allowed in a URL. Existing percent-encoding is kept.
std::string EscapeKey(std::string_view key);

/// Returns true if a path's server supports suffix ranges; Azure does not.
bool HasSuffixRanges(std::string_view path);

/// Returns true if an object store's failure may mean that the request went to the wrong region; GDAL can find the
/// right one.
bool MayBeElsewhere(std::string_view path, int status, const std::string& body);

/// Returns a URL for messages: without the query and the password, which may be secrets.
std::string HidePrivateParts(std::string_view url);

}  // namespace gdal_zarr
