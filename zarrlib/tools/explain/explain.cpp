// SPDX-License-Identifier: MIT
#include <cstdio>
#include <ostream>

#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/tools/commands.h"
#include "zarrlib/tools/documents.h"
#include "zarrlib/tools/explain/read_forecast.h"
#include "zarrlib/tools/region.h"

namespace zarr::tools {
namespace {

JsonNode MakeList(const Shape& shape) {
  std::vector<JsonNode> items;
  for (const std::uint64_t length : shape) items.push_back(JsonNode::MakeUnsigned(length));
  return JsonNode::MakeArray(items);
}

JsonNode MakeTouched(std::uint64_t touched, std::uint64_t stored) {
  return JsonNode::MakeObject(
      {{"touched", JsonNode::MakeUnsigned(touched)}, {"stored", JsonNode::MakeUnsigned(stored)}});
}

void PrintJson(const Array& array, const Box& region, const ReadForecast& forecast, std::ostream& out) {
  const bool is_sharded = array.inner_chunk_shape().has_value();
  const auto number = [](std::uint64_t value) { return JsonNode::MakeUnsigned(value); };
  std::vector<JsonNode> advice;
  for (const std::string& sentence : GiveAdvice(array, forecast)) advice.push_back(JsonNode::MakeString(sentence));
  std::vector<std::pair<std::string, JsonNode>> members = {
      {"array", JsonNode::MakeString("/" + array.path())},
      {"shape", MakeList(array.shape())},
      {"region", JsonNode::MakeObject({{"start", MakeList(region.origin)}, {"count", MakeList(region.shape)}})},
      {is_sharded ? "shards" : "chunks", MakeTouched(forecast.chunks, forecast.stored_chunks)}};
  if (is_sharded) {
    members.emplace_back("inner_chunks", MakeTouched(forecast.inner_chunks, forecast.stored_inner_chunks));
  }
  members.insert(members.end(), {{"requests_at_least", number(forecast.requests)},
                                 {"round_trips_at_least", number(forecast.round_trips)},
                                 {"stored_bytes", number(forecast.stored_bytes)},
                                 {"index_bytes", number(forecast.index_bytes)},
                                 {"decoded_bytes", number(forecast.decoded_bytes)},
                                 {"used_share", JsonNode::MakeFloat(forecast.used_share())},
                                 {"advice", JsonNode::MakeArray(advice)}});
  out << JsonNode::MakeObject(members).Dump(JsonNode::Style::kV3) << "\n";
}

std::string FormatTouched(std::uint64_t touched, std::uint64_t stored) {
  return std::to_string(touched) + (touched == stored ? "" : ", of which " + std::to_string(stored) + " stored");
}

std::string FormatPercent(double share) {
  char text[32];
  std::snprintf(text, sizeof(text), share < 0.01 ? "%.2g" : "%.3g", 100 * share);
  return text;
}

std::string FormatBox(const Box& box) {
  std::string text;
  for (std::size_t i = 0; i < box.rank(); ++i) {
    text += (i > 0 ? "," : "") + std::to_string(box.origin[i]) + ":" + std::to_string(box.end(i));
  }
  return text.empty() ? "..." : text;
}

std::string FormatRequests(const ReadForecast& forecast) {
  if (forecast.requests == 0) return "none";
  return "at least " + std::to_string(forecast.requests) + ", in at least " + std::to_string(forecast.round_trips) +
         (forecast.round_trips == 1 ? " round trip" : " round trips");
}

void PrintText(const Array& array, const Box& region, const ReadForecast& forecast, std::ostream& out) {
  const bool is_sharded = array.inner_chunk_shape().has_value();
  out << "/" << array.path() << ", region " << FormatBox(region) << "\n"
      << (is_sharded ? "shards          " : "chunks          ")
      << FormatTouched(forecast.chunks, forecast.stored_chunks) << "\n";
  if (is_sharded) {
    out << "inner chunks    " << FormatTouched(forecast.inner_chunks, forecast.stored_inner_chunks) << "\n";
  }
  out << "requests        " << FormatRequests(forecast) << "\nbytes stored    " << forecast.stored_bytes;
  if (forecast.index_bytes > 0) out << ", and " << forecast.index_bytes << " of indices";
  out << "\nbytes decoded   ";
  if (forecast.decoded_bytes > 0 || forecast.decoded_values == 0) {
    out << forecast.decoded_bytes << "\n";
  } else {
    out << "unknown\n";
  }
  out << "values used     " << FormatPercent(forecast.used_share()) << " % of " << forecast.decoded_values
      << " decoded ones\n";
  for (const std::string& sentence : GiveAdvice(array, forecast)) out << sentence << "\n";
}

}  // namespace

int ExplainRead(const std::shared_ptr<Store>& store, const ExplainOptions& options, std::ostream& out) {
  const auto array = OpenNamedArray(*OpenDocumentsFirst(store), options.path);
  const Box region = options.window ? ParseWindow(*options.window, *array) : ParseRegion(options.region, *array);
  const ReadForecast forecast = ForecastRead(*array, region);
  (options.json ? PrintJson : PrintText)(*array, region, forecast, out);
  return kSuccess;
}

}  // namespace zarr::tools
