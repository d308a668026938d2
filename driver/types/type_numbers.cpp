// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <utility>

#include "driver/types/type_forms.h"
#include "zarrlib/base/float16.h"
#include "zarrlib/base/small_float.h"

namespace gdal_zarr {
namespace {

using zarr::DataType;

void WidenBool(const std::byte* source, std::byte* destination) {
  Put<std::uint8_t>(destination, Load<std::uint8_t>(source) != 0);
}

void NarrowBool(const zarr::SmallFloat*, const std::byte* source, std::byte* destination) {
  WidenBool(source, destination);
}

void NarrowInt8(const zarr::SmallFloat*, const std::byte* source, std::byte* destination) {
  const auto value = Load<std::int16_t>(source);
  Put(destination, static_cast<std::int8_t>(std::clamp<std::int16_t>(value, INT8_MIN, INT8_MAX)));
}

/// Clamps integers of a few bits, each in a byte of its own.
template <typename From, typename To, int kLowest, int kHighest>
void NarrowToBits(const zarr::SmallFloat*, const std::byte* source, std::byte* destination) {
  Put(destination, static_cast<To>(std::clamp<int>(Load<From>(source), kLowest, kHighest)));
}

void CopyByte(const std::byte* source, std::byte* destination) {
  *destination = *source;
}

void NarrowHalf(const zarr::SmallFloat*, const std::byte* source, std::byte* destination) {
  Put(destination, zarr::ConvertDoubleToHalf(static_cast<double>(Load<float>(source))));
}

void NarrowComplexHalf(const zarr::SmallFloat* format, const std::byte* source, std::byte* destination) {
  NarrowHalf(format, source, destination);
  NarrowHalf(format, source + sizeof(float), destination + 2);
}

void NarrowBfloat16(const zarr::SmallFloat*, const std::byte* source, std::byte* destination) {
  Put(destination, zarr::ConvertDoubleToBfloat16(static_cast<double>(Load<float>(source))));
}

void NarrowSmallFloat(const zarr::SmallFloat* format, const std::byte* source, std::byte* destination) {
  Put(destination, zarr::EncodeSmallFloat(*format, static_cast<double>(Load<float>(source))));
}

void NarrowComplexBfloat16(const zarr::SmallFloat* format, const std::byte* source, std::byte* destination) {
  NarrowBfloat16(format, source, destination);
  NarrowBfloat16(format, source + sizeof(float), destination + 2);
}

void NarrowComplexSmallFloat(const zarr::SmallFloat* format, const std::byte* source, std::byte* destination) {
  NarrowSmallFloat(format, source, destination);
  NarrowSmallFloat(format, source + sizeof(float), destination + 1);
}

void WidenInt8(const std::byte* source, std::byte* destination) {
  Put<std::int16_t>(destination, Load<std::int8_t>(source));
}

void WidenHalf(const std::byte* source, std::byte* destination) {
  Put(destination, zarr::ConvertHalfToFloat(Load<std::uint16_t>(source)));
}

void WidenComplexHalf(const std::byte* source, std::byte* destination) {
  WidenHalf(source, destination);
  WidenHalf(source + 2, destination + sizeof(float));
}

void WidenBfloat16(const std::byte* source, std::byte* destination) {
  Put(destination, zarr::ConvertBfloat16ToFloat(Load<std::uint16_t>(source)));
}

void WidenComplexBfloat16(const std::byte* source, std::byte* destination) {
  WidenBfloat16(source, destination);
  WidenBfloat16(source + 2, destination + sizeof(float));
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
  Put(destination, kTable[std::to_integer<std::size_t>(*source)]);
}

template <std::size_t kFormat>
void WidenComplexSmallFloat(const std::byte* source, std::byte* destination) {
  WidenSmallFloat<kFormat>(source, destination);
  WidenSmallFloat<kFormat>(source + 1, destination + sizeof(float));
}

template <std::size_t... kFormats>
Widen FindComplexSmallFloatWidener(std::string_view name, std::index_sequence<kFormats...>) {
  Widen widen = nullptr;
  ((zarr::kSmallFloats[kFormats].name == name ? void(widen = WidenComplexSmallFloat<kFormats>) : void()), ...);
  return widen;
}

template <std::size_t... kFormats>
Widen FindSmallFloatWidener(std::string_view name, std::index_sequence<kFormats...>) {
  Widen widen = nullptr;
  ((zarr::kSmallFloats[kFormats].name == name ? void(widen = WidenSmallFloat<kFormats>) : void()), ...);
  return widen;
}

NumericForm MakeIntegerForm(std::size_t size, bool is_signed) {
  switch (size) {
    case 1:
      if (!is_signed) return {GDT_Byte};
      return kHasInt8 ? NumericForm{kInt8Type} : NumericForm{GDT_Int16, WidenInt8, NarrowInt8};
    case 2:
      return {is_signed ? GDT_Int16 : GDT_UInt16};
    case 4:
      return {is_signed ? GDT_Int32 : GDT_UInt32};
    case 8:
      return {is_signed ? GDT_Int64 : GDT_UInt64};
  }
  return {};
}

template <int kLowest, int kHighest>
NumericForm MakeFewBitsForm() {
  if constexpr (kLowest == 0) {
    return {GDT_Byte, CopyByte, NarrowToBits<std::uint8_t, std::uint8_t, kLowest, kHighest>};
  } else if constexpr (kHasInt8) {
    return {kInt8Type, CopyByte, NarrowToBits<std::int8_t, std::int8_t, kLowest, kHighest>};
  } else {
    return {GDT_Int16, WidenInt8, NarrowToBits<std::int16_t, std::int8_t, kLowest, kHighest>};
  }
}

/// Makes the form of int2, int4, uint2 and uint4.
NumericForm MakeFewBitsForm(unsigned bits, bool is_signed) {
  if (bits == 2) return is_signed ? MakeFewBitsForm<-2, 1>() : MakeFewBitsForm<0, 3>();
  return is_signed ? MakeFewBitsForm<-8, 7>() : MakeFewBitsForm<0, 15>();
}

NumericForm MakeFloatForm(std::size_t size) {
  switch (size) {
    case 2:
      return kHasFloat16 ? NumericForm{kFloat16Type} : NumericForm{GDT_Float32, WidenHalf, NarrowHalf};
    case 4:
      return {GDT_Float32};
    case 8:
      return {GDT_Float64};
  }
  return {};
}

NumericForm MakeComplexForm(std::size_t size) {
  switch (size) {
    case 4:
      return kHasFloat16 ? NumericForm{kComplexFloat16Type}
                         : NumericForm{GDT_CFloat32, WidenComplexHalf, NarrowComplexHalf};
    case 8:
      return {GDT_CFloat32};
    case 16:
      return {GDT_CFloat64};
  }
  return {};
}

NumericForm MakeNarrowComplexForm(const DataType& type) {
  const DataType part = zarr::GetComplexPart(type);
  if (part.kind == DataType::Kind::kBfloat16) return {GDT_CFloat32, WidenComplexBfloat16, NarrowComplexBfloat16};
  constexpr auto kFormats = std::make_index_sequence<zarr::kSmallFloats.size()>();
  return {GDT_CFloat32, FindComplexSmallFloatWidener(part.name, kFormats), NarrowComplexSmallFloat,
          zarr::FindSmallFloat(part.name)};
}

std::size_t GetWidth(GDALDataType type) {
  return static_cast<std::size_t>(GDALGetDataTypeSizeBytes(type));
}

/// Calls GDALCopyWords64, whose strides are 32-bit integers, for strides of any size.
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
    const std::size_t size = GetWidth(from_.type);
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

/// Converts numbers from GDAL's type to the array's.
class NumberPacker final : public zarr::RowConverter {
 public:
  NumberPacker(GDALDataType from, NumericForm to) : from_(from), to_(to) {}

  void ConvertRow(const std::byte* source, std::ptrdiff_t source_stride, std::byte* destination,
                  std::ptrdiff_t destination_stride, std::size_t count) const override {
    if (!to_.narrow) {
      CopyNumbers(source, from_, source_stride, destination, to_.type, destination_stride, count);
      return;
    }
    const std::size_t size = GetWidth(to_.type);
    alignas(16) std::array<std::byte, 4096> wide;
    while (count > 0) {
      const std::size_t piece = std::min(count, wide.size() / size);
      CopyNumbers(source, from_, source_stride, wide.data(), to_.type, static_cast<std::ptrdiff_t>(size), piece);
      for (std::size_t i = 0; i < piece; ++i) {
        to_.narrow(to_.small_float, wide.data() + i * size, destination);
        destination += destination_stride;
      }
      source += source_stride * static_cast<std::ptrdiff_t>(piece);
      count -= piece;
    }
  }

 private:
  GDALDataType from_;
  NumericForm to_;
};

}  // namespace

NumericForm MakeNumericForm(const DataType& type) {
  if (type.bits > 0) return MakeFewBitsForm(type.bits, type.kind == DataType::Kind::kInt);
  switch (type.kind) {
    case DataType::Kind::kBool:
      return {GDT_Byte, WidenBool, NarrowBool};
    case DataType::Kind::kInt:
      return MakeIntegerForm(type.size, true);
    case DataType::Kind::kUint:
      return MakeIntegerForm(type.size, false);
    case DataType::Kind::kFloat:
      return MakeFloatForm(type.size);
    case DataType::Kind::kBfloat16:
      return {GDT_Float32, WidenBfloat16, NarrowBfloat16};
    case DataType::Kind::kSmallFloat:
      return {GDT_Float32, FindSmallFloatWidener(type.name, std::make_index_sequence<zarr::kSmallFloats.size()>()),
              NarrowSmallFloat, zarr::FindSmallFloat(type.name)};
    case DataType::Kind::kComplex:
      return MakeComplexForm(type.size);
    case DataType::Kind::kNarrowComplex:
      return MakeNarrowComplexForm(type);
    case DataType::Kind::kDatetime64:
    case DataType::Kind::kTimedelta64:
      return {GDT_Int64};
    default:
      return {};
  }
}

std::unique_ptr<zarr::RowConverter> MakeNumberPacker(GDALDataType from, const NumericForm& to) {
  return std::make_unique<NumberPacker>(from, to);
}

std::unique_ptr<zarr::RowConverter> MakeNumberConverter(const NumericForm& from, GDALDataType to) {
  return std::make_unique<NumberConverter>(from, to);
}

}  // namespace gdal_zarr
