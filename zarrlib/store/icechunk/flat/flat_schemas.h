// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "zarrlib/store/icechunk/flat/flat_object.h"

/// The tables of Icechunk's metadata objects, which are declared in "File Formats" of the specification. The numbers of
/// the fields are in the order of their declaration; a union takes two.
namespace zarr {

/// What FlatBuffers of Icechunk begin with.
inline constexpr std::string_view kFileIdentifier = "Ichk";

/// An item of the metadata of a commit.
namespace of_item {
enum : unsigned { kName, kValue };
}
/// The name of the item with the author.
inline constexpr std::string_view kAuthorItem = "author";

namespace of_repo {
enum : unsigned {
  kSpecVersion,
  kTags,
  kBranches,
  kDeletedTags,
  kSnapshots,
  kStatus,
  kMetadata,
  kLatestUpdates,
  kRepoBeforeUpdates,
  kConfig,
};
}
namespace of_ref {
enum : unsigned { kName, kSnapshotIndex };
}
namespace of_snapshot_info {
enum : unsigned { kId, kParentOffset, kFlushedAt, kMessage, kMetadata, kPrunedLogs };
}
namespace of_status {
enum : unsigned { kAvailability, kSetAt, kReason };
}
namespace of_update {
enum : unsigned { kType, kUpdate, kUpdatedAt, kBackupPath };
/// The types of updates that are made here, and their fields.
inline constexpr std::uint8_t kRepoInitialized = 1;
inline constexpr std::uint8_t kTagCreated = 5;
inline constexpr std::uint8_t kTagDeleted = 6;
inline constexpr std::uint8_t kBranchCreated = 7;
inline constexpr std::uint8_t kBranchDeleted = 8;
inline constexpr std::uint8_t kNewCommit = 10;
inline constexpr std::uint8_t kNewDetachedSnapshot = 12;
inline constexpr std::uint8_t kGcRan = 13;
enum : unsigned { kName, kPreviousSnapshot };  // of tags and branches
enum : unsigned { kCommitBranch, kCommitSnapshot };
enum : unsigned { kDetachedSnapshot };
}  // namespace of_update

namespace of_snapshot {
enum : unsigned { kId, kParentId, kNodes, kFlushedAt, kMessage, kMetadata, kManifestFiles, kManifestFilesV2 };
}
namespace of_manifest_file {
enum : unsigned { kId, kSize, kRefs };
}
namespace of_node {
enum : unsigned { kId, kPath, kUserData, kNodeDataType, kNodeData };
inline constexpr std::uint8_t kArray = 1;
inline constexpr std::uint8_t kGroup = 2;
}  // namespace of_node
namespace of_array {
enum : unsigned { kShape, kDimensionNames, kManifests, kShapeV2 };
}
namespace of_dimension_shape {
enum : unsigned { kArrayLength, kChunks };
}
namespace of_dimension_name {
enum : unsigned { kName };
}
namespace of_manifest_ref {
enum : unsigned { kObjectId, kExtents };
}

namespace of_manifest {
enum : unsigned { kId, kArrays, kLocationDictionary, kCompressionAlgorithm };
}
namespace of_array_manifest {
enum : unsigned { kNodeId, kRefs };
}
namespace of_chunk_ref {
enum : unsigned { kIndex, kInline, kOffset, kLength, kChunkId, kLocation, kEtag, kLastModified, kCompressedLocation };
}

namespace of_log {
enum : unsigned {
  kId,
  kNewGroups,
  kNewArrays,
  kDeletedGroups,
  kDeletedArrays,
  kUpdatedArrays,
  kUpdatedGroups,
  kUpdatedChunks,
  kMovedNodes,
};
}
namespace of_updated_chunks {
enum : unsigned { kNodeId, kChunks };
}
namespace of_chunk_indices {
enum : unsigned { kCoordinates };
}
namespace of_move {
enum : unsigned { kFrom, kTo, kNodeId, kNodeType };
}

extern const FlatSchema kRepoSchema;
extern const FlatSchema kSnapshotSchema;
extern const FlatSchema kManifestSchema;
extern const FlatSchema kLogSchema;

}  // namespace zarr
