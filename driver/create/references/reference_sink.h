// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "driver/create/references/source_blocks.h"
#include "zarrlib/base/shape.h"
#include "zarrlib/metadata/array_metadata.h"

namespace gdal_zarr {

/// Takes the content of a Zarr store whose chunks are in other files: first all metadata documents, then array by array
/// the chunks that exist. Nothing is in place before Finish; without it, the destructor removes what was written. Not
/// thread-safe. All functions throw zarr::Error.
class ReferenceSink {
 public:
  ReferenceSink() = default;
  virtual ~ReferenceSink() = default;
  ReferenceSink(const ReferenceSink&) = delete;
  ReferenceSink& operator=(const ReferenceSink&) = delete;

  /// Takes a document, such as that of "a/.zarray".
  virtual void PutDocument(const std::string& key, std::string_view json) = 0;
  /// Begins the chunks of an array. Its documents have been put.
  virtual void BeginArray(const std::string& path, const zarr::ArrayMetadata& metadata) = 0;
  /// Takes a chunk of the array that was begun last. Chunks come in C order of their grid index.
  virtual void PutChunk(const zarr::Shape& index, const SourceBlock& block) = 0;
  /// Puts everything in place, where it replaces what was there.
  virtual void Finish() = 0;
};

}  // namespace gdal_zarr
