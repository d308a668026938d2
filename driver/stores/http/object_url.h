// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gdal_zarr {

/// Whether values at a path may be asked for by requests of our own: /vsicurl/ with http or https, /vsis3/, /vsigs/ and
/// /vsiaz/. Other paths are left to GDAL.
bool IsWebPath(std::string_view path);

/// Returns the URL of a value. `folder` is a path for which IsWebPath is true, `query` that of a URL, or "". For an
/// object store, the URL is signed if the configuration options say so, which takes no request, and holds for some
/// minutes. Returns nothing if GDAL cannot make such a URL, or if the request needs headers. Call this where GDAL's
/// errors are collected.
std::optional<std::string> MakeValueUrl(const std::string& folder, std::string_view key, const std::string& query);

/// Writes the characters of a key that have a meaning in a URL, or none, as percent signs with digits. Those that are
/// so written already stay.
std::string EscapeKey(std::string_view key);

/// Whether the server behind a path answers suffix ranges; Azure's does not.
bool HasSuffixRanges(std::string_view path);

/// Whether an object store's failure may mean that the request went to the wrong region, which GDAL can find out.
bool MayBeElsewhere(std::string_view path, int status, const std::string& body);

/// A URL for messages: without the query and the password, which may be secrets.
std::string HidePrivateParts(std::string_view url);

}  // namespace gdal_zarr
