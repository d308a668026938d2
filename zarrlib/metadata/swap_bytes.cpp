// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "zarrlib/base/compiler/reverse_bytes.h"
#include "zarrlib/metadata/data_type.h"

namespace zarr {
namespace {

using Kind = DataType::Kind;

template <typename T>
void SwapNumbers(const std::byte* from, std::byte* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, from + i * sizeof(T), sizeof(T));
    value = ReverseBytes(value);
    std::memcpy(to + i * sizeof(T), &value, sizeof(T));
  }
}

void SwapNumbersOf(std::size_t size, const std::byte* from, std::byte* to, std::size_t count) {
  switch (size) {
    case 2:
      return SwapNumbers<std::uint16_t>(from, to, count);
    case 4:
      return SwapNumbers<std::uint32_t>(from, to, count);
    case 8:
      return SwapNumbers<std::uint64_t>(from, to, count);
    default:
      return;
  }
}

void SwapFields(const DataType& type, Endian stored, std::byte* elements, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    for (const Field& field : type.fields) {
      std::byte* p = elements + i * type.size + field.offset;
      SwapBytes(field.type, stored, p, p, static_cast<std::size_t>(ComputeProduct(field.shape)));
    }
  }
}

}  // namespace

std::size_t DataType::swap_size() const {
  switch (kind) {
    case Kind::kInt:
    case Kind::kUint:
    case Kind::kFloat:
    case Kind::kBfloat16:
    case Kind::kDatetime64:
    case Kind::kTimedelta64:
      return size;
    case Kind::kComplex:
    case Kind::kNarrowComplex:
      return size / 2;
    case Kind::kFixedUtf32:
      return 4;
    case Kind::kBool:
    case Kind::kSmallFloat:
    case Kind::kFixedBytes:
    case Kind::kRaw:
      return 1;
    default:
      return 0;
  }
}

bool NeedsSwap(const DataType& type, Endian stored) {
  if (type.kind == Kind::kStruct) {
    return std::any_of(type.fields.begin(), type.fields.end(),
                       [&](const Field& field) { return NeedsSwap(field.type, stored); });
  }
  return type.swap_size() > 1 && type.endian.value_or(stored) != kNativeEndian;
}

void SwapBytes(const DataType& type, Endian stored, const std::byte* from, std::byte* to, std::size_t count) {
  const bool swap = NeedsSwap(type, stored);
  if (from != to && (!swap || type.kind == Kind::kStruct)) std::memcpy(to, from, count * type.size);
  if (!swap || type.size == 0) return;
  if (type.kind == Kind::kStruct) {
    SwapFields(type, stored, to, count);
  } else {
    SwapNumbersOf(type.swap_size(), from, to, count * (type.size / type.swap_size()));
  }
}

}  // namespace zarr
