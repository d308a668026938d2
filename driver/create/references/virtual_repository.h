// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "driver/create/references/reference_output.h"
#include "driver/create/references/reference_sink.h"
#include "driver/stores/commit_note.h"
#include "driver/stores/icechunk/virtual_chunk_files.h"
#include "zarrlib/store/icechunk/commit/new_repository.h"

namespace gdal_zarr {

/// Writes references to a new repository of Icechunk, in one commit. Each has the entity tag of its file, or the time
/// when it was modified, so that readers refuse a file that was changed. Takes some 20 bytes of memory for each chunk.
class VirtualRepository final : public ReferenceSink {
 public:
  /// Throws zarr::Error(invalid_argument) if there is a repository at the path already.
  VirtualRepository(const std::string& path, const CommitNote& commit);

  /// Documents must be those of Zarr v3.
  void PutDocument(const std::string& key, std::string_view json) override;
  void BeginArray(const std::string& path, const zarr::ArrayMetadata& metadata) override;
  void PutChunk(const zarr::Shape& index, const SourceBlock& block) override;
  void Finish() override;

 private:
  const zarr::ChunkRef& FindFile(const std::string& path);
  void AddContainer(zarr::Container container);

  ReferenceOutput output_;
  zarr::NewRepository repository_;
  const VirtualChunkFiles files_;
  std::map<std::string, zarr::ChunkRef> refs_;  // to the files of chunks, by their paths
  std::vector<zarr::Container> containers_;
};

}  // namespace gdal_zarr
