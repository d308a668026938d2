// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "zarrlib/base/bytes.h"

namespace gdal_zarr {

/// Reads a variable-length unsigned integer (ULEB128) at `*position`, and moves `*position` after it. Throws
/// Error(corrupt).
std::uint64_t ReadVarint(zarr::ByteSpan bytes, std::size_t* position);

/// Decodes a signed integer from its zigzag encoding.
constexpr std::int64_t DecodeZigzag(std::uint64_t value) {
  return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

/// Reads a structure in the compact protocol of Apache Thrift, in which Parquet files store their metadata.
///
/// All functions throw Error: corrupt for bytes that do not follow the protocol or end too early. Lengths and depths
/// are checked first, so that the work and the memory are proportional to the number of bytes. Not thread-safe.
class CompactReader {
 public:
  /// `bytes`, which must outlive the reader, begin with a structure; other bytes may follow it.
  explicit CompactReader(zarr::ByteSpan bytes) : bytes_(bytes) {}

  /// The number of bytes read so far.
  std::size_t position() const { return position_; }
  /// Reads a structure. Calls `use(id)` for each of its fields, which reads the value with one of these functions. A
  /// value that `use` does not read is skipped.
  template <typename Use>
  void ReadFields(const Use& use) {
    Begin(Type::kStruct);
    std::int64_t id = 0;
    while (ReadFieldHeader(&id)) {
      use(id);
      SkipPending();
    }
    --depth_;
  }
  /// Reads a list. Calls `use()` for each of its items, which reads it.
  template <typename Use>
  void ReadItems(const Use& use) {
    Begin(Type::kList);
    Type type = Type::kStop;
    for (std::uint64_t left = ReadListHeader(&type); left > 0; --left) {
      pending_ = type;
      in_list_ = true;
      use();
      SkipPending();
    }
    --depth_;
  }
  std::int64_t ReadInteger();  ///< Of any width.
  bool ReadBoolean();
  std::string ReadString();

 private:
  enum class Type { kStop, kTrue, kFalse, kByte, kI16, kI32, kI64, kDouble, kBinary, kList, kSet, kMap, kStruct };

  [[noreturn]] static void FailExpected(const char* expected, Type got);
  /// Starts to read the pending value, which contains others.
  void Begin(Type type);
  bool ReadFieldHeader(std::int64_t* id);
  std::uint64_t ReadListHeader(Type* type);
  void SkipPending();
  std::uint8_t TakeByte() { return std::to_integer<std::uint8_t>(Take(1)[0]); }
  zarr::ByteSpan Take(std::uint64_t count);
  std::uint64_t TakeVarint() { return ReadVarint(bytes_, &position_); }

  zarr::ByteSpan bytes_;
  std::size_t position_ = 0;
  std::size_t depth_ = 0;
  std::uint64_t items_ = 0;       // of all lists
  Type pending_ = Type::kStruct;  // the type of the value that is read next; kStop if there is none
  bool in_list_ = false;          // the pending value is an item of a list
};

}  // namespace gdal_zarr
