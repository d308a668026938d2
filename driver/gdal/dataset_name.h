#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdal_zarr {

/// What the name of a dataset says:
///
///     ZARR:"<store>"[:<array>[:<index>...]]     the quotes may be left out
///     <store>
///     <store>/zarr.json, <store>/.zarray, ...   a metadata document, which stands for its folder
///     <store>.zarr.zip                          read through /vsizip/
struct DatasetName {
  std::string store;                   ///< The path for GDAL's file functions, without a trailing "/".
  std::optional<std::string> array;    ///< The array's path in the store, "" for the store's root.
  std::vector<std::uint64_t> indices;  ///< Of the dimensions that are not X and Y.
};

/// Whether a name starts with "ZARR:".
bool HasZarrPrefix(std::string_view name);

/// Throws zarr::Error(invalid_argument) for a name that does not have one of the forms above, and for a URL without
/// /vsicurl/.
DatasetName ParseDatasetName(std::string_view name);

/// The parts of a name that begins with "ZARR:", as they stand in it.
struct NameParts {
  std::string prefix;
  std::string store;  ///< With its quotes, if it has any.
  std::string array;  ///< With indices, without the colon before it; "" if there is none.
};

/// Nothing for a name that does not begin so, or that ParseDatasetName refuses.
std::optional<NameParts> SplitDatasetName(std::string_view name);

/// The name of a dataset that is an array; `array` is its path, with or without a "/" before it.
std::string ArrayDatasetName(std::string_view store, std::string_view array);

/// The name of the metadata document that a path ends in, of those that only Zarr has (thus not `meta`); else "".
std::string_view MetadataDocumentIn(std::string_view path);

/// The path's last component without its extension (.zarr.zip is one): what an array at the root of a store is called.
std::string BaseName(std::string_view path);

}  // namespace gdal_zarr
