#include "driver/type_map.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zarrlib/base/float16.h"
#include "zarrlib/base/small_float.h"

namespace gdal_zarr {
namespace {

using zarr::DataType;

constexpr std::uint64_t kMaxComponents = 10'000;

// --- numbers ----------------------------------------------------------------------------------------------------

/// Writes one number, in a wider form, to `destination`.
using Widen = void (*)(const std::byte* source, std::byte* destination);

/// How a number looks in GDAL: as it is in zarrlib's memory, or widened.
struct NumericForm {
  GDALDataType type = GDT_Unknown;
  Widen widen = nullptr;
};

template <typename T>
T Load(const std::byte* source) {
  T value;
  std::memcpy(&value, source, sizeof(T));
  return value;
}

template <typename T>
void Store(std::byte* destination, T value) {
  std::memcpy(destination, &value, sizeof(T));
}

void WidenBool(const std::byte* source, std::byte* destination) {
  Store<std::uint8_t>(destination, Load<std::uint8_t>(source) != 0);
}

void WidenInt8(const std::byte* source, std::byte* destination) {
  Store<std::int16_t>(destination, Load<std::int8_t>(source));
}

void WidenHalf(const std::byte* source, std::byte* destination) {
  Store(destination, zarr::HalfToFloat(Load<std::uint16_t>(source)));
}

void WidenComplexHalf(const std::byte* source, std::byte* destination) {
  WidenHalf(source, destination);
  WidenHalf(source + 2, destination + sizeof(float));
}

void WidenBfloat16(const std::byte* source, std::byte* destination) {
  Store(destination, zarr::Bfloat16ToFloat(Load<std::uint16_t>(source)));
}

template <std::size_t kFormat>
void WidenSmallFloat(const std::byte* source, std::byte* destination) {
  static const auto kTable = [] {
    std::array<float, 256> table;
    for (unsigned bits = 0; bits < table.size(); ++bits) {
      table[bits] = zarr::DecodeSmallFloat(zarr::kSmallFloats[kFormat], static_cast<std::uint8_t>(bits));
    }
    return table;
  }();
  Store(destination, kTable[std::to_integer<std::size_t>(*source)]);
}

template <std::size_t... kFormats>
Widen SmallFloatWidener(std::string_view name, std::index_sequence<kFormats...>) {
  Widen widen = nullptr;
  ((zarr::kSmallFloats[kFormats].name == name ? void(widen = WidenSmallFloat<kFormats>) : void()), ...);
  return widen;
}

NumericForm IntegerForm(std::size_t size, bool is_signed) {
  switch (size) {
    case 1:
      if (!is_signed) return {GDT_Byte};
      return kHasInt8 ? NumericForm{kInt8Type} : NumericForm{GDT_Int16, WidenInt8};
    case 2:
      return {is_signed ? GDT_Int16 : GDT_UInt16};
    case 4:
      return {is_signed ? GDT_Int32 : GDT_UInt32};
    case 8:
      return {is_signed ? GDT_Int64 : GDT_UInt64};
  }
  return {};
}

NumericForm FloatForm(std::size_t size) {
  switch (size) {
    case 2:
      return kHasFloat16 ? NumericForm{kFloat16Type} : NumericForm{GDT_Float32, WidenHalf};
    case 4:
      return {GDT_Float32};
    case 8:
      return {GDT_Float64};
  }
  return {};
}

NumericForm ComplexForm(std::size_t size) {
  switch (size) {
    case 4:
      return kHasFloat16 ? NumericForm{kComplexFloat16Type} : NumericForm{GDT_CFloat32, WidenComplexHalf};
    case 8:
      return {GDT_CFloat32};
    case 16:
      return {GDT_CFloat64};
  }
  return {};
}

/// Of type GDT_Unknown for what is no number.
NumericForm NumericFormOf(const DataType& type) {
  switch (type.kind) {
    case DataType::Kind::kBool:
      return {GDT_Byte, WidenBool};
    case DataType::Kind::kInt:
      return IntegerForm(type.size, true);
    case DataType::Kind::kUint:
      return IntegerForm(type.size, false);
    case DataType::Kind::kFloat:
      return FloatForm(type.size);
    case DataType::Kind::kBfloat16:
      return {GDT_Float32, WidenBfloat16};
    case DataType::Kind::kSmallFloat:
      return {GDT_Float32,
              SmallFloatWidener(type.name, std::make_index_sequence<zarr::kSmallFloats.size()>())};
    case DataType::Kind::kComplex:
      return ComplexForm(type.size);
    case DataType::Kind::kDatetime64:
    case DataType::Kind::kTimedelta64:
      return {GDT_Int64};
    default:
      return {};
  }
}

std::size_t SizeOf(GDALDataType type) {
  return static_cast<std::size_t>(GDALGetDataTypeSizeBytes(type));
}

/// GDALCopyWords64, which takes strides of 32 bits, for any strides.
void CopyNumbers(const std::byte* source, GDALDataType source_type, std::ptrdiff_t source_stride,
                 std::byte* destination, GDALDataType destination_type, std::ptrdiff_t destination_stride,
                 std::size_t count) {
  const auto fits = [](std::ptrdiff_t stride) { return stride >= INT_MIN && stride <= INT_MAX; };
  if (fits(source_stride) && fits(destination_stride)) {
    GDALCopyWords64(source, source_type, static_cast<int>(source_stride), destination, destination_type,
                    static_cast<int>(destination_stride), static_cast<GPtrDiff_t>(count));
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    GDALCopyWords64(source, source_type, 0, destination, destination_type, 0, 1);
    source += source_stride;
    destination += destination_stride;
  }
}

class NumberConverter final : public zarr::RowConverter {
 public:
  NumberConverter(NumericForm from, GDALDataType to) : from_(from), to_(to) {}

  void ConvertRow(const std::byte* source, std::ptrdiff_t source_stride, std::byte* destination,
                  std::ptrdiff_t destination_stride, std::size_t count) const override {
    if (!from_.widen) {
      CopyNumbers(source, from_.type, source_stride, destination, to_, destination_stride, count);
      return;
    }
    const std::size_t size = SizeOf(from_.type);
    alignas(16) std::array<std::byte, 4096> wide;
    while (count > 0) {
      const std::size_t piece = std::min(count, wide.size() / size);
      for (std::size_t i = 0; i < piece; ++i) {
        from_.widen(source, wide.data() + i * size);
        source += source_stride;
      }
      CopyNumbers(wide.data(), from_.type, static_cast<std::ptrdiff_t>(size), destination, to_, destination_stride,
                  piece);
      destination += destination_stride * static_cast<std::ptrdiff_t>(piece);
      count -= piece;
    }
  }

 private:
  NumericForm from_;
  GDALDataType to_;
};

// --- strings ----------------------------------------------------------------------------------------------------

void StoreString(std::byte* destination, std::string_view text) {
  Store(destination, NewString(text));
}

void AppendUtf8(std::uint32_t c, std::string* text) {
  if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) c = 0xFFFD;  // what is no character
  const auto put = [text](std::uint32_t byte) { text->push_back(static_cast<char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6));
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3F));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

std::string FromUtf32(const std::byte* source, std::size_t characters) {
  std::string text;
  for (std::size_t i = 0; i < characters; ++i) {
    const auto c = Load<std::uint32_t>(source + i * 4);
    if (c == 0) break;
    AppendUtf8(c, &text);
  }
  return text;
}

std::string Hexadecimal(std::string_view bytes) {
  static constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

bool IsText(std::string_view bytes) {
  return bytes.find('\0') == std::string_view::npos &&
         (bytes.empty() || (bytes.size() <= INT_MAX && CPLIsUTF8(bytes.data(), static_cast<int>(bytes.size()))));
}

std::string_view View(const std::byte* source, std::size_t size) {
  return {reinterpret_cast<const char*>(source), size};
}

ElementForm HexadecimalForm(std::size_t size) {
  ElementForm form;
  form.type = GDALExtendedDataType::CreateString(size * 2);
  form.expand = [size](const std::byte* source, std::byte* destination) {
    StoreString(destination, Hexadecimal(View(source, size)));
  };
  return form;
}

ElementForm StringForm(const DataType& type) {
  ElementForm form;
  const std::size_t size = type.size;
  switch (type.kind) {
    case DataType::Kind::kFixedBytes:
      form.type = GDALExtendedDataType::CreateString(size);
      form.expand = [size](const std::byte* source, std::byte* destination) {
        const std::string_view padded = View(source, size);
        StoreString(destination, padded.substr(0, padded.find('\0')));
      };
      break;
    case DataType::Kind::kFixedUtf32:
      form.type = GDALExtendedDataType::CreateString(size);  // a character takes at most 4 bytes in UTF-8 too
      form.expand = [size](const std::byte* source, std::byte* destination) {
        StoreString(destination, FromUtf32(source, size / 4));
      };
      break;
    case DataType::Kind::kBytes:
      form.expand = [](const std::byte* source, std::byte* destination) {
        const auto bytes = Load<std::string_view>(source);
        StoreString(destination, IsText(bytes) ? std::string(bytes) : "0x" + Hexadecimal(bytes));
      };
      break;
    case DataType::Kind::kString:
      form.expand = [](const std::byte* source, std::byte* destination) {
        const auto text = Load<std::string_view>(source);
        StoreString(destination, text.substr(0, text.find('\0')));
      };
      break;
    default:  // unknown: reading fails before there is an element
      form.expand = [](const std::byte*, std::byte* destination) { Store<char*>(destination, nullptr); };
      break;
  }
  return form;
}

// --- structs ----------------------------------------------------------------------------------------------------

struct Component {
  std::size_t source_offset = 0;
  std::size_t offset = 0;
  ElementForm form;
};

bool IsLeftOut(const zarr::Field& field) {
  return field.name.empty() || zarr::Product(field.shape) == 0;
}

/// Components, those of nested structs included; nothing beyond the limit.
std::optional<std::uint64_t> ComponentCount(const DataType& type) {
  std::uint64_t count = 0;
  for (const zarr::Field& field : type.fields) {
    const std::optional<std::uint64_t> elements = zarr::CheckedProduct(field.shape);
    const std::optional<std::uint64_t> each =
        field.type.kind == DataType::Kind::kStruct ? ComponentCount(field.type) : 1;
    if (!elements || !each || *elements > kMaxComponents) return std::nullopt;
    if (IsLeftOut(field)) continue;
    count += *elements * std::max<std::uint64_t>(*each, 1);
    if (count > kMaxComponents) return std::nullopt;
  }
  return count;
}

std::size_t AlignmentOf(const GDALExtendedDataType& type) {
  if (type.GetClass() == GEDTC_STRING) return alignof(char*);
  if (type.GetClass() == GEDTC_NUMERIC) {
    return GDALDataTypeIsComplex(type.GetNumericDataType()) ? type.GetSize() / 2 : type.GetSize();
  }
  std::size_t alignment = 1;
  for (const auto& component : type.GetComponents()) alignment = std::max(alignment, AlignmentOf(component->GetType()));
  return alignment;
}

std::size_t RoundUp(std::size_t value, std::size_t to) {
  return (value + to - 1) / to * to;
}

/// Puts components one behind the other, laid out as C does.
class CompoundBuilder {
 public:
  void Add(const std::string& name, std::size_t source_offset, const ElementForm& form) {
    const std::size_t alignment = AlignmentOf(form.type);
    const std::size_t offset = RoundUp(end_, alignment);
    components_.push_back(std::make_unique<GDALEDTComponent>(name, offset, form.type));
    parts_.push_back({source_offset, offset, form});
    end_ = offset + form.type.GetSize();
    alignment_ = std::max(alignment_, alignment);
  }

  ElementForm Build(const std::string& type_name) && {
    ElementForm form;
    form.type = GDALExtendedDataType::Create(type_name, RoundUp(end_, alignment_), std::move(components_));
    form.expand = [parts = std::move(parts_)](const std::byte* source, std::byte* destination) {
      for (const Component& part : parts) {
        part.form.expand(source + part.source_offset, destination + part.offset);
      }
    };
    return form;
  }

 private:
  std::vector<Component> parts_;
  std::vector<std::unique_ptr<GDALEDTComponent>> components_;
  std::size_t end_ = 0;
  std::size_t alignment_ = 1;
};

ElementForm FieldForm(const zarr::Field& field) {
  const ElementForm element = ElementFormOf(field.type);
  if (field.shape.empty()) return element;
  CompoundBuilder builder;
  const std::uint64_t count = zarr::Product(field.shape);
  for (std::uint64_t i = 0; i < count; ++i) {
    builder.Add(std::to_string(i), static_cast<std::size_t>(i) * field.type.size, element);
  }
  return std::move(builder).Build(field.name);
}

/// Opaque bytes: GDAL has no type for them, but a compound of as many bytes carries them unchanged.
ElementForm RawForm(const DataType& type) {
  if (type.size == 0 || type.size > kMaxComponents) return HexadecimalForm(type.size);
  ElementForm byte;
  byte.type = GDALExtendedDataType::Create(GDT_Byte);
  byte.expand = [](const std::byte* source, std::byte* destination) { *destination = *source; };
  CompoundBuilder builder;
  for (std::size_t i = 0; i < type.size; ++i) builder.Add(std::to_string(i), i, byte);
  ElementForm form = std::move(builder).Build(type.name);
  form.same_bytes = true;
  return form;
}

ElementForm StructForm(const DataType& type) {
  if (ComponentCount(type).value_or(0) == 0) return RawForm(type);
  CompoundBuilder builder;
  for (const zarr::Field& field : type.fields) {
    if (!IsLeftOut(field)) builder.Add(field.name, field.offset, FieldForm(field));
  }
  return std::move(builder).Build(type.name);
}

// --- any type to any other --------------------------------------------------------------------------------------

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

}  // namespace

char* NewString(std::string_view text) {
  auto* copy = static_cast<char*>(VSIMalloc(text.size() + 1));
  if (!copy) throw std::bad_alloc();
  text.copy(copy, text.size());  // unlike memcpy, also where there is no text
  copy[text.size()] = '\0';
  return copy;
}

GdalElement::GdalElement(GDALExtendedDataType type) : type_(std::move(type)) {
  bytes_.resize(type_.GetSize());
  std::fill(bytes_.begin(), bytes_.end(), std::byte{0});
}

GdalElement::~GdalElement() {
  if (type_.NeedsFreeDynamicMemory()) type_.FreeDynamicMemory(bytes_.data());
}

ElementForm ElementFormOf(const DataType& type) {
  const NumericForm number = NumericFormOf(type);
  if (number.type == GDT_Unknown) {
    if (type.kind == DataType::Kind::kRaw) return RawForm(type);
    return type.kind == DataType::Kind::kStruct ? StructForm(type) : StringForm(type);
  }
  ElementForm form;
  form.type = GDALExtendedDataType::Create(number.type);
  form.same_bytes = !number.widen;
  form.expand = number.widen;
  if (!number.widen) {
    form.expand = [size = type.size](const std::byte* source, std::byte* destination) {
      std::memcpy(destination, source, size);
    };
  }
  return form;
}

std::unique_ptr<zarr::RowConverter> MakeRowConverter(const DataType& from, const GDALExtendedDataType& to) {
  const NumericForm number = NumericFormOf(from);
  if (number.type != GDT_Unknown && to.GetClass() == GEDTC_NUMERIC) {
    if (!number.widen && number.type == to.GetNumericDataType()) return nullptr;
    return std::make_unique<NumberConverter>(number, to.GetNumericDataType());
  }
  ElementForm form = ElementFormOf(from);
  if (form.same_bytes && form.type == to) return nullptr;
  return std::make_unique<ElementConverter>(std::move(form), to);
}

}  // namespace gdal_zarr
