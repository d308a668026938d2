// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "zarrlib/base/bytes.h"

namespace zarr {

/// A vector in a FlatBuffer whose items have a fixed size: numbers, structs or offsets of tables. A view; the buffer
/// must outlive it.
struct FlatVector {
  ByteSpan buffer;
  std::size_t position = 0;  ///< Of the first item. All items are inside the buffer.
  std::size_t size = 0;      ///< Number of items.
  std::size_t item_size = 0;

  ByteSpan item(std::size_t i) const { return buffer.subspan(position + i * item_size, item_size); }
  ByteSpan bytes() const { return buffer.subspan(position, size * item_size); }
  /// Returns item `i` of a vector of strings, whose items are offsets. Throws Error(corrupt).
  std::string_view text(std::size_t i) const;
};

/// A table in a FlatBuffer (https://flatbuffers.dev/internals/). A view; the buffer must outlive it.
///
/// Every offset, vtable, vector and string is checked against the buffer when it is used, so that buffers can have any
/// content. Fields have the numbers of their declaration in the schema, starting at 0; a union takes two. All functions
/// throw Error(corrupt) if the buffer is inconsistent. Nothing is recursive: the caller decides how deep it descends.
class FlatTable {
 public:
  /// Returns the root table of a buffer.
  static FlatTable OpenRoot(ByteSpan buffer);
  /// Returns the table that item `i` of a vector refers to.
  static FlatTable OpenItem(const FlatVector& vector, std::size_t i);

  /// Returns the size of the table itself in bytes, without what its offsets lead to.
  std::size_t size() const { return table_size_; }
  /// Returns true if a field of that number or a higher one is present.
  bool HasFieldsFrom(unsigned field) const;
  /// Returns a number, or `standard` if the field is absent, as it is for the default of the schema.
  template <typename T>
  T GetNumber(unsigned field, T standard = 0) const {
    const std::size_t position = FindField(field, sizeof(T));
    return position == 0 ? standard : LoadLittleEndian<T>(buffer_.data() + position);
  }
  /// The following functions return nullopt if the field is absent.
  std::optional<ByteSpan> FindStruct(unsigned field, std::size_t size) const;
  std::optional<FlatTable> FindTable(unsigned field) const;
  std::optional<FlatVector> FindVector(unsigned field, std::size_t item_size) const;
  std::optional<ByteSpan> FindBytes(unsigned field) const;
  std::optional<std::string_view> FindText(unsigned field) const;

  /// The following functions throw Error(corrupt) if the field is absent; `name` is its name in the schema.
  ByteSpan GetStruct(unsigned field, std::size_t size, std::string_view name) const;
  FlatVector GetVector(unsigned field, std::size_t item_size, std::string_view name) const;
  FlatVector GetTables(unsigned field, std::string_view name) const { return GetVector(field, 4, name); }
  std::string_view GetText(unsigned field, std::string_view name) const;

 private:
  FlatTable(ByteSpan buffer, std::size_t position);

  /// Returns the position of a field of that size in the buffer; 0 if it is absent.
  std::size_t FindField(unsigned field, std::size_t size) const {
    const std::size_t entry = 4 + 2 * static_cast<std::size_t>(field);
    if (entry + 2 > vtable_size_) return 0;
    const auto offset = LoadLittleEndian<std::uint16_t>(buffer_.data() + vtable_ + entry);
    if (offset == 0) return 0;
    if (offset < 4 || offset + size > table_size_) FailField(field);
    return position_ + offset;
  }
  [[noreturn]] void FailField(unsigned field) const;

  ByteSpan buffer_;
  std::size_t position_;
  std::size_t table_size_;
  std::size_t vtable_;
  std::size_t vtable_size_;
};

}  // namespace zarr
