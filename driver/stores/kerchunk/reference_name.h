// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gdal_zarr {

/// The name of a store that is made of kerchunk references, or of a part of it.
struct ReferenceName {
  std::string file;    ///< The JSON file.
  std::string prefix;  ///< The store's keys have this prefix in the file: "" or ending in "/".
};

/// Parses names in the form that GDAL's built-in driver has introduced (this driver registers no such file system):
///
///     /vsikerchunk_json_ref/{<file>}[/<prefix>]          also /vsikerchunk_json_ref_cached/
///     /vsikerchunk_json_ref/<name>.json[/<prefix>]
///
/// Returns nothing for other names. Throws Error(unsupported) for references in Parquet, Error(invalid_argument) if a
/// brace is not closed.
std::optional<ReferenceName> ParseReferenceName(std::string_view path);
/// Makes a name of the first form, without a prefix.
std::string MakeReferenceName(std::string_view file);
/// Whether a path begins like a name of the built-in driver's file systems for kerchunk references.
bool HasReferencePrefix(std::string_view path);

/// Whether a path leads to references: by its name, or because it is a file of references. The file is only read if
/// that takes no network request.
bool NamesReferences(const std::string& path);

/// Whether the first bytes of a file are those of references.
enum class ReferenceHeader {
  kNo,
  kYes,
  kNeedsMore,  ///< It begins like references, but these bytes do not suffice to be sure.
};

/// Recognises references by a key that is the name of a metadata document, or a chunk key whose value is a URL with two
/// integers.
ReferenceHeader LookAtHeader(std::string_view header);

}  // namespace gdal_zarr
