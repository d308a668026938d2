// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gdal_zarr {

/// How keys are written.
enum class KeyForm {
  kPlain,  ///< Every "%" is a part of a name.
  kOfUrl,  ///< The end of a URL that was given: in a path of /vsicurl/, existing percent-encoding is kept.
};

/// Returns true if the driver may request values at a path itself: /vsicurl/ with http or https, /vsis3/, /vsigs/ and
/// /vsiaz/. Other paths are left to GDAL.
bool IsWebPath(std::string_view path);

/// Returns the URL of a value. `folder` is a path for which IsWebPath is true; `query` is the query of a URL, or "".
/// For an object store, signs the URL if the configuration options require it; this does not need a request, and the
/// URL is valid for some minutes. Returns nullopt if GDAL cannot create such a URL, or if the request needs headers.
/// Call this while GDAL's errors are collected.
std::optional<std::string> MakeValueUrl(const std::string& folder, std::string_view key, const std::string& query,
                                        KeyForm form = KeyForm::kPlain);

/// Returns the path by which GDAL's file functions find a value, without the query of a URL. GDAL takes what follows
/// /vsicurl/ for a part of a URL; its object stores encode keys themselves.
std::string MakeValuePath(const std::string& folder, std::string_view key, KeyForm form = KeyForm::kPlain);

/// Percent-encodes the characters of a key that are special or not allowed in a URL.
std::string EscapeKey(std::string_view key, KeyForm form = KeyForm::kPlain);

/// Decodes the percent-encoding of a URL.
std::string DecodeUrl(std::string_view text);

/// Returns true if a path's server supports suffix ranges; Azure does not.
bool HasSuffixRanges(std::string_view path);

/// Returns true if an object store's failure may mean that the request went to the wrong region; GDAL can find the
/// right one.
bool MayBeElsewhere(std::string_view path, int status, const std::string& body);

/// Returns a URL for messages: without the query and the password, which may be secrets.
std::string HidePrivateParts(std::string_view url);

}  // namespace gdal_zarr
