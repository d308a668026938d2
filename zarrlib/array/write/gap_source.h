// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string_view>

#include "zarrlib/array/array_writer.h"
#include "zarrlib/codec/codec_pipeline.h"

namespace zarr {

/// Returns the codecs of the chunk at an index of the grid.
std::shared_ptr<const ResolvedPipeline> ResolveForChunk(const Array& array, const Shape& index);

/// What the elements of a chunk hold that were not written, as the source of a write.
class GapSource {
 public:
  /// `index` is that of the chunk in the grid. The array must outlive this object.
  GapSource(const Array& array, const Shape& index);

  /// Valid as long as this object.
  ElementSource Get() const;

 private:
  const Array& array_;
  std::shared_ptr<const ResolvedPipeline> pipeline_;  // null for elements of a fixed length
  std::string_view text_;
};

}  // namespace zarr
