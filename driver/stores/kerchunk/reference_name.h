// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gdal_zarr {

/// The name of a store in a file of kerchunk references, or of a part of it.
struct ReferenceName {
  std::string file;    ///< The JSON file.
  std::string prefix;  ///< The store's keys have this prefix in the file: empty or ending in "/".
};

/// Parses names in the form that GDAL's built-in driver introduced (this driver does not register such a file system):
///
///     /vsikerchunk_json_ref/{<file>}[/<prefix>]          also /vsikerchunk_json_ref_cached/
///     /vsikerchunk_json_ref/<name>.json[/<prefix>]
///
/// Returns nullopt for other names. Throws Error(unsupported) for references in Parquet, and Error(invalid_argument) if
/// a brace is not closed.
std::optional<ReferenceName> ParseReferenceName(std::string_view path);
/// Returns a name of the first form, without a prefix.
std::string MakeReferenceName(std::string_view file);
/// Returns true if a path begins with the prefix of the built-in driver's file systems for kerchunk references.
bool HasReferencePrefix(std::string_view path);

/// Returns true if a path refers to references: by its name, or because it is a file of references. The file is only
/// read if it is local.
bool NamesReferences(const std::string& path);

/// Whether the first bytes of a file are kerchunk references.
enum class ReferenceHeader {
  kNo,
  kYes,
  kNeedsMore,  ///< They may be references, but more bytes are needed.
};

/// Recognizes references by a key that is the name of a metadata document, or by a chunk key whose value is a URL with
/// two integers.
ReferenceHeader LookAtHeader(std::string_view header);

}  // namespace gdal_zarr
