// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

/// The names of the metadata documents of nodes, in all formats.
namespace zarr {

inline constexpr std::string_view kV3Document = "zarr.json";
inline constexpr std::string_view kV2Array = ".zarray";
inline constexpr std::string_view kV2Group = ".zgroup";
inline constexpr std::string_view kV2Attributes = ".zattrs";
inline constexpr std::string_view kV2Consolidated = ".zmetadata";
inline constexpr std::string_view kV1Array = "meta";
inline constexpr std::string_view kV1Attributes = "attrs";
/// Documents of the draft of v3, in the folder `meta`: "a.array.json" is the document of the array "a" (see
/// MakeDocumentKey).
inline constexpr std::string_view kV3DraftArray = ".array.json";
inline constexpr std::string_view kV3DraftGroup = ".group.json";
inline constexpr std::string_view kV3DraftMetadataRoot = "meta/root";
inline constexpr std::string_view kV3DraftChunkRoot = "data/root";
inline constexpr std::string_view kV0Array = "__zmeta__";
inline constexpr std::string_view kV0Attributes = "__zattr__";

/// The member of a group's v3 document that holds consolidated metadata.
inline constexpr std::string_view kConsolidatedMember = "consolidated_metadata";

/// The attribute in which xarray names the dimensions of a v2 array, because v2 does not have a member for them.
inline constexpr std::string_view kXarrayDimensions = "_ARRAY_DIMENSIONS";

/// The documents of a store's root whose names are not used for anything else.
inline constexpr std::string_view kOwnRootDocuments[] = {kV3Document, kV2Array, kV2Group, kV2Consolidated, kV0Array};
/// The documents that make a folder a store.
inline constexpr std::string_view kRootDocuments[] = {kV3Document,     kV2Array, kV2Group,
                                                      kV2Consolidated, kV1Array, kV0Array};
/// The documents that determine the kind of a node of v2 or v3.
inline constexpr std::string_view kNodeDocuments[] = {kV3Document, kV2Array, kV2Group, kV2Attributes};

/// Returns true for the name of a document with only attributes, which does not make a node.
inline bool IsAttributesDocument(std::string_view name) {
  return name == kV2Attributes || name == kV1Attributes || name == kV0Attributes;
}

/// Returns true for the name of a metadata document of any format.
inline bool IsMetadataName(std::string_view name) {
  for (const std::string_view document : {kV3Document, kV2Array, kV2Group, kV2Attributes, kV2Consolidated, kV1Array,
                                          kV1Attributes, kV0Array, kV0Attributes}) {
    if (name == document) return true;
  }
  return false;
}

/// Returns true for the key of a metadata document, including documents that NCZarr adds.
inline bool IsDocumentKey(std::string_view key) {
  const std::string_view name = key.substr(key.rfind('/') + 1);
  return IsMetadataName(name) || name.starts_with(".ncz");
}

}  // namespace zarr
