// SPDX-License-Identifier: MIT
#include "zarrlib/metadata/array_summary.h"

namespace zarr {

ArraySummary MakeSummary(const ArrayMetadata& metadata) {
  ArraySummary summary{metadata.shape, metadata.data_type, metadata.dimension_names, {}};
  if (!metadata.attributes.IsObject()) return summary;
  for (const std::string_view name : kReferringAttributes) {
    const auto value = metadata.attributes.Find(name);
    if (value && value->IsString()) summary.references.push_back(value->AsString());
  }
  return summary;
}

}  // namespace zarr
