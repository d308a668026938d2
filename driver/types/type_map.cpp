// SPDX-License-Identifier: MIT
#include "driver/types/type_map.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/gdal/text.h"
#include "driver/types/type_forms.h"

namespace gdal_zarr {
namespace {

using zarr::DataType;

class ElementConverter final : public zarr::RowConverter {
 public:
  ElementConverter(ElementForm from, const GDALExtendedDataType& to)
      : from_(std::move(from)), to_(to), direct_(from_.type == to) {}

  void ConvertRow(const std::byte* source, std::ptrdiff_t source_stride, std::byte* destination,
                  std::ptrdiff_t destination_stride, std::size_t count) const override {
    for (std::size_t i = 0; i < count; ++i) {
      if (direct_) {
        from_.expand(source, destination);
      } else {
        GdalElement element(from_.type);
        from_.expand(source, element.data());
        GDALExtendedDataType::CopyValue(element.data(), from_.type, destination, to_);
      }
      source += source_stride;
      destination += destination_stride;
    }
  }

 private:
  ElementForm from_;
  GDALExtendedDataType to_;
  bool direct_;
};

/// Packs elements that are not numbers, or that have members which are not.
class ElementPacker final : public zarr::RowConverter {
 public:
  ElementPacker(const GDALExtendedDataType& from, ElementForm to, DataType::Kind kind)
      : from_(from),
        to_(std::move(to)),
        direct_(to_.type == from),
        is_utf8_(kind == DataType::Kind::kString),
        is_bytes_(kind == DataType::Kind::kBytes) {}

  void ConvertRow(const std::byte* source, std::ptrdiff_t source_stride, std::byte* destination,
                  std::ptrdiff_t destination_stride, std::size_t count) const override {
    for (std::size_t i = 0; i < count; ++i) {
      to_.pack(direct_ && !MustRecode(source) ? source : MakeConverted(source), destination);
      if (is_bytes_) TakeBytes(destination);
      source += source_stride;
      destination += destination_stride;
    }
  }

 private:
  bool MustRecode(const std::byte* string) const {
    const auto* text = is_utf8_ ? Load<const char*>(string) : nullptr;
    return text && RecodeLatin1(text);
  }

  /// Converts one element to GDAL's form of the array's type. The result is kept, because packed strings are views into
  /// it.
  const std::byte* MakeConverted(const std::byte* source) const {
    auto element = std::make_unique<GdalElement>(to_.type);
    GDALExtendedDataType::CopyValue(source, from_, element->data(), to_.type);
    if (MustRecode(element->data())) {
      char* const text = Load<char*>(element->data());
      Put(element->data(), CopyToNewString(*RecodeLatin1(text)));
      VSIFree(text);
    }
    const std::lock_guard lock(mutex_);
    kept_.push_back(std::move(element));
    return kept_.back()->data();
  }

  /// Replaces a text by the bytes that it shows, if these are not text. They are kept, too.
  void TakeBytes(std::byte* packed) const {
    auto bytes = FindBytesOf(Load<std::string_view>(packed));
    if (!bytes) return;
    const std::lock_guard lock(mutex_);
    kept_bytes_.push_back(std::move(*bytes));
    Put(packed, std::string_view(kept_bytes_.back()));
  }

  GDALExtendedDataType from_;
  ElementForm to_;
  bool direct_;
  bool is_utf8_;  // a type of strings that have to be UTF-8
  bool is_bytes_;
  mutable std::mutex mutex_;
  mutable std::deque<std::string> kept_bytes_;
  mutable std::vector<std::unique_ptr<GdalElement>> kept_;
};

}  // namespace

char* CopyToNewString(std::string_view text) {
  auto* copy = static_cast<char*>(VSIMalloc(text.size() + 1));
  if (!copy) throw std::bad_alloc();
  text.copy(copy, text.size());  // unlike memcpy, this allows an empty view without data
  copy[text.size()] = '\0';
  return copy;
}

GdalElement::GdalElement(const GDALExtendedDataType& type) : type_(type) {
  bytes_.resize(type_.GetSize());
  std::fill(bytes_.begin(), bytes_.end(), std::byte{0});
}

GdalElement::~GdalElement() {
  if (type_.NeedsFreeDynamicMemory()) type_.FreeDynamicMemory(bytes_.data());
}

ElementForm MakeElementForm(const DataType& type) {
  const NumericForm number = MakeNumericForm(type);
  if (number.type == GDT_Unknown) {
    if (type.kind == DataType::Kind::kRaw) return MakeRawForm(type);
    return type.kind == DataType::Kind::kStruct ? MakeStructForm(type) : MakeStringForm(type);
  }
  ElementForm form;
  form.type = GDALExtendedDataType::Create(number.type);
  form.same_bytes = !number.widen;
  form.expand = number.widen;
  form.pack = [number](const std::byte* source, std::byte* destination) {
    number.narrow(number.small_float, source, destination);
  };
  if (!number.widen) {
    form.expand = [size = type.size](const std::byte* source, std::byte* destination) {
      std::memcpy(destination, source, size);
    };
    form.pack = form.expand;
  }
  return form;
}

ElementClass FindElementClass(const DataType& type) {
  const GDALDataType number = MakeNumericForm(type).type;
  if (number != GDT_Unknown) return {GEDTC_NUMERIC, number};
  return {IsCompound(type) ? GEDTC_COMPOUND : GEDTC_STRING};
}

std::unique_ptr<zarr::RowConverter> MakeRowConverter(const DataType& from, const GDALExtendedDataType& to) {
  const NumericForm number = MakeNumericForm(from);
  if (number.type != GDT_Unknown && to.GetClass() == GEDTC_NUMERIC) {
    if (!number.widen && number.type == to.GetNumericDataType()) return nullptr;
    return MakeNumberConverter(number, to.GetNumericDataType());
  }
  ElementForm form = MakeElementForm(from);
  if (form.same_bytes && form.type == to) return nullptr;
  return std::make_unique<ElementConverter>(std::move(form), to);
}

std::unique_ptr<zarr::RowConverter> MakeWriteConverter(const GDALExtendedDataType& from, const DataType& to) {
  const NumericForm number = MakeNumericForm(to);
  if (number.type != GDT_Unknown && from.GetClass() == GEDTC_NUMERIC) {
    if (!number.widen && number.type == from.GetNumericDataType()) return nullptr;
    return MakeNumberPacker(from.GetNumericDataType(), number);
  }
  ElementForm form = MakeElementForm(to);
  if (form.same_bytes && form.type == from) return nullptr;
  return std::make_unique<ElementPacker>(from, std::move(form), to.kind);
}

}  // namespace gdal_zarr
