// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/types/type_forms.h"

namespace gdal_zarr {
namespace {

using zarr::DataType;

constexpr std::uint64_t kMaxComponents = 10'000;
constexpr std::size_t kMaxDepth = 32;

using Convert = std::function<void(const std::byte* source, std::byte* destination)>;

/// A component of a compound: its offsets in zarrlib's memory and in GDAL's, and how it is converted.
struct Component {
  std::size_t source_offset = 0;
  std::size_t offset = 0;
  Convert expand;
  Convert pack;
};

bool IsLeftOut(const zarr::Field& field) {
  return field.name.empty() || zarr::ComputeProduct(field.shape) == 0;
}

bool IsCompoundOfBytes(std::size_t size) {
  return size > 0 && size <= kMaxComponents;
}

std::optional<std::uint64_t> CountComponents(const DataType& type, std::size_t depth = 1);

/// Counts the components inside a component of this type.
std::optional<std::uint64_t> CountWithin(const DataType& type, std::size_t depth) {
  const bool is_struct = type.kind == DataType::Kind::kStruct;
  if (!is_struct && type.kind != DataType::Kind::kRaw) return 0;
  const auto count = is_struct ? CountComponents(type, depth + 1) : 0;
  return count == 0 && IsCompoundOfBytes(type.size) ? type.size : count;
}

/// Counts components, including nested ones. Returns nullopt above the limits of their number and depth.
std::optional<std::uint64_t> CountComponents(const DataType& type, std::size_t depth) {
  if (depth > kMaxDepth) return std::nullopt;
  std::uint64_t count = 0;
  for (const zarr::Field& field : type.fields) {
    const std::optional<std::uint64_t> elements = zarr::ComputeCheckedProduct(field.shape);
    const std::optional<std::uint64_t> within = CountWithin(field.type, depth);
    if (!elements || !within || *elements > kMaxComponents) return std::nullopt;
    if (IsLeftOut(field)) continue;
    count += *elements * (*within + 1);
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

void AddToHash(const std::string& text, std::uint64_t* hash) {
  for (const char letter : text + '/') *hash = (*hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3U;  // FNV-1a
}

/// Creates a compound. Other formats identify a type by its name: netCDF gives an array the type that already has the
/// name in the file, and accepts few punctuation marks. So equal components have the same name, and others another.
GDALExtendedDataType CreateCompound(std::size_t size, std::vector<std::unique_ptr<GDALEDTComponent>> components) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  AddToHash(std::to_string(size), &hash);
  for (const auto& component : components) {
    const GDALExtendedDataType& type = component->GetType();
    const bool is_number = type.GetClass() == GEDTC_NUMERIC;
    AddToHash(component->GetName(), &hash);
    AddToHash(std::to_string(component->GetOffset()), &hash);
    AddToHash(is_number ? GDALGetDataTypeName(type.GetNumericDataType()) : type.GetName(), &hash);
  }
  return GDALExtendedDataType::Create("struct_" + std::to_string(hash), size, std::move(components));
}

/// Lays out components consecutively, like C.
class CompoundBuilder {
 public:
  void Add(const std::string& name, std::size_t source_offset, const ElementForm& form) {
    const std::size_t alignment = GetAlignment(form.type);
    const std::size_t offset = RoundUp(end_, alignment);
    components_.push_back(std::make_unique<GDALEDTComponent>(name, offset, form.type));
    parts_.push_back({source_offset, offset, form.expand, form.pack});
    end_ = offset + form.type.GetSize();
    alignment_ = std::max(alignment_, alignment);
  }

  ElementForm Build() && {
    ElementForm form;
    form.type = CreateCompound(RoundUp(end_, alignment_), std::move(components_));
    // Both functions share the parts: otherwise nested types would double them at each level.
    const auto parts = std::make_shared<const std::vector<Component>>(std::move(parts_));
    form.expand = [parts](const std::byte* source, std::byte* destination) {
      for (const Component& part : *parts) part.expand(source + part.source_offset, destination + part.offset);
    };
    form.pack = [parts](const std::byte* source, std::byte* destination) {
      for (const Component& part : *parts) part.pack(source + part.offset, destination + part.source_offset);
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
  ElementForm element = MakeElementForm(field.type);
  // Copies of structs need a length. A character takes at most 4 bytes in UTF-8 too.
  if (field.type.kind == DataType::Kind::kFixedUtf32)
    element.type = GDALExtendedDataType::CreateString(field.type.size);
  if (field.shape.empty()) return element;
  CompoundBuilder builder;
  const std::uint64_t count = zarr::ComputeProduct(field.shape);
  for (std::uint64_t i = 0; i < count; ++i) {
    builder.Add(std::to_string(i), static_cast<std::size_t>(i) * field.type.size, element);
  }
  return std::move(builder).Build();
}

}  // namespace

/// GDAL does not have a type for opaque bytes, but a compound of the same number of bytes carries them unchanged.
ElementForm MakeRawForm(const DataType& type) {
  if (!IsCompoundOfBytes(type.size)) return MakeHexadecimalForm(type.size);
  const GDALExtendedDataType byte = GDALExtendedDataType::Create(GDT_Byte);
  std::vector<std::unique_ptr<GDALEDTComponent>> bytes;
  for (std::size_t i = 0; i < type.size; ++i) {
    bytes.push_back(std::make_unique<GDALEDTComponent>(std::to_string(i), i, byte));
  }
  ElementForm form;
  form.type = GDALExtendedDataType::Create("bytes_" + std::to_string(type.size), type.size, std::move(bytes));
  form.same_bytes = true;
  form.expand = [size = type.size](const std::byte* source, std::byte* destination) {
    std::memcpy(destination, source, size);
  };
  form.pack = form.expand;
  return form;
}

ElementForm MakeStructForm(const DataType& type) {
  if (CountComponents(type).value_or(0) == 0) return MakeRawForm(type);
  CompoundBuilder builder;
  for (const zarr::Field& field : type.fields) {
    if (!IsLeftOut(field)) builder.Add(field.name, field.offset, MakeFieldForm(field));
  }
  ElementForm form = std::move(builder).Build();
  // Components without a name are padding: they stay 0.
  form.pack = [pack = form.pack, size = type.size](const std::byte* source, std::byte* destination) {
    std::fill_n(destination, size, std::byte{0});
    pack(source, destination);
  };
  return form;
}

bool IsCompound(const DataType& type) {
  const bool has_components = type.kind == DataType::Kind::kStruct && CountComponents(type).value_or(0) > 0;
  const bool is_opaque = type.kind == DataType::Kind::kStruct || type.kind == DataType::Kind::kRaw;
  return has_components || (is_opaque && IsCompoundOfBytes(type.size));
}

std::shared_ptr<const ElementForm> ShareElementForm(const DataType& type) {
  if (type.kind != DataType::Kind::kRaw) return std::make_shared<const ElementForm>(MakeElementForm(type));
  static std::mutex& mutex = *new std::mutex;  // GDAL objects may outlive static ones
  static auto& known = *new std::map<std::size_t, std::weak_ptr<const ElementForm>>;
  auto made = [&] {
    const std::lock_guard lock(mutex);
    const auto found = known.find(type.size);
    return found == known.end() ? nullptr : found->second.lock();
  }();
  if (made) return made;
  auto form = std::make_shared<const ElementForm>(MakeRawForm(type));
  const std::lock_guard lock(mutex);
  std::erase_if(known, [](const auto& entry) { return entry.second.expired(); });
  known[type.size] = form;
  return form;
}

}  // namespace gdal_zarr
