#include "driver/chunk_plans.h"

#include <algorithm>

#include "driver/coordinate_time.h"
#include "driver/creation_options.h"
#include "driver/option_text.h"

namespace gdal_zarr {
namespace {

constexpr const char* kOption = "CHUNK_EDGES";

/// "2000-01" for each coordinate, in order.
std::vector<std::string> MonthsOf(const GDALDimension& dimension) {
  const auto variable = dimension.GetIndexingVariable();
  const auto attribute = variable ? TimeAttribute(variable) : nullptr;
  if (!attribute) FailOption(kOption, "coordinates that are times for MONTHS", dimension.GetName());
  const CPLStringList times = attribute->ReadAsStringArray();
  std::vector<std::string> months;
  for (int i = 0; i < times.size(); ++i) {
    const std::string time = times[i];
    const std::size_t day = time.find('T') == std::string::npos ? time.size() : time.find('T');
    if (day < 3) FailOption(kOption, "coordinates that are times for MONTHS", dimension.GetName());
    months.push_back(time.substr(0, day - 3));
  }
  return months;
}

/// How many neighbours are equal: "31,28,31".
std::string RunLengths(const std::vector<std::string>& values) {
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

std::string Expand(const std::string& item, const std::vector<std::shared_ptr<GDALDimension>>& dimensions) {
  const std::size_t colon = item.rfind(':');
  if (colon == std::string::npos || !EqualIgnoringCase(std::string_view(item).substr(colon + 1), "MONTHS")) return item;
  const std::string name = item.substr(0, colon);
  for (const auto& dimension : dimensions) {
    if (dimension->GetName() == name) return name + ":" + RunLengths(MonthsOf(*dimension));
  }
  FailOption(kOption, "the name of a dimension", name);
}

}  // namespace

std::string ExpandChunkPlans(const std::string& edges, const std::vector<std::shared_ptr<GDALDimension>>& dimensions) {
  const CPLStringList items(CSLTokenizeString2(edges.c_str(), ";", CSLT_STRIPLEADSPACES | CSLT_STRIPENDSPACES));
  std::string expanded;
  for (int i = 0; i < items.size(); ++i) expanded += (i > 0 ? ";" : "") + Expand(items[i], dimensions);
  return expanded;
}

CPLStringList ExpandSourcePlan(CSLConstList options, GDALDataset& source) {
  CPLStringList expanded(CSLDuplicate(const_cast<char**>(options)));
  const char* edges = expanded.FetchNameValue(kOption);
  if (!edges || !EQUAL(edges, "SOURCE") || source.GetRasterCount() == 0) return expanded;
  int width = 0;
  int height = 0;
  source.GetRasterBand(1)->GetBlockSize(&width, &height);
  expanded.SetNameValue(kOption, nullptr);
  expanded.SetNameValue("BLOCKSIZE", (std::to_string(height) + "," + std::to_string(width)).c_str());
  return expanded;
}

}  // namespace gdal_zarr
