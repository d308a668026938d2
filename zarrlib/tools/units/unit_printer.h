// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

#include "zarrlib/array/array.h"
#include "zarrlib/base/shape.h"
#include "zarrlib/grid/write_units.h"

namespace zarr::tools {

/// Prints units through a buffer, as fast as the stream accepts them. Throws Error(io) if the stream has failed.
class UnitPrinter {
 public:
  explicit UnitPrinter(std::ostream& out);

  void Print(std::string_view text);
  /// Prints a unit as a line, such as "0:256,512:768 partial".
  void PrintLine(const WriteUnits& unit);
  /// Prints the members with the array, the region, and the unit: the start of a JSON object.
  void PrintArrayMembers(const Array& array, const Box& region);
  /// Prints a unit as an item of a JSON list, on a separate line; `first` is true for the first item.
  void PrintItem(const WriteUnits& unit, bool first);
  /// Must be called at the end.
  void Flush();

 private:
  void Append(std::uint64_t number);
  void AppendList(const Shape& numbers);
  void AppendBox(const Box& box);
  void FlushExcess();

  std::ostream& out_;
  std::string buffer_;
};

/// Returns the word for a unit of the array: "shard" or "chunk".
std::string_view GetUnitWord(const Array& array);

}  // namespace zarr::tools
