// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "zarrlib/store/icechunk/manifests.h"
#include "zarrlib/store/icechunk/repository.h"
#include "zarrlib/store/icechunk/snapshot_keys.h"
#include "zarrlib/store/icechunk/virtual_files.h"
#include "zarrlib/store/store.h"
#include "zarrlib/store/store_requests.h"

namespace zarr {

/// How the chunks of a repository are read.
struct ChunkOptions {
  /// Null if virtual chunks cannot be read.
  std::shared_ptr<const VirtualFiles> files;
  /// Whether a file must have the entity tag that the reference to it gives, or be no younger than it says.
  bool check_files = true;
};

/// The chunks to which the manifests of a repository refer. A manifest is read when it is needed, and a chunk's bytes
/// are in the manifest, in the repository or in another file. What a manifest refers to is never absent: if an object
/// or a file is missing, damaged or too short, reading fails, because absent chunks would be filled with the fill
/// value. Thread-safe.
class SnapshotChunks {
 public:
  /// A reference to a chunk, with the manifest that has its bytes if it is inline.
  struct Found {
    std::shared_ptr<const Manifest> manifest;
    ChunkRef ref;
  };

  /// `name` is for messages.
  SnapshotChunks(std::string name, std::shared_ptr<const Repository> repository, ChunkOptions options);

  const Repository& repository() const { return *repository_; }
  /// Returns a text that changes with the settings by which virtual chunks are read.
  std::string GetSettings() const;
  /// The useful number of requests in flight; 0 for local repositories.
  std::size_t concurrency() const;

  /// Returns nullopt for a chunk that no manifest of the array lists.
  std::optional<Found> Find(const SnapshotNode& array, ChunkCoordinates coordinates) const;
  /// Reads the bytes of a request, unless it asks for the presence only.
  void Read(const ReadRequest& request, const ChunkRef& ref) const;
  std::optional<ValueLocation> Locate(const ChunkRef& ref) const;
  /// Reads whole virtual chunks in one file, like StoreRequests::ReadTogether, with one reference for each request.
  /// Throws Error, like Read, for a file that cannot be read or was changed.
  bool ReadTogether(std::span<const ReadRequest> requests, std::span<const Found> found) const;
  bool reads_together() const { return options_.files && concurrency() > 0; }
  /// Like StoreRequests::NoteBroken.
  bool NoteBroken(const ChunkRef& ref, int status, int times, Error* error) const;
  /// Returns the coordinates that follow those of a prefix. Reads all manifests that have some.
  std::set<std::uint32_t> ListCoordinates(const ChunkPrefix& prefix) const;

 private:
  void ReadNative(const ReadRequest& request, const ChunkRef& ref) const;
  void ReadVirtual(const ReadRequest& request, const ChunkRef& ref) const;
  /// Returns true if the state of a chunk's file has to be compared with the reference.
  bool IsChecked(const ChunkRef& ref) const;
  VirtualFiles::File FindFile(const ChunkRef& ref) const;
  std::string ExpandLocation(const std::string& location) const;

  const std::string name_;
  const std::shared_ptr<const Repository> repository_;
  const ChunkOptions options_;
  const Manifests manifests_;
};

/// Reads the bytes of a request from a value in memory. `tag` identifies its state.
void ReadFromMemory(const ReadRequest& request, ByteSpan value, std::string tag);
/// Returns the key of a file of chunks in a repository.
std::string MakeChunkFileKey(const ObjectId& file);

}  // namespace zarr
