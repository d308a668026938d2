// SPDX-License-Identifier: MIT
#include "zarrlib/array/write/gap_source.h"

namespace zarr {

std::shared_ptr<const ResolvedPipeline> ResolveForChunk(const Array& array, const Shape& index) {
  Shape encoded(index.size());
  for (std::size_t i = 0; i < index.size(); ++i) encoded[i] = array.metadata().chunk_grid.axis(i).At(index[i]).encoded;
  return array.ResolveFor(encoded);
}

GapSource::GapSource(const Array& array, const Shape& index)
    : array_(array), pipeline_(array.data_type().variable() ? ResolveForChunk(array, index) : nullptr) {
  if (pipeline_) text_ = pipeline_->GetGap();
}

ElementSource GapSource::Get() const {
  const std::byte* const data =
      pipeline_ ? reinterpret_cast<const std::byte*>(&text_) : array_.metadata().fill_value.bytes.data();
  return {data, Strides(array_.rank(), 0), nullptr};
}

}  // namespace zarr
