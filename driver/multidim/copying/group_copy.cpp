// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "driver/gdal/gdal_error.h"
#include "driver/multidim/copying/hidden_parts.h"
#include "driver/multidim/group.h"
#include "zarrlib/metadata/node_path.h"

namespace gdal_zarr {

bool Group::CopyHiddenArrays(GDALDataset* source_dataset, const GDALGroup& source, bool strict) {
  return Guard(
      false, [&] { return CopyArrays(source_dataset, ListHiddenArrays(source), strict); }, Activity::kWriting);
}

bool Group::CopyArrays(GDALDataset* source_dataset, const std::vector<std::shared_ptr<GDALMDArray>>& arrays,
                       bool strict) {
  for (const auto& hidden : arrays) {
    if (resource_->hierarchy().Probe(zarr::JoinKey(node(), hidden->GetName()))) continue;
    const auto copy = CreateMDArray(hidden->GetName(), {}, hidden->GetDataType(), nullptr);
    GUInt64 cost = 0;
    if (!copy || !copy->CopyFrom(source_dataset, hidden.get(), strict, cost, 1, GDALDummyProgress, nullptr))
      return false;
  }
  return true;
}

bool Group::LeaveOutMisread(GDALDataset* source_dataset, const GDALGroup& source) {
  const std::vector<std::string> misread = ListMisreadAttributes(source_dataset, source.GetAttributes());
  return std::ranges::all_of(misread, [&](const std::string& name) { return DeleteAttribute(name, nullptr); });
}

bool Group::CopyFrom(const std::shared_ptr<GDALGroup>& root, GDALDataset* source_dataset,
                     const std::shared_ptr<GDALGroup>& source, bool strict, GUInt64& current_cost, GUInt64 total_cost,
                     GDALProgressFunc progress, void* progress_data, CSLConstList options) {
  const auto copy = [&] {
    return GDALGroup::CopyFrom(root, source_dataset, source, strict, current_cost, total_cost, progress, progress_data,
                               options) &&
           CopyHiddenArrays(source_dataset, *source, strict) && LeaveOutMisread(source_dataset, *source);
  };
  return Guard(
      false, [&] { return resource_->edits().group_copy.Run(copy); }, Activity::kWriting);
}

}  // namespace gdal_zarr
