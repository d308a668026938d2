// SPDX-License-Identifier: MIT
#include "autotest/fuzz/support/multidim_walk.h"

#include <algorithm>
#include <string>
#include <vector>

#include "autotest/fuzz/support/checks.h"
#include "autotest/fuzz/support/small_arrays.h"

namespace zarr::fuzz {
namespace {

constexpr std::size_t kMaxGroups = 16;
constexpr std::size_t kMaxArrays = 16;
constexpr std::size_t kMaxElements = 64;

void AskForAttributes(const std::vector<std::shared_ptr<GDALAttribute>>& attributes) {
  for (const auto& attribute : attributes) {
    attribute->GetDimensionsSize();
    attribute->ReadAsString();
    attribute->ReadAsDoubleArray();
    CSLDestroy(attribute->ReadAsStringArray().StealList());
  }
}

void AskForDimensions(const std::vector<std::shared_ptr<GDALDimension>>& dimensions) {
  for (const auto& dimension : dimensions) {
    dimension->GetType();
    dimension->GetDirection();
    dimension->GetIndexingVariable();
  }
}

/// Reads elements from the begin, if the chunks that hold them are small.
void Read(const GDALMDArray& array) {
  std::int64_t block = 1;
  for (const GUInt64 edge : array.GetBlockSize()) {
    block *= static_cast<std::int64_t>(std::clamp<GUInt64>(edge, 1, kMaxBlockElements + 1));
    if (block > kMaxBlockElements) return;
  }
  const GDALExtendedDataType& type = array.GetDataType();
  std::vector<GUInt64> start;
  std::vector<std::size_t> count;
  std::size_t elements = 1;
  for (const auto& dimension : array.GetDimensions()) {
    start.push_back(0);
    count.push_back(std::min<GUInt64>({dimension->GetSize(), 4, std::max<std::size_t>(kMaxElements / elements, 1)}));
    elements *= count.back();
    if (elements == 0) return;
  }
  if (type.GetSize() > (std::size_t{1} << 16)) return;
  std::vector<GByte> buffer(elements * type.GetSize());
  if (!array.Read(start.data(), count.data(), nullptr, nullptr, type, buffer.data())) return;
  for (std::size_t i = 0; type.NeedsFreeDynamicMemory() && i < elements; ++i) {
    type.FreeDynamicMemory(&buffer[i * type.GetSize()]);
  }
}

void WalkArray(const GDALMDArray& array) {
  AskForAttributes(array.GetAttributes());
  AskForDimensions(array.GetDimensions());
  array.GetRawNoDataValue();
  array.GetUnit();
  array.GetScale();
  array.GetOffset();
  array.GetStructuralInfo();
  array.GetCoordinateVariables();
  if (const auto reference = array.GetSpatialRef()) reference->IsGeographic();
  Read(array);
}

}  // namespace

void WalkGroups(const std::shared_ptr<GDALGroup>& root) {
  if (!root) return;
  std::vector<std::shared_ptr<GDALGroup>> groups = {root};
  std::size_t arrays = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto group = groups[i];
    AskForAttributes(group->GetAttributes());
    AskForDimensions(group->GetDimensions());
    group->GetStructuralInfo();
    for (const std::string& name : group->GetMDArrayNames()) {
      if (arrays++ >= kMaxArrays) break;
      if (const auto array = group->OpenMDArray(name)) WalkArray(*array);
    }
    for (const std::string& name : group->GetGroupNames()) {
      if (groups.size() >= kMaxGroups) break;
      if (auto child = group->OpenGroup(name)) groups.push_back(std::move(child));
    }
  }
}

}  // namespace zarr::fuzz
