// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "zarrlib/base/bytes.h"

namespace zarr {

/// A value in a FlexBuffer (https://flatbuffers.dev/flexbuffers.html), in which the configuration of a repository is
/// stored. Only maps, strings and booleans are read. A view; the buffer must outlive it. Buffers can have any content:
/// all functions throw Error(corrupt) for positions outside of the buffer, and nothing is recursive.
class FlexValue {
 public:
  static FlexValue OpenRoot(ByteSpan buffer);

  bool IsMap() const { return type_ == kMap; }
  /// Returns the number of members; 0 if this is not a map.
  std::size_t CountMembers() const;
  /// Returns the value of member `i` of a map, which must exist.
  FlexValue GetMember(std::size_t i) const;
  /// Returns nullopt if this is not a map with that member.
  std::optional<FlexValue> FindMember(std::string_view key) const;
  /// Returns the name of member `i` of a map, which must exist. Of a long name, returns the first 256 characters.
  std::string_view GetKey(std::size_t i) const;
  /// Returns true if this is the boolean true.
  bool IsTrue() const { return is_true_; }
  /// Returns nullopt if this is not a string.
  std::optional<std::string_view> FindText() const;

 private:
  static constexpr unsigned kString = 5;
  static constexpr unsigned kMap = 9;
  static constexpr unsigned kBoolean = 26;

  FlexValue(ByteSpan buffer, std::size_t slot, unsigned slot_width, unsigned packed_type);

  ByteSpan buffer_;
  unsigned type_;
  unsigned width_;            // of the numbers in this value, in bytes
  std::size_t position_ = 0;  // of the string or the map
  bool is_true_ = false;
};

}  // namespace zarr
