// SPDX-License-Identifier: MIT
#include "driver/stores/parquet/compact_reader.h"

#include <utility>

#include "driver/stores/parquet/parquet_errors.h"

namespace gdal_zarr {
namespace {

/// The metadata of Parquet have less than ten levels.
constexpr std::size_t kMostLevels = 32;
/// Items of all lists. In memory they may take a hundred times as much as in the file.
constexpr std::uint64_t kMostItems = 1 << 20;

}  // namespace

std::uint64_t ReadVarint(zarr::ByteSpan bytes, std::size_t* position) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (*position >= bytes.size()) break;
    const auto byte = std::to_integer<std::uint64_t>(bytes[(*position)++]);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  FailParquet("a variable-length integer", "more than 10 bytes or the end");
}

void CompactReader::FailExpected(const char* expected, Type got) {
  FailParquet(expected, "type " + std::to_string(static_cast<int>(got)) + " of Thrift's protocol");
}

zarr::ByteSpan CompactReader::Take(std::uint64_t count) {
  const std::size_t left = bytes_.size() - position_;
  if (count > left) FailParquet(std::to_string(count) + " more bytes of a structure", std::to_string(left));
  position_ += static_cast<std::size_t>(count);
  return bytes_.subspan(position_ - static_cast<std::size_t>(count), static_cast<std::size_t>(count));
}

void CompactReader::Begin(Type type) {
  const Type got = std::exchange(pending_, Type::kStop);
  const bool is_list = type == Type::kList && got == Type::kSet;
  if (got != type && !is_list) FailExpected(type == Type::kStruct ? "a structure" : "a list", got);
  if (++depth_ > kMostLevels) FailExpected("at most 32 levels of structures", got);
}

bool CompactReader::ReadFieldHeader(std::int64_t* id) {
  const std::uint8_t header = TakeByte();
  pending_ = static_cast<Type>(header & 15);
  in_list_ = false;
  if (pending_ == Type::kStop) return false;
  const std::int64_t step = header >> 4;
  *id = step > 0 ? *id + step : DecodeZigzag(TakeVarint());
  if (*id < 0 || *id > INT16_MAX) FailExpected("the number of a field", pending_);
  return true;
}

std::uint64_t CompactReader::ReadListHeader(Type* type) {
  const std::uint8_t header = TakeByte();
  *type = static_cast<Type>(header & 15);
  const std::uint64_t count = header >> 4 < 15 ? header >> 4 : TakeVarint();
  // Each item takes at least one byte.
  if (count > bytes_.size() - position_) FailExpected("a list that fits into the structure", *type);
  items_ += count;
  CheckAtMost(items_, kMostItems, "items in lists of the metadata");
  return count;
}

std::int64_t CompactReader::ReadInteger() {
  const Type type = std::exchange(pending_, Type::kStop);
  if (type == Type::kByte) return static_cast<std::int8_t>(TakeByte());
  if (type < Type::kI16 || type > Type::kI64) FailExpected("an integer", type);
  return DecodeZigzag(TakeVarint());
}

bool CompactReader::ReadBoolean() {
  const Type type = std::exchange(pending_, Type::kStop);
  if (type != Type::kTrue && type != Type::kFalse) FailExpected("a boolean", type);
  return in_list_ ? TakeByte() == 1 : type == Type::kTrue;
}

std::string CompactReader::ReadString() {
  const Type type = std::exchange(pending_, Type::kStop);
  if (type != Type::kBinary) FailExpected("a string", type);
  return std::string(zarr::AsText(Take(TakeVarint())));
}

void CompactReader::SkipPending() {
  const Type type = std::exchange(pending_, Type::kStop);
  const bool is_boolean = type == Type::kTrue || type == Type::kFalse;
  if (type == Type::kStop || (is_boolean && !in_list_)) return;
  if (is_boolean || type == Type::kByte) {
    Take(1);
  } else if (type <= Type::kI64) {
    TakeVarint();
  } else if (type <= Type::kBinary) {
    Take(type == Type::kDouble ? 8 : TakeVarint());
  } else if (type == Type::kList || type == Type::kSet) {
    pending_ = type;
    ReadItems([] {});
  } else if (type == Type::kStruct) {
    pending_ = type;
    ReadFields([](std::int64_t) {});
  } else {
    FailExpected("a value, but not a map, which Parquet does not use", type);
  }
}

}  // namespace gdal_zarr
