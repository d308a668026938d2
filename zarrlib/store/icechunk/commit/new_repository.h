// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "zarrlib/store/icechunk/commit/change_set.h"
#include "zarrlib/store/icechunk/commit/committer.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// Makes a repository in one commit, from all documents and then, array by array, from references to all chunks. Takes
/// some 20 bytes of memory for each chunk. There is no repository before `Commit`. Not thread-safe.
class NewRepository {
 public:
  /// `commit.base` must be nullopt. `folder` is the repository's.
  NewRepository(std::shared_ptr<Store> folder, CommitOptions commit);

  /// Adds a node, after the group that has it. `document` is its zarr.json. Throws Error(unsupported) for a document of
  /// another format.
  void AddNode(const std::string& path, std::string_view document);
  /// Begins the chunks of an array that was added.
  void BeginArray(const std::string& path);
  /// Adds a chunk of the array that was begun last. Chunks come in the order of their coordinates. Throws
  /// Error(corrupt) if they do not.
  void AddChunk(ChunkCoordinates coordinates, const ChunkRef& ref);
  /// Adds a chunk whose bytes become part of the repository.
  void AddChunk(ChunkCoordinates coordinates, ByteSpan bytes);
  /// Declares what the URLs of virtual chunks begin with, and throws the errors of Committer::Commit.
  void Commit(std::span<const Container> containers);

 private:
  const std::shared_ptr<Store> folder_;
  CommitOptions commit_;
  ChangeSet changes_;
  std::shared_ptr<ChunkTable> chunks_;  // of the array that was begun last
};

}  // namespace zarr
