// SPDX-License-Identifier: MIT
#include <algorithm>

#include "zarrlib/array/array.h"
#include "zarrlib/array/other_chunk_keys.h"
#include "zarrlib/array/read/read_operation.h"
#include "zarrlib/array/selection_check.h"
#include "zarrlib/codec/codec_pipeline.h"

namespace zarr {

bool Array::Read(const Selection& selection, const Destination& destination, const ReadOptions& options) const {
  if (unsupported_) throw *unsupported_;
  CheckSelection(*this, selection, destination.strides);
  if (data_type().variable() && !destination.converter) {
    throw Error(ErrorKind::kInvalidArgument, store().name(), path(), "",
                "elements of variable length need a converter");
  }
  if (std::find(selection.count.begin(), selection.count.end(), 0u) != selection.count.end()) return true;
  const ReadOperation reader(*this, selection, destination, options);
  const auto resolved = uniform_ ? uniform_ : ResolveFor(metadata_.chunk_grid.max_chunk_shape());
  const bool complete = resolved->inner_chunk_shape() ? reader.ReadShards() : reader.ReadChunks();
  if (complete && key_check_) key_check_->NoteRead(*this, reader.found_nothing());
  return complete;
}

}  // namespace zarr
