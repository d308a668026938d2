// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/flat/flat_buffer.h"

#include <string>

#include "zarrlib/base/error.h"

namespace zarr {
namespace {

[[noreturn]] void FailBounds(std::string_view what, std::uint64_t position, std::size_t size) {
  throw Error(ErrorKind::kCorrupt, "the FlatBuffer of " + std::to_string(size) + " bytes has " + std::string(what) +
                                       " at " + std::to_string(position) + ", outside of it");
}

/// Throws unless `size` bytes from a position are in the buffer.
void CheckWithin(ByteSpan buffer, std::string_view what, std::uint64_t position, std::uint64_t size) {
  if (position > buffer.size() || size > buffer.size() - position) FailBounds(what, position, buffer.size());
}

/// Returns the position to which the offset at `at` leads. Offsets lead forwards.
std::size_t FollowOffset(ByteSpan buffer, std::size_t at) {
  CheckWithin(buffer, "an offset", at, 4);
  const std::uint64_t target = std::uint64_t{at} + LoadLittleEndian<std::uint32_t>(buffer.data() + at);
  CheckWithin(buffer, "the target of an offset", target, 4);
  return static_cast<std::size_t>(target);
}

[[noreturn]] void FailMissing(std::string_view name) {
  throw Error(ErrorKind::kCorrupt, "the FlatBuffer lacks the required field " + std::string(name));
}

}  // namespace

std::string_view FlatVector::text(std::size_t i) const {
  const std::size_t begin = FollowOffset(buffer, position + i * item_size);
  const std::uint64_t length = LoadLittleEndian<std::uint32_t>(buffer.data() + begin);
  CheckWithin(buffer, "a string", begin + 4, length);
  return AsText(buffer.subspan(begin + 4, static_cast<std::size_t>(length)));
}

FlatTable::FlatTable(ByteSpan buffer, std::size_t position) : buffer_(buffer), position_(position) {
  CheckWithin(buffer, "a table", position, 4);
  const auto back = std::int64_t{LoadLittleEndian<std::int32_t>(buffer.data() + position)};
  const std::int64_t vtable = static_cast<std::int64_t>(position) - back;
  if (vtable < 0) FailBounds("a vtable", static_cast<std::uint64_t>(vtable), buffer.size());
  CheckWithin(buffer, "a vtable", static_cast<std::uint64_t>(vtable), 4);
  vtable_ = static_cast<std::size_t>(vtable);
  vtable_size_ = LoadLittleEndian<std::uint16_t>(buffer.data() + vtable_);
  table_size_ = LoadLittleEndian<std::uint16_t>(buffer.data() + vtable_ + 2);
  if (vtable_size_ < 4 || table_size_ < 4) FailBounds("an empty vtable", vtable_, buffer.size());
  CheckWithin(buffer, "a vtable", vtable_, vtable_size_);
  CheckWithin(buffer, "a table", position_, table_size_);
}

FlatTable FlatTable::OpenRoot(ByteSpan buffer) {
  return {buffer, FollowOffset(buffer, 0)};
}

FlatTable FlatTable::OpenItem(const FlatVector& vector, std::size_t i) {
  return {vector.buffer, FollowOffset(vector.buffer, vector.position + i * vector.item_size)};
}

bool FlatTable::HasFieldsFrom(unsigned field) const {
  for (std::size_t entry = 4 + 2 * static_cast<std::size_t>(field); entry + 2 <= vtable_size_; entry += 2) {
    if (LoadLittleEndian<std::uint16_t>(buffer_.data() + vtable_ + entry) != 0) return true;
  }
  return false;
}

std::optional<ByteSpan> FlatTable::FindStruct(unsigned field, std::size_t size) const {
  const std::size_t position = FindField(field, size);
  return position == 0 ? std::nullopt : std::optional(buffer_.subspan(position, size));
}

std::optional<FlatTable> FlatTable::FindTable(unsigned field) const {
  const std::size_t position = FindField(field, 4);
  if (position == 0) return std::nullopt;
  return FlatTable(buffer_, FollowOffset(buffer_, position));
}

std::optional<FlatVector> FlatTable::FindVector(unsigned field, std::size_t item_size) const {
  const std::size_t position = FindField(field, 4);
  if (position == 0) return std::nullopt;
  const std::size_t begin = FollowOffset(buffer_, position);
  const std::size_t size = LoadLittleEndian<std::uint32_t>(buffer_.data() + begin);
  CheckWithin(buffer_, "a vector of " + std::to_string(size) + " items", begin + 4, std::uint64_t{size} * item_size);
  return FlatVector{buffer_, begin + 4, size, item_size};
}

std::optional<ByteSpan> FlatTable::FindBytes(unsigned field) const {
  const std::optional<FlatVector> vector = FindVector(field, 1);
  return vector ? std::optional(vector->bytes()) : std::nullopt;
}

std::optional<std::string_view> FlatTable::FindText(unsigned field) const {
  const std::optional<ByteSpan> bytes = FindBytes(field);
  return bytes ? std::optional(AsText(*bytes)) : std::nullopt;
}

ByteSpan FlatTable::GetStruct(unsigned field, std::size_t size, std::string_view name) const {
  const std::optional<ByteSpan> found = FindStruct(field, size);
  if (!found) FailMissing(name);
  return *found;
}

FlatVector FlatTable::GetVector(unsigned field, std::size_t item_size, std::string_view name) const {
  const std::optional<FlatVector> found = FindVector(field, item_size);
  if (!found) FailMissing(name);
  return *found;
}

std::string_view FlatTable::GetText(unsigned field, std::string_view name) const {
  const std::optional<std::string_view> found = FindText(field);
  if (!found) FailMissing(name);
  return *found;
}

void FlatTable::FailField(unsigned field) const {
  throw Error(ErrorKind::kCorrupt, "the FlatBuffer has a table at " + std::to_string(position_) + " whose field " +
                                       std::to_string(field) + " is outside of it");
}

}  // namespace zarr
