// SPDX-License-Identifier: MIT
// The CF attributes that refer to other variables, and the values of coordinates.
#include <algorithm>
#include <cstring>
#include <sstream>

#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/tools/check/conventions/conventions.h"

namespace zarr::tools {
namespace {

std::vector<std::string> SplitWords(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// Returns the names of the variables in "crs", or in "crs: x y other: lat lon".
std::vector<std::string> ListGridMappings(const std::string& text) {
  std::vector<std::string> names = SplitWords(text);
  if (text.find(':') == std::string::npos) return names;
  std::erase_if(names, [](const std::string& word) { return !word.ends_with(':'); });
  for (std::string& name : names) name.pop_back();
  return names;
}

bool HasCrs(const Array& variable) {
  const JsonNode& attributes = variable.metadata().attributes;
  if (!attributes.IsObject()) return false;
  return attributes.Has("grid_mapping_name") || attributes.Has("crs_wkt") || attributes.Has("spatial_ref");
}

/// Returns an attribute that is a string; adds a finding if it is something else.
std::optional<JsonNode> FindText(const ConventionNode& node, const char* name, const Rule& rule) {
  auto attribute = node.Find(name);
  if (!attribute || attribute->IsString()) return attribute;
  node.Report(rule, *attribute, FormatExpectedGot("the name of a variable", attribute->GetExcerpt()));
  return std::nullopt;
}

void CheckGridMapping(const ConventionNode& node) {
  const Rule& rule = ConventionRule("cf-grid-mapping");
  const auto attribute = FindText(node, "grid_mapping", rule);
  if (!attribute) return;
  for (const std::string& name : ListGridMappings(attribute->AsString())) {
    const auto variable = node.FindVariable(name);
    if (!variable) {
      node.Report(rule, *attribute, "there is no variable " + name);
    } else if (!HasCrs(*variable)) {
      node.Report(rule, *attribute, "the variable " + name + " has neither grid_mapping_name nor crs_wkt");
    }
  }
}

void CheckBounds(const ConventionNode& node) {
  const Rule& rule = ConventionRule("cf-bounds");
  const auto attribute = FindText(node, "bounds", rule);
  if (!attribute) return;
  const auto bounds = node.FindVariable(attribute->AsString());
  if (!bounds) return node.Report(rule, *attribute, "there is no variable " + attribute->AsString());
  const Shape& shape = node.array->shape();
  const bool fits = bounds->rank() == shape.size() + 1 && bounds->shape()[shape.size()] >= 2 &&
                    std::equal(shape.begin(), shape.end(), bounds->shape().begin());
  if (fits) return;
  node.Report(rule, *attribute,
              "expected the shape of this array, with at least 2 vertices along one more dimension, got " +
                  ToString(bounds->shape()) + " for " + ToString(shape));
}

void CheckCoordinates(const ConventionNode& node) {
  const Rule& rule = ConventionRule("cf-coordinates");
  const auto attribute = FindText(node, "coordinates", rule);
  if (!attribute) return;
  for (const std::string& name : SplitWords(attribute->AsString())) {
    if (!node.FindVariable(name)) node.Report(rule, *attribute, "there is no variable " + name);
  }
}

// --- values ------------------------------------------------------------------------------------------------------

/// Returns the index of the first element that breaks the order of the elements before it; nullopt if there is none.
/// NaN breaks the order.
template <typename Number>
std::optional<std::size_t> FindDisorder(const Bytes& bytes) {
  const std::size_t count = bytes.size() / sizeof(Number);
  const auto at = [&](std::size_t i) {
    Number number;
    std::memcpy(&number, bytes.data() + i * sizeof(number), sizeof(number));
    return number;
  };
  for (std::size_t i = 1; i < count; ++i) {
    const bool in_order = at(0) < at(1) ? at(i - 1) < at(i) : at(i - 1) > at(i);
    if (!in_order) return i;
  }
  return std::nullopt;
}

using Finder = std::optional<std::size_t> (*)(const Bytes&);

/// Returns a function for numbers of the type; null if they are not ordered, or if the type is not used for
/// coordinates.
Finder ChooseFinder(const DataType& type) {
  using Kind = DataType::Kind;
  const auto choose = [&](Finder one, Finder two, Finder four, Finder eight) {
    return type.size == 1 ? one : type.size == 2 ? two : type.size == 4 ? four : type.size == 8 ? eight : nullptr;
  };
  switch (type.kind) {
    case Kind::kInt:
    case Kind::kDatetime64:
    case Kind::kTimedelta64:
      return choose(FindDisorder<std::int8_t>, FindDisorder<std::int16_t>, FindDisorder<std::int32_t>,
                    FindDisorder<std::int64_t>);
    case Kind::kUint:
      return choose(FindDisorder<std::uint8_t>, FindDisorder<std::uint16_t>, FindDisorder<std::uint32_t>,
                    FindDisorder<std::uint64_t>);
    case Kind::kFloat:
      return choose(nullptr, nullptr, FindDisorder<float>, FindDisorder<double>);
    default:
      return nullptr;
  }
}

/// Checks the values of the one-dimensional array with the name of its dimension.
void CheckOrder(const ConventionNode& node) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 24;
  const Array& array = *node.array;
  const auto& names = array.metadata().dimension_names;
  if (names.size() != 1 || !names[0] || *names[0] != NodeName(node.path)) return;
  const Finder find = ChooseFinder(array.data_type());
  if (find == nullptr || array.unsupported() || array.data_type().optional_depth > 0 || array.shape()[0] > kMost)
    return;
  Bytes values(static_cast<std::size_t>(array.shape()[0]) * array.data_type().size);
  try {
    ReadOptions options;
    options.use_cache = false;
    array.Read(Selection::FromBox({{0}, array.shape()}),
               {values.data(), GetContiguousStrides(array.shape(), array.data_type().size), nullptr}, options);
  } catch (const Error&) {
    return;  // a chunk that cannot be decoded is a separate finding
  }
  if (const auto index = find(values)) {
    node.findings.Add(ConventionRule("cf-coordinate-order"), node.path,
                      "the value number " + std::to_string(*index) + " does not follow the order of those before it");
  }
}

}  // namespace

void CheckCfVariables(const ConventionNode& node) {
  CheckGridMapping(node);
  CheckBounds(node);
  CheckCoordinates(node);
  CheckOrder(node);
}

void CheckDimensionNames(const ConventionNode& node) {
  const std::size_t rank = node.array->rank();
  const auto& names = node.array->metadata().dimension_names;
  const auto list = node.Find(kXarrayDimensions);
  if (list) {
    const bool is_list = list->IsArray() && list->size() == rank;
    const auto items = is_list ? list->GetItems() : std::vector<JsonNode>();
    const bool is_text = std::ranges::all_of(items, [](const JsonNode& item) { return item.IsString(); });
    bool is_same = is_list && is_text;
    for (std::size_t i = 0; is_same && i < names.size(); ++i) is_same = !names[i] || *names[i] == items[i].AsString();
    if (is_same) return;
    return node.Report(ConventionRule("xarray-dimensions"), *list,
                       is_list && is_text ? "the names differ from dimension_names"
                                          : FormatExpectedGot(std::to_string(rank) + " names", list->GetExcerpt()));
  }
  const bool has_all =
      names.size() == rank && std::ranges::all_of(names, [](const auto& name) { return name && !name->empty(); });
  if (rank > 0 && !has_all) {
    node.findings.Add(ConventionRule("dimensions-unnamed"), node.path,
                      "not all dimensions have names, by which readers find their coordinates");
  }
}

}  // namespace zarr::tools
