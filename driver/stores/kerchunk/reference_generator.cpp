// SPDX-License-Identifier: MIT
#include "driver/stores/kerchunk/reference_generator.h"

#include <charconv>
#include <utility>

#include "zarrlib/base/error.h"
#include "zarrlib/base/limits.h"

namespace gdal_zarr {
namespace {

constexpr std::int64_t kMaxBound = std::int64_t{1} << 60;
/// The cost of setting a variable, in steps of ReferenceTemplates::Render.
constexpr std::uint64_t kStepsPerVariable = 4;
constexpr std::size_t kCharactersPerStep = 16;
/// Maximum length of a dimension's name and of a value, which is also the limit for the result of a template.
constexpr std::size_t kMaxTextLength = 1 << 16;

/// Counts the integers from `start` up to but excluding `stop`, in steps of `step`.
std::uint64_t CountSteps(std::int64_t start, std::int64_t stop, std::int64_t step) {
  const std::int64_t distance = step > 0 ? stop - start : start - stop;
  const std::int64_t stride = step > 0 ? step : -step;
  return distance <= 0 ? 0 : static_cast<std::uint64_t>((distance - 1) / stride + 1);
}

void CheckLength(const zarr::JsonNode& place, const std::string& text) {
  if (text.size() <= kMaxTextLength) return;
  place.Fail(zarr::ErrorKind::kLimitExceeded,
             zarr::FormatExpectedGot("at most " + std::to_string(kMaxTextLength) + " characters of a dimension",
                                     std::to_string(text.size())));
}

ReferenceTemplates::Value ToValue(const zarr::JsonNode& item) {
  if (!item.IsString()) return item.AsInt64();
  CheckLength(item, item.AsString());
  return item.AsString();  // the node shares the document, which the generator keeps alive
}

}  // namespace

std::string RenderAt(const zarr::JsonNode& place, std::string_view text, const ReferenceTemplates& templates,
                     const ReferenceTemplates::Variables& variables, std::uint64_t* work) {
  try {
    return templates.Render(text, variables, work);
  } catch (const zarr::Error& error) {
    place.Fail(error.kind(), error.message());
  }
}

ReferenceGenerator::ReferenceGenerator(const zarr::JsonNode& item)
    : key_(item.At("key")), url_(item.At("url")), offset_(item.Find("offset")), length_(item.Find("length")) {
  key_.AsString();
  url_.AsString();
  if (offset_.has_value() != length_.has_value()) item.FailExpected("both \"offset\" and \"length\", or neither");
  for (const auto& integer : {offset_, length_}) {
    if (integer && !integer->IsInteger() && !integer->IsString()) integer->FailExpected("a string or an integer");
  }
  const zarr::JsonNode dimensions = item.At("dimensions");
  const std::uint64_t limit = zarr::GetLimit(zarr::Limit::kReferences);
  for (auto& [name, range] : dimensions.GetMembers()) {
    Dimension dimension = ParseDimension(name, range);
    if (dimension.count > 0 && count_ > limit / dimension.count) {
      dimensions.Fail(zarr::ErrorKind::kLimitExceeded,
                      zarr::FormatExpectedGot(zarr::FormatAtMost(zarr::Limit::kReferences, "combinations"), "more"));
    }
    count_ *= dimension.count;
    work_of_variables_ += kStepsPerVariable + dimension.name.size() / kCharactersPerStep;
    dimensions_.push_back(std::move(dimension));
  }
}

ReferenceGenerator::Dimension ReferenceGenerator::ParseDimension(std::string name, const zarr::JsonNode& range) {
  Dimension dimension;
  CheckLength(range, name);
  dimension.name = std::move(name);
  if (range.IsArray()) {
    for (const zarr::JsonNode& item : range.GetItems()) dimension.values.push_back(ToValue(item));
    dimension.count = dimension.values.size();
    return dimension;
  }
  if (const auto start = range.Find("start")) dimension.start = start->AsIntegerIn(-kMaxBound, kMaxBound);
  if (const auto step = range.Find("step")) dimension.step = step->AsIntegerIn(-kMaxBound, kMaxBound);
  const std::int64_t stop = range.At("stop").AsIntegerIn(-kMaxBound, kMaxBound);
  if (dimension.step == 0) range.FailExpected("a step other than 0");
  dimension.count = CountSteps(dimension.start, stop, dimension.step);
  return dimension;
}

ReferenceTemplates::Variables ReferenceGenerator::GetVariables(std::uint64_t combination) const {
  ReferenceTemplates::Variables variables;
  for (auto dimension = dimensions_.rbegin(); dimension != dimensions_.rend(); ++dimension) {
    const std::uint64_t index = combination % dimension->count;
    combination /= dimension->count;
    variables[dimension->name] = dimension->values.empty()
                                     ? dimension->start + static_cast<std::int64_t>(index) * dimension->step
                                     : dimension->values[index];
  }
  return variables;
}

std::uint64_t ReferenceGenerator::GetInteger(const zarr::JsonNode& text, const ReferenceTemplates& templates,
                                             const ReferenceTemplates::Variables& variables) const {
  if (text.IsInteger()) return text.AsUint64();
  const std::string rendered = RenderAt(text, text.AsString(), templates, variables);
  std::uint64_t value = 0;
  const auto [end, status] = std::from_chars(rendered.data(), rendered.data() + rendered.size(), value);
  if (rendered.empty() || status != std::errc() || end != rendered.data() + rendered.size()) {
    text.Fail(zarr::ErrorKind::kCorrupt, zarr::FormatExpectedGot("text that gives an integer of at least 0", rendered));
  }
  return value;
}

std::string ReferenceGenerator::MakeKey(std::uint64_t combination, const ReferenceTemplates& templates,
                                        std::uint64_t* work) const {
  *work += work_of_variables_;
  return RenderAt(key_, key_.AsString(), templates, GetVariables(combination), work);
}

Reference ReferenceGenerator::MakeReference(std::uint64_t combination, const ReferenceTemplates& templates) const {
  const ReferenceTemplates::Variables variables = GetVariables(combination);
  Reference reference;
  reference.url = RenderAt(url_, url_.AsString(), templates, variables);
  if (offset_) {
    reference.offset = GetInteger(*offset_, templates, variables);
    reference.length = GetInteger(*length_, templates, variables);
  }
  return reference;
}

}  // namespace gdal_zarr
