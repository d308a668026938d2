// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "zarrlib/store/icechunk/chunk_table.h"
#include "zarrlib/store/icechunk/flat/flat_object.h"
#include "zarrlib/store/icechunk/object_id.h"
#include "zarrlib/store/icechunk/snapshot.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// What a snapshot tells of a manifest file.
struct ManifestFile {
  std::uint64_t size = 0;  ///< In bytes.
  std::uint64_t refs = 0;  ///< Number of references.
};
using ManifestFiles = std::map<ObjectId, ManifestFile>;

/// Writes the references of one array, which are added in order, to manifest files of at most `kMostRefs` references.
/// The parts of the grid that the files cover do not overlap. Not thread-safe.
class ManifestWriter {
 public:
  /// Few enough that a reader of one chunk does not wait for many others' references.
  static constexpr std::size_t kMostRefs = 65536;

  /// `version` is that of the format.
  ManifestWriter(Store* folder, int version, const NodeId& array) : folder_(folder), version_(version), array_(array) {}

  void Add(ChunkCoordinates coordinates, const ChunkRef& ref);
  /// Writes the rest.
  void Finish();

  /// The files that were written, and the parts of the grid that they cover.
  const std::vector<ManifestRef>& manifests() const { return manifests_; }
  const ManifestFiles& files() const { return files_; }

 private:
  void Cut();
  void Write(std::size_t count);

  Store* folder_;
  int version_;
  NodeId array_;
  std::vector<FlatObject> refs_;  // that were not written yet
  std::vector<std::vector<std::uint32_t>> coordinates_;
  /// The references of a file must not differ in the dimensions before this one, because others with the same
  /// coordinates in these are in a file that was written before.
  std::size_t bound_ = 0;
  std::vector<ManifestRef> manifests_;
  ManifestFiles files_;
};

}  // namespace zarr
