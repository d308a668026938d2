// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdal_zarr {

/// The parts of a dataset's name, which has one of these forms:
///
///     ZARR:"<store>"[:<array>[:<index>...][:<selection>]]     the quotes may be left out
///     <store>
///     <store>/zarr.json, <store>/.zarray, ...   a metadata document stands for its folder
///     <store>.zarr.zip                          read through /vsizip/
///
/// On a local disk, what a path leads to decides: a folder is a store, whatever its name ends in, and a ZIP file is an
/// archive.
struct DatasetName {
  std::string store;                   ///< The path for GDAL's file functions, without a trailing "/".
  std::optional<std::string> array;    ///< The array's path in the store, "" for the store's root.
  std::vector<std::uint64_t> indices;  ///< The indices along the dimensions other than X and Y.
  /// The text of selectors, such as "time=2024-07-01T12:00,level=850", which ParseSelection parses; "" if there is
  /// none.
  std::string selection;
  /// The array's path if all indices belonged to its name; "" if there are none, or if quotes tell where it ends.
  std::string array_with_indices;
  /// The array's path if the indices and the selection belonged to its name; "" as above.
  std::string array_with_selection;
};

/// Returns GDAL's name for a URL, such as /vsis3/bucket/a.zarr for s3://bucket/a.zarr; "" for what is none.
std::string FindNameOfUrl(const std::string& text);

/// Whether a name starts with "ZARR:".
bool HasZarrPrefix(std::string_view name);

/// Throws zarr::Error(invalid_argument) if the name has none of the forms above, or is a URL without /vsicurl/.
DatasetName ParseDatasetName(std::string_view name);

/// The parts of a name that begins with "ZARR:", spelled as in the name.
struct NameParts {
  std::string prefix;
  std::string store;  ///< With its quotes, if it has any.
  std::string array;  ///< With its indices and selection, without the colon before it; "" if there is none.
};

/// Returns nothing if the name does not begin with "ZARR:", or if ParseDatasetName refuses it.
std::optional<NameParts> SplitDatasetName(std::string_view name);

/// Makes the name of the dataset that shows one array. `array` is its path, with or without a leading "/".
std::string MakeArrayDatasetName(std::string_view store, std::string_view array);

/// Whether a path leads to a document of that name in a folder.
bool EndsWithDocument(std::string_view path, std::string_view document);

/// The metadata document that the path ends in, if only Zarr has documents of that name (so not `meta`); else "".
std::string_view FindMetadataDocument(std::string_view path);

/// The path's last component without its extension (or without .zarr.zip). An array at a store's root is named so.
std::string GetBaseName(std::string_view path);

}  // namespace gdal_zarr
