// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/flat/flex_buffer.h"

#include <algorithm>
#include <string>

#include "zarrlib/base/error.h"

namespace zarr {
namespace {

[[noreturn]] void FailBounds(ByteSpan buffer) {
  throw Error(ErrorKind::kCorrupt,
              "the FlexBuffer of " + std::to_string(buffer.size()) + " bytes refers to a position outside of it");
}

/// Returns `position` - `back`, the position of at least `size` bytes.
std::size_t StepBack(ByteSpan buffer, std::size_t position, std::uint64_t back, std::uint64_t size) {
  if (back > position || size > buffer.size() || position - back > buffer.size() - size) FailBounds(buffer);
  return position - static_cast<std::size_t>(back);
}

std::uint64_t ReadUnsigned(ByteSpan buffer, std::size_t position, unsigned width) {
  StepBack(buffer, position, 0, width);
  std::uint64_t value = 0;
  for (unsigned i = 0; i < width; ++i) value |= std::to_integer<std::uint64_t>(buffer[position + i]) << (8 * i);
  return value;
}

/// Returns the position to which the offset at `position` leads. Offsets lead backwards.
std::size_t FollowOffset(ByteSpan buffer, std::size_t position, unsigned width) {
  return StepBack(buffer, position, ReadUnsigned(buffer, position, width), 0);
}

}  // namespace

FlexValue::FlexValue(ByteSpan buffer, std::size_t slot, unsigned slot_width, unsigned packed_type)
    : buffer_(buffer), type_(packed_type >> 2), width_(1U << (packed_type & 3)) {
  if (type_ == kString || type_ == kMap) position_ = FollowOffset(buffer, slot, slot_width);
  is_true_ = type_ == kBoolean && ReadUnsigned(buffer, slot, slot_width) != 0;
}

FlexValue FlexValue::OpenRoot(ByteSpan buffer) {
  const std::size_t size = buffer.size();
  const auto width = static_cast<unsigned>(ReadUnsigned(buffer, StepBack(buffer, size, 1, 1), 1));
  const auto type = static_cast<unsigned>(ReadUnsigned(buffer, StepBack(buffer, size, 2, 1), 1));
  if (width != 1 && width != 2 && width != 4 && width != 8) FailBounds(buffer);
  return {buffer, StepBack(buffer, size, 2 + width, width), width, type};
}

std::size_t FlexValue::CountMembers() const {
  if (!IsMap()) return 0;
  const std::uint64_t size = ReadUnsigned(buffer_, StepBack(buffer_, position_, width_, width_), width_);
  // Each member has a number and a type.
  if (size > (buffer_.size() - position_) / (width_ + 1)) FailBounds(buffer_);
  return static_cast<std::size_t>(size);
}

FlexValue FlexValue::GetMember(std::size_t i) const {
  const auto type = static_cast<unsigned>(ReadUnsigned(buffer_, position_ + CountMembers() * width_ + i, 1));
  return {buffer_, position_ + i * width_, width_, type};
}

std::string_view FlexValue::GetKey(std::size_t i) const {
  const std::size_t keys =
      FollowOffset(buffer_, StepBack(buffer_, position_, std::uint64_t{3} * width_, width_), width_);
  const std::uint64_t width =
      ReadUnsigned(buffer_, StepBack(buffer_, position_, std::uint64_t{2} * width_, width_), width_);
  if (width != 1 && width != 2 && width != 4 && width != 8) FailBounds(buffer_);
  const std::size_t key = FollowOffset(buffer_, keys + i * width, static_cast<unsigned>(width));
  constexpr std::size_t kMaxKey = 256;
  const std::string_view rest = AsText(buffer_.subspan(key)).substr(0, kMaxKey);
  return rest.substr(0, std::min(rest.find('\0'), rest.size()));
}

std::optional<FlexValue> FlexValue::FindMember(std::string_view key) const {
  for (std::size_t i = 0; i < CountMembers(); ++i) {
    if (GetKey(i) == key) return GetMember(i);
  }
  return std::nullopt;
}

std::optional<std::string_view> FlexValue::FindText() const {
  if (type_ != kString) return std::nullopt;
  const std::uint64_t size = ReadUnsigned(buffer_, StepBack(buffer_, position_, width_, width_), width_);
  StepBack(buffer_, position_, 0, size);
  return AsText(buffer_.subspan(position_, static_cast<std::size_t>(size)));
}

}  // namespace zarr
