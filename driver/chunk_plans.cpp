#include "driver/chunk_plans.h"

#include <algorithm>
#include <utility>

#include "driver/coordinate_time.h"
#include "driver/creation_array.h"
#include "driver/creation_options.h"
#include "driver/md_array.h"
#include "driver/node_context.h"
#include "driver/option_text.h"
#include "zarrlib/array/rechunk.h"

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

struct PlanItem {
  std::string dimension;
  bool is_months = false;
};

PlanItem ParseItem(const std::string& item) {
  const std::size_t colon = item.rfind(':');
  if (colon == std::string::npos) return {};
  return {item.substr(0, colon), EqualIgnoringCase(std::string_view(item).substr(colon + 1), "MONTHS")};
}

CPLStringList ItemsOf(const std::string& edges) {
  return CPLStringList(CSLTokenizeString2(edges.c_str(), ";", CSLT_STRIPLEADSPACES | CSLT_STRIPENDSPACES));
}

std::string Expand(const std::string& item, const std::vector<std::shared_ptr<GDALDimension>>& dimensions) {
  const PlanItem plan = ParseItem(item);
  if (!plan.is_months) return item;
  for (const auto& dimension : dimensions) {
    if (dimension->GetName() == plan.dimension) return plan.dimension + ":" + RunLengths(MonthsOf(*dimension));
  }
  FailOption(kOption, "the name of a dimension", plan.dimension);
}

}  // namespace

std::string ExpandChunkPlans(const std::string& edges, const std::vector<std::shared_ptr<GDALDimension>>& dimensions) {
  const CPLStringList items = ItemsOf(edges);
  std::string expanded;
  for (int i = 0; i < items.size(); ++i) expanded += (i > 0 ? ";" : "") + Expand(items[i], dimensions);
  return expanded;
}

bool AwaitsCoordinates(const std::string& edges, const std::vector<std::shared_ptr<GDALDimension>>& dimensions) {
  const CPLStringList items = ItemsOf(edges);
  for (int i = 0; i < items.size(); ++i) {
    const PlanItem plan = ParseItem(items[i]);
    for (const auto& dimension : dimensions) {
      if (!plan.is_months || dimension->GetName() != plan.dimension) continue;
      const auto variable = dimension->GetIndexingVariable();
      const auto* array = dynamic_cast<const MDArray*>(variable.get());
      if (!variable || (array && array->is_new())) return true;
    }
  }
  return false;
}

void ChunkPlans::Add(Plan plan) {
  const std::lock_guard lock(mutex_);
  plans_.push_back(std::move(plan));
}

void ChunkPlans::Remove(const std::string& array) {
  const std::lock_guard lock(mutex_);
  std::erase_if(plans_, [&](const Plan& plan) { return plan.array == array; });
}

std::vector<ChunkPlans::Plan> ChunkPlans::List() const {
  const std::lock_guard lock(mutex_);
  return plans_;
}

void ApplyChunkPlans(const std::shared_ptr<NodeContext>& context) {
  for (const ChunkPlans::Plan& plan : context->chunk_plans().List()) {
    const auto object = MDArray::Make(context, plan.array);
    const auto& dimensions = object->GetDimensions();
    CPLStringList options = plan.options;
    const std::string edges = options.FetchNameValue(kOption);
    if (AwaitsCoordinates(edges, dimensions)) continue;
    context->chunk_plans().Remove(plan.array);
    options.SetNameValue(kOption, ExpandChunkPlans(edges, dimensions).c_str());
    const CreationOptions parsed(options);
    std::vector<NewDimension> lengths;
    for (const auto& dimension : dimensions) lengths.push_back({dimension->GetName(), dimension->GetSize()});
    const zarr::ChunkGrid grid =
        MakeArrayMetadata(zarr::ZarrFormat::kV3, lengths, plan.type, parsed, DefaultChunk(lengths)).chunk_grid;
    zarr::WriteOptions write_options;
    write_options.store_empty_chunks = parsed.Boolean("STORE_EMPTY_CHUNKS");
    context->writers().Flush(plan.array);
    auto rechunked = zarr::RechunkArray(context->Change(), object->shared_array(), grid, write_options);
    context->writers().Drop(plan.array);
    if (write_options.store_empty_chunks) context->writers().SetStoreEmptyChunks(plan.array);
    object->Replace(std::move(rechunked));
  }
}

void CheckChunkPlans(const ChunkPlans& plans) {
  const auto left = plans.List();
  if (left.empty()) return;
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                    left.front().array + ": creation option CHUNK_EDGES: " +
                        zarr::ExpectedGot("coordinates, by which its chunks are made", "none") +
                        ": its chunks have one length");
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
