// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/object_id.h"

#include <cstdint>

#include "zarrlib/store/temporary_names.h"

namespace zarr {
namespace {

constexpr std::string_view kDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr std::size_t kTextSize = 20;  // 96 bits, with 4 zero bits at the end

template <typename Id>
Id MakeId() {
  Id id{};
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < id.size(); ++i, bits >>= 8) {
    if (i % sizeof(bits) == 0) bits = MakeRandomNumber();
    id[i] = static_cast<std::byte>(bits & 255);
  }
  return id;
}

}  // namespace

ObjectId MakeObjectId() {
  return MakeId<ObjectId>();
}

NodeId MakeNodeId() {
  return MakeId<NodeId>();
}

std::string FormatObjectId(const ObjectId& id) {
  std::string text;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const std::byte byte : id) {
    bits = (bits << 8 | std::to_integer<std::uint32_t>(byte)) & 0xFFF;
    for (count += 8; count >= 5; count -= 5) text += kDigits[bits >> (count - 5) & 31];
  }
  return text + kDigits[bits << (5 - count) & 31];
}

std::optional<ObjectId> ParseObjectId(std::string_view text) {
  if (text.size() != kTextSize) return std::nullopt;
  ObjectId id{};
  std::uint32_t bits = 0;
  unsigned count = 0;
  std::size_t done = 0;
  for (const char c : text) {
    const char upper = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    const std::size_t digit = kDigits.find(upper);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = (bits << 5 | static_cast<std::uint32_t>(digit)) & 0xFFF;
    count += 5;
    if (count < 8) continue;
    count -= 8;
    id[done++] = static_cast<std::byte>(bits >> count);
  }
  // The last digit also has the bits that pad the ID.
  return (bits & 15) == 0 ? std::optional(id) : std::nullopt;
}

}  // namespace zarr
