// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/base/bytes.h"
#include "zarrlib/base/error.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/data_type.h"

/// Helpers for the tests of several folders.
namespace zarr::test {

/// Parses a document with the place "store/doc.json".
inline JsonNode Json(std::string_view text) {
  return JsonNode::Parse(text, "store", "doc.json");
}

/// Returns the error of `action`; the test fails if there is none.
template <typename Action>
Error ErrorOf(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "expected an error, got none";
  return Error(ErrorKind::kIo, "none");
}

/// Expects that `action` throws an error of that kind, at that JSON Pointer, with `part` in its text.
template <typename Action>
void ExpectError(const Action& action, ErrorKind kind, std::string_view pointer, std::string_view part) {
  const Error error = ErrorOf(action);
  EXPECT_EQ(error.kind(), kind) << error.what();
  EXPECT_EQ(error.pointer(), pointer) << error.what();
  EXPECT_NE(std::string_view(error.what()).find(part), std::string_view::npos)
      << "expected \"" << part << "\" in: " << error.what();
}

/// Returns the bytes of the values in memory.
template <typename T>
Bytes BytesOf(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}
template <typename T>
Bytes BytesOf(std::initializer_list<T> values) {
  return BytesOf(std::vector<T>(values));
}

template <typename T>
std::vector<T> ValuesOf(ByteSpan bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

/// Returns the bytes of the values as most stores have them, in little-endian byte order.
template <typename T>
Bytes LittleEndianOf(std::vector<T> values) {
  for (T& value : values) value = ToOrFromLittleEndian(value);
  return BytesOf(values);
}
template <typename T>
Bytes LittleEndianOf(std::initializer_list<T> values) {
  return LittleEndianOf(std::vector<T>(values));
}

/// Returns the values of bytes in little-endian byte order.
template <typename T>
std::vector<T> FromLittleEndian(ByteSpan bytes) {
  std::vector<T> values = ValuesOf<T>(bytes);
  for (T& value : values) value = ToOrFromLittleEndian(value);
  return values;
}

/// Returns lower-case hexadecimal digits such as "0a ff".
inline std::string HexOf(ByteSpan bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::byte b : bytes) {
    if (!text.empty()) text += ' ';
    text += {kDigits[static_cast<unsigned>(b) / 16], kDigits[static_cast<unsigned>(b) % 16]};
  }
  return text;
}

/// Forgets in which byte order a type's elements are stored.
inline void ClearByteOrder(DataType* type) {
  type->endian.reset();
  for (Field& field : type->fields) ClearByteOrder(&field.type);
}

/// Returns the digits of elements in memory, in little-endian byte order on all machines.
inline std::string LittleEndianHex(Bytes elements, DataType type) {
  ClearByteOrder(&type);
  SwapBytes(type, Endian::kLittle, elements.data(), elements.data(), type.size == 0 ? 0 : elements.size() / type.size);
  return HexOf(elements);
}

}  // namespace zarr::test
