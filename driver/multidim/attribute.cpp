// SPDX-License-Identifier: MIT
#include "driver/multidim/attribute.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "driver/gdal/gdal_error.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

bool AreAll(const std::vector<JsonNode>& items, bool (JsonNode::*test)() const) {
  return std::all_of(items.begin(), items.end(), [test](const JsonNode& item) { return (item.*test)(); });
}

template <typename T>
bool FitAll(const std::vector<JsonNode>& items) {
  return std::all_of(items.begin(), items.end(), [](const JsonNode& item) {
    if (item.type() == JsonNode::Type::kUnsigned) return std::in_range<T>(item.AsUint64());
    return std::in_range<T>(item.AsInt64());
  });
}

/// Returns true if a number in a mixed list can be converted to Float64 without loss.
bool FitDouble(const JsonNode& item) {
  constexpr std::uint64_t kExact = std::uint64_t{1} << 53;
  if (!item.IsInteger()) return true;
  if (item.type() == JsonNode::Type::kUnsigned) return item.AsUint64() <= kExact;
  return item.AsInt64() <= static_cast<std::int64_t>(kExact) && item.AsInt64() >= -static_cast<std::int64_t>(kExact);
}

std::shared_ptr<Attribute> MakeLive(const std::string& parent_full_name, const std::string& name, const JsonNode& value,
                                    const AttributeHome& home) {
  auto attribute = std::make_shared<Attribute>(parent_full_name, name, value, home);
  if (home.resource) home.resource->edits().live_objects.Add(attribute);
  return attribute;
}

}  // namespace

AttributeValues Attribute::ReadValues(const std::vector<JsonNode>& items) {
  const auto make = [&items]<typename T>(T, auto&& get) {
    std::vector<T> values;
    for (const JsonNode& item : items) values.push_back(get(item));
    return AttributeValues(std::move(values));
  };
  if (items.empty()) return std::vector<std::string>();
  if (AreAll(items, &JsonNode::IsString)) return make(std::string(), [](const JsonNode& i) { return i.AsString(); });
  if (AreAll(items, &JsonNode::IsInteger)) {
    if (FitAll<std::int32_t>(items)) {
      return make(std::int32_t{}, [](const JsonNode& i) { return static_cast<std::int32_t>(i.AsInt64()); });
    }
    if (FitAll<std::int64_t>(items)) return make(std::int64_t{}, [](const JsonNode& i) { return i.AsInt64(); });
    if (FitAll<std::uint64_t>(items)) return make(std::uint64_t{}, [](const JsonNode& i) { return i.AsUint64(); });
  }
  if (AreAll(items, &JsonNode::IsNumber) && std::all_of(items.begin(), items.end(), FitDouble)) {
    return make(double{}, [](const JsonNode& i) { return i.AsDouble(); });
  }
  return std::vector<std::string>();
}

Attribute::Attribute(const std::string& parent_full_name, const std::string& name, const JsonNode& value,
                     AttributeHome home)
    : GDALAbstractMDArray(parent_full_name, name),
      GDALAttribute(parent_full_name, name),
      LiveObject(home.node),
      home_(std::move(home)) {
  values_ = ReadValues(value.IsArray() ? value.GetItems() : std::vector<JsonNode>{value});
  std::visit(
      [&](auto& values) {
        using T = typename std::decay_t<decltype(values)>::value_type;
        type_ = GetTypeOf<T>();
        if constexpr (std::is_same_v<T, std::string>) {
          if (values.empty()) {
            values.push_back(value.IsNull() ? "" : value.Dump());
            type_ = GDALExtendedDataType::CreateString(0, GEDTST_JSON);
            return;
          }
        }
        if (value.IsArray()) AddDimension(values.size());
      },
      values_);
}

void Attribute::AddDimension(std::uint64_t size) {
  const std::string name = "dim" + std::to_string(dimensions_.size());
  dimensions_.push_back(std::make_shared<GDALDimension>(std::string(), name, std::string(), std::string(), size));
}

bool Attribute::IRead(const GUInt64* start, const size_t* count, const GInt64* step, const GPtrDiff_t* stride,
                      const GDALExtendedDataType& buffer_type, void* buffer) const {
  return Guard(false, [&] {
    CheckNotDeleted(GetFullName());
    bool ok = true;
    VisitElements(dimensions_, start, count, step, stride, [&](std::size_t index, GPtrDiff_t place) {
      auto* destination = static_cast<std::byte*>(buffer) + place * static_cast<GPtrDiff_t>(buffer_type.GetSize());
      std::visit(
          [&](const auto& values) {
            using T = typename std::decay_t<decltype(values)>::value_type;
            if constexpr (std::is_same_v<T, std::string>) {
              const char* text = values[index].c_str();
              ok = GDALExtendedDataType::CopyValue(&text, type_, destination, buffer_type) && ok;
            } else {
              ok = GDALExtendedDataType::CopyValue(&values[index], GetTypeOf<T>(), destination, buffer_type) && ok;
            }
          },
          values_);
    });
    return ok;
  });
}

std::shared_ptr<GDALAttribute> MakeAttribute(const std::string& parent_full_name, const std::string& name,
                                             const std::optional<JsonNode>& value, const AttributeHome& home) {
  return value ? MakeLive(parent_full_name, name, *value, home) : nullptr;
}

std::vector<std::shared_ptr<GDALAttribute>> MakeAttributes(
    const std::string& parent_full_name, const JsonNode& attributes,
    const std::function<bool(const std::string&, const JsonNode&)>& hidden, const AttributeHome& home) {
  std::vector<std::shared_ptr<GDALAttribute>> result;
  if (!attributes.IsObject()) return result;
  for (const auto& [name, value] : attributes.GetMembers()) {
    if (!hidden(name, value)) result.push_back(MakeLive(parent_full_name, name, value, home));
  }
  return result;
}

bool IsNczarrAttribute(std::string_view name) {
  return name.starts_with("_nczarr_") || name.starts_with("_NCZARR_");
}

std::string GetAttributeText(const GDALAttribute& attribute) {
  if (attribute.GetDimensionCount() == 0) {
    const char* text = attribute.ReadAsString();
    return text ? text : "";
  }
  const CPLStringList items = attribute.ReadAsStringArray();
  std::string text = "{";
  for (int i = 0; i < items.size(); ++i) text += (i > 0 ? "," : "") + std::string(items[i]);
  return text + "}";
}

}  // namespace gdal_zarr
