// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/types/type_forms.h"

namespace gdal_zarr {
namespace {

using zarr::DataType;

constexpr std::uint64_t kMaxComponents = 10'000;

struct Component {
  std::size_t source_offset = 0;
  std::size_t offset = 0;
  ElementForm form;
};

bool IsLeftOut(const zarr::Field& field) {
  return field.name.empty() || zarr::ComputeProduct(field.shape) == 0;
}

/// Counts components, including those of nested structs; returns nothing above the limit.
std::optional<std::uint64_t> CountComponents(const DataType& type) {
  std::uint64_t count = 0;
  for (const zarr::Field& field : type.fields) {
    const std::optional<std::uint64_t> elements = zarr::ComputeCheckedProduct(field.shape);
    const std::optional<std::uint64_t> each =
        field.type.kind == DataType::Kind::kStruct ? CountComponents(field.type) : 1;
    if (!elements || !each || *elements > kMaxComponents) return std::nullopt;
    if (IsLeftOut(field)) continue;
    count += *elements * std::max<std::uint64_t>(*each, 1);
    if (count > kMaxComponents) return std::nullopt;
  }
  return count;
}

std::size_t GetAlignment(const GDALExtendedDataType& type) {
  if (type.GetClass() == GEDTC_STRING) return alignof(char*);
  if (type.GetClass() == GEDTC_NUMERIC) {
    return GDALDataTypeIsComplex(type.GetNumericDataType()) ? type.GetSize() / 2 : type.GetSize();
  }
  std::size_t alignment = 1;
  for (const auto& component : type.GetComponents())
    alignment = std::max(alignment, GetAlignment(component->GetType()));
  return alignment;
}

std::size_t RoundUp(std::size_t value, std::size_t to) {
  return (value + to - 1) / to * to;
}

/// Lays out components one after the other, as C does.
class CompoundBuilder {
 public:
  void Add(const std::string& name, std::size_t source_offset, const ElementForm& form) {
    const std::size_t alignment = GetAlignment(form.type);
    const std::size_t offset = RoundUp(end_, alignment);
    components_.push_back(std::make_unique<GDALEDTComponent>(name, offset, form.type));
    parts_.push_back({source_offset, offset, form});
    end_ = offset + form.type.GetSize();
    alignment_ = std::max(alignment_, alignment);
  }

  ElementForm Build(const std::string& type_name) && {
    ElementForm form;
    form.type = GDALExtendedDataType::Create(type_name, RoundUp(end_, alignment_), std::move(components_));
    form.expand = [parts = parts_](const std::byte* source, std::byte* destination) {
      for (const Component& part : parts) {
        part.form.expand(source + part.source_offset, destination + part.offset);
      }
    };
    form.pack = [parts = std::move(parts_)](const std::byte* source, std::byte* destination) {
      for (const Component& part : parts) part.form.pack(source + part.offset, destination + part.source_offset);
    };
    return form;
  }

 private:
  std::vector<Component> parts_;
  std::vector<std::unique_ptr<GDALEDTComponent>> components_;
  std::size_t end_ = 0;
  std::size_t alignment_ = 1;
};

ElementForm MakeFieldForm(const zarr::Field& field) {
  const ElementForm element = MakeElementForm(field.type);
  if (field.shape.empty()) return element;
  CompoundBuilder builder;
  const std::uint64_t count = zarr::ComputeProduct(field.shape);
  for (std::uint64_t i = 0; i < count; ++i) {
    builder.Add(std::to_string(i), static_cast<std::size_t>(i) * field.type.size, element);
  }
  return std::move(builder).Build(field.name);
}

}  // namespace

/// GDAL has no type for opaque bytes, but a compound of as many bytes carries them unchanged.
ElementForm MakeRawForm(const DataType& type) {
  if (type.size == 0 || type.size > kMaxComponents) return MakeHexadecimalForm(type.size);
  ElementForm byte;
  byte.type = GDALExtendedDataType::Create(GDT_Byte);
  byte.expand = [](const std::byte* source, std::byte* destination) { *destination = *source; };
  byte.pack = byte.expand;
  CompoundBuilder builder;
  for (std::size_t i = 0; i < type.size; ++i) builder.Add(std::to_string(i), i, byte);
  ElementForm form = std::move(builder).Build(type.name);
  form.same_bytes = true;
  return form;
}

ElementForm MakeStructForm(const DataType& type) {
  if (CountComponents(type).value_or(0) == 0) return MakeRawForm(type);
  CompoundBuilder builder;
  for (const zarr::Field& field : type.fields) {
    if (!IsLeftOut(field)) builder.Add(field.name, field.offset, MakeFieldForm(field));
  }
  ElementForm form = std::move(builder).Build(type.name);
  // Components without a name are padding: they stay 0.
  form.pack = [pack = form.pack, size = type.size](const std::byte* source, std::byte* destination) {
    std::fill_n(destination, size, std::byte{0});
    pack(source, destination);
  };
  return form;
}

}  // namespace gdal_zarr
