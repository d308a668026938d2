// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/flat/flat_schemas.h"

namespace zarr {
namespace {

using Kind = FlatType::Kind;

constexpr FlatType MakeNumber(std::uint8_t size) {
  return {Kind::kNumber, size, size};
}
constexpr FlatType MakeVector(std::uint8_t size, std::uint8_t alignment) {
  return {Kind::kVector, size, alignment};
}

constexpr FlatType kByte = MakeNumber(1);
constexpr FlatType kInt16 = MakeNumber(2);
constexpr FlatType kInt32 = MakeNumber(4);
constexpr FlatType kInt64 = MakeNumber(8);
constexpr FlatType kId8{Kind::kStruct, 8, 1};
constexpr FlatType kId12{Kind::kStruct, 12, 1};
constexpr FlatType kText{Kind::kText};
constexpr FlatType kTexts{Kind::kTexts};
constexpr FlatType kBytes = MakeVector(1, 1);
constexpr FlatType kIds8 = MakeVector(8, 1);
constexpr FlatType kIds12 = MakeVector(12, 1);
constexpr FlatType kInts16 = MakeVector(2, 2);
constexpr FlatType kInts32 = MakeVector(4, 4);
constexpr FlatType kDimensionShapes = MakeVector(16, 8);  // two lengths
constexpr FlatType kManifestFiles = MakeVector(32, 8);    // an ID, a size and a number of references
constexpr FlatType kIndexRanges = MakeVector(8, 4);       // two indices

// The fields of a table, its schema, and the list of this one schema, to which tables that contain it refer.
#define ZARR_FLAT_TABLE(variable, text, ...)                   \
  constexpr FlatType k##variable##Fields[] = __VA_ARGS__;      \
  constexpr FlatSchema k##variable{text, k##variable##Fields}; \
  [[maybe_unused]] constexpr const FlatSchema* k##variable##List[] = {&k##variable}

ZARR_FLAT_TABLE(Item, "an item of metadata", {kText, kBytes});
constexpr FlatType kItems{Kind::kTables, 0, 1, kItemList};

ZARR_FLAT_TABLE(Ref, "a branch or a tag", {kText, kInt32});
ZARR_FLAT_TABLE(SnapshotInfo, "a commit", {kId12, kInt32, kInt64, kText, kItems, kIds12});
ZARR_FLAT_TABLE(Status, "the status", {kByte, kInt64, kText});
constexpr FlatType kStatusTable{Kind::kTable, 0, 1, kStatusList};

constexpr FlatSchema kEmpty{"an update", {}};
ZARR_FLAT_TABLE(Migrated, "an update", {kByte, kByte});
ZARR_FLAT_TABLE(Named, "an update", {kText});
ZARR_FLAT_TABLE(Moved, "an update", {kText, kId12});
ZARR_FLAT_TABLE(Amended, "an update", {kText, kId12, kId12});
ZARR_FLAT_TABLE(Detached, "an update", {kId12});
ZARR_FLAT_TABLE(Flag, "an update", {kInt16, kByte, kByte});
ZARR_FLAT_TABLE(StatusChanged, "an update", {kStatusTable});
// In the order of the union: the repository was initialized and migrated, its configuration and its metadata changed, a
// tag created and deleted, a branch created, deleted and reset, a commit made and amended, a detached snapshot made,
// garbage collected, snapshots expired, a feature flag and the status changed.
constexpr const FlatSchema* kUpdateTypes[] = {
    &kEmpty, &kMigrated, &kEmpty,   &kEmpty,    &kNamed, &kMoved, &kNamed, &kMoved,
    &kMoved, &kMoved,    &kAmended, &kDetached, &kEmpty, &kEmpty, &kFlag,  &kStatusChanged,
};
constexpr FlatType kUpdateUnion{Kind::kUnion, 0, 1, kUpdateTypes};
ZARR_FLAT_TABLE(Update, "an update", {kByte, kUpdateUnion, kInt64, kText});

constexpr FlatType kRefs{Kind::kTables, 0, 1, kRefList};
constexpr FlatType kSnapshotInfos{Kind::kTables, 0, 1, kSnapshotInfoList};
constexpr FlatType kUpdates{Kind::kTables, 0, 1, kUpdateList};
constexpr FlatType kRepoFields[] = {kByte,    kRefs, kRefs,  kTexts,  kSnapshotInfos, kStatusTable, kItems,
                                    kUpdates, kText, kBytes, kInts16, kInts16,        kBytes};

ZARR_FLAT_TABLE(ManifestFile, "a manifest file", {kId12, kInt64, kInt32, kBytes});
ZARR_FLAT_TABLE(DimensionShape, "the shape of a dimension", {kInt64, kInt32});
ZARR_FLAT_TABLE(DimensionName, "the name of a dimension", {kText});
ZARR_FLAT_TABLE(ManifestRef, "the manifest of an array", {kId12, kIndexRanges});
constexpr FlatType kDimensionNames{Kind::kTables, 0, 1, kDimensionNameList};
constexpr FlatType kManifestRefs{Kind::kTables, 0, 1, kManifestRefList};
constexpr FlatType kDimensionShapesV2{Kind::kTables, 0, 1, kDimensionShapeList};
ZARR_FLAT_TABLE(Array, "an array", {kDimensionShapes, kDimensionNames, kManifestRefs, kDimensionShapesV2});
constexpr FlatSchema kGroup{"a group", {}};
constexpr const FlatSchema* kNodeTypes[] = {&kArray, &kGroup};
constexpr FlatType kNodeUnion{Kind::kUnion, 0, 1, kNodeTypes};
ZARR_FLAT_TABLE(Node, "a node", {kId8, kText, kBytes, kByte, kNodeUnion, kBytes});
constexpr FlatType kNodes{Kind::kTables, 0, 1, kNodeList};
constexpr FlatType kManifestFilesV2{Kind::kTables, 0, 1, kManifestFileList};
constexpr FlatType kSnapshotFields[] = {kId12,  kId12,          kNodes,           kInt64, kText,
                                        kItems, kManifestFiles, kManifestFilesV2, kBytes};

ZARR_FLAT_TABLE(ChunkRef, "a reference to a chunk",
                {kInts32, kBytes, kInt64, kInt64, kId12, kText, kText, kInt32, kBytes, kBytes});
constexpr FlatType kChunkRefs{Kind::kTables, 0, 1, kChunkRefList};
ZARR_FLAT_TABLE(ArrayManifest, "the manifest of an array", {kId8, kChunkRefs, kBytes});
constexpr FlatType kArrayManifests{Kind::kTables, 0, 1, kArrayManifestList};
constexpr FlatType kManifestFields[] = {kId12, kArrayManifests, kBytes, kByte, kBytes};

ZARR_FLAT_TABLE(ChunkIndices, "the indices of a chunk", {kInts32});
constexpr FlatType kChunkIndicesTables{Kind::kTables, 0, 1, kChunkIndicesList};
ZARR_FLAT_TABLE(UpdatedChunks, "the updated chunks of an array", {kId8, kChunkIndicesTables});
ZARR_FLAT_TABLE(Move, "a moved node", {kText, kText, kId8, kByte});
constexpr FlatType kUpdatedChunksTables{Kind::kTables, 0, 1, kUpdatedChunksList};
constexpr FlatType kMoves{Kind::kTables, 0, 1, kMoveList};
constexpr FlatType kLogFields[] = {kId12,  kIds8, kIds8, kIds8, kIds8, kIds8, kIds8, kUpdatedChunksTables,
                                   kMoves, kBytes};

#undef ZARR_FLAT_TABLE

}  // namespace

const FlatSchema kRepoSchema{"the repo info file", kRepoFields};
const FlatSchema kSnapshotSchema{"the snapshot", kSnapshotFields};
const FlatSchema kManifestSchema{"the manifest", kManifestFields};
const FlatSchema kLogSchema{"the transaction log", kLogFields};

}  // namespace zarr
