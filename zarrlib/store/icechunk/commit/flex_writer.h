// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "zarrlib/base/bytes.h"

namespace zarr {

/// Writes a FlexBuffer (see FlexValue) with numbers and offsets of 4 bytes. Values are made from the inside out: the
/// members of a map before the map. Not thread-safe.
class FlexWriter {
 public:
  /// A value that was written, or null or a boolean, which is written with the map that has it.
  struct Value {
    std::uint8_t type = 0;     ///< With the width of what it refers to, as it is stored.
    std::uint32_t number = 0;  ///< A position in the buffer, or the value of a boolean.
  };

  static Value MakeNull() { return {}; }
  static Value MakeBoolean(bool value);
  Value WriteText(std::string_view text);
  Value WriteMap(const std::map<std::string, Value>& members);
  /// Returns the buffer. Call it last.
  Bytes Finish(const Value& root);

 private:
  void Align();
  void AppendNumber(std::uint64_t number);
  /// Appends a value, or the offset back to it.
  void AppendValue(const Value& value);

  Bytes buffer_;
};

}  // namespace zarr
