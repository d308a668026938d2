// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "zarrlib/base/bytes.h"

namespace gdal_zarr {

/// Appends a variable-length unsigned integer (ULEB128).
void AppendVarint(std::uint64_t value, zarr::Bytes* out);

/// Writes one structure in the compact protocol of Apache Thrift: fields of ascending ids, below 16 more than the one
/// before. Not thread-safe.
class CompactWriter {
 public:
  /// `out` must outlive the writer.
  explicit CompactWriter(zarr::Bytes* out) : out_(*out) {}

  void PutI32(int id, std::int64_t value) { PutInteger(id, 5, value); }
  void PutI64(int id, std::int64_t value) { PutInteger(id, 6, value); }
  void PutString(int id, std::string_view text);
  /// Begins a field that is a structure. Another writer for the same bytes writes it.
  CompactWriter PutStruct(int id);
  enum class ItemType { kI32 = 5, kString = 8, kStruct = 12 };
  /// Begins a field that is a list of `count` items, which AppendItem or other writers write.
  void PutList(int id, ItemType type, std::size_t count);
  void AppendItem(std::int64_t value);
  void AppendItem(std::string_view text);
  /// Call this after the last field.
  void End();

 private:
  void PutHeader(int id, unsigned type);
  void PutInteger(int id, unsigned type, std::int64_t value);

  zarr::Bytes& out_;
  int last_id_ = 0;
};

}  // namespace gdal_zarr
