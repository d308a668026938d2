// SPDX-License-Identifier: MIT
#include "driver/new_array/chunk_edges.h"

#include <algorithm>
#include <utility>

#include "driver/cf/coordinate_time.h"
#include "driver/dataset/editable_array.h"
#include "driver/dataset/referred_arrays.h"
#include "driver/gdal/text.h"
#include "driver/new_array/creation_options.h"

namespace gdal_zarr {
namespace {

/// Lists the month of each coordinate, such as "2000-01".
std::vector<std::string> ListMonths(const GDALDimension& dimension) {
  const auto variable = FindIndexingVariable(dimension);
  const auto attribute = variable ? MakeTimeAttribute(variable) : nullptr;
  if (!attribute) FailOption(kChunkEdges, "coordinates that are times, for MONTHS", dimension.GetName());
  const CPLStringList times = attribute->ReadAsStringArray();
  std::vector<std::string> months;
  for (int i = 0; i < times.size(); ++i) {
    const std::string time = times[i];
    const std::size_t day = time.find('T') == std::string::npos ? time.size() : time.find('T');
    if (day < 3) FailOption(kChunkEdges, "coordinates that are times, for MONTHS", dimension.GetName());
    months.push_back(time.substr(0, day - 3));
  }
  return months;
}

/// Formats the lengths of runs of equal values: "31,28,31".
std::string FormatRunLengths(const std::vector<std::string>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size();) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(i);
    const auto end = std::find_if(first, values.end(), [&](const auto& value) { return value != *first; });
    const auto count = static_cast<std::size_t>(end - first);
    text += (text.empty() ? "" : ",") + std::to_string(count);
    i += count;
  }
  return "[" + text + "]";
}

struct PlanItem {
  std::string dimension;
  bool is_months = false;
};

PlanItem ParseItem(const std::string& item) {
  const std::size_t colon = item.rfind(':');
  if (colon == std::string::npos) return {};
  return {item.substr(0, colon), IsEqualIgnoringCase(std::string_view(item).substr(colon + 1), "MONTHS")};
}

CPLStringList SplitItems(const std::string& edges) {
  return CPLStringList(CSLTokenizeString2(edges.c_str(), ";", CSLT_STRIPLEADSPACES | CSLT_STRIPENDSPACES));
}

std::string Expand(const std::string& item, const std::vector<std::shared_ptr<GDALDimension>>& dimensions) {
  const PlanItem plan = ParseItem(item);
  if (!plan.is_months) return item;
  for (const auto& dimension : dimensions) {
    if (dimension->GetName() == plan.dimension) return plan.dimension + ":" + FormatRunLengths(ListMonths(*dimension));
  }
  FailOption(kChunkEdges, "the name of a dimension", plan.dimension);
}

}  // namespace

std::string ExpandChunkPlans(const std::string& edges, const std::vector<std::shared_ptr<GDALDimension>>& dimensions) {
  const CPLStringList items = SplitItems(edges);
  std::string expanded;
  for (int i = 0; i < items.size(); ++i) expanded += (i > 0 ? ";" : "") + Expand(items[i], dimensions);
  return expanded;
}

bool AwaitsCoordinates(const std::string& edges, const std::vector<std::shared_ptr<GDALDimension>>& dimensions) {
  const CPLStringList items = SplitItems(edges);
  for (int i = 0; i < items.size(); ++i) {
    const PlanItem plan = ParseItem(items[i]);
    for (const auto& dimension : dimensions) {
      if (!plan.is_months || dimension->GetName() != plan.dimension) continue;
      const auto variable = FindIndexingVariable(*dimension);
      const auto* array = AsOwnArray(variable.get());
      if (!variable || (array && array->is_new())) return true;
    }
  }
  return false;
}

std::string FormatEdges(const zarr::ChunkAxis& axis) {
  std::string text;
  for (const zarr::ChunkRun& run : axis.runs()) {
    if (!text.empty()) text += ",";
    const std::string edge = std::to_string(run.edge);
    text += run.count == 1 ? edge : "[" + edge + "," + std::to_string(run.count) + "]";
  }
  return "[" + text + "]";
}

std::string JoinEdges(const std::string& edges, const std::vector<std::shared_ptr<GDALDimension>>& dimensions) {
  std::string text;
  const zarr::JsonNode axes = zarr::JsonNode::Parse(edges, "", "");
  for (std::size_t i = 0; i < std::min(axes.size(), dimensions.size()); ++i) {
    text += (text.empty() ? "" : ";") + dimensions[i]->GetName() + ":" + axes[i].Dump();
  }
  return text;
}

}  // namespace gdal_zarr
