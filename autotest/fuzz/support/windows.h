// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "zarrlib/array/array.h"

/// Small windows of arrays of all types, read and written in a form that can be compared.
namespace zarr::fuzz {

/// Larger chunks are not read: reading them is right, but takes the time of many other inputs.
inline constexpr std::uint64_t kMaxChunkBytes = std::uint64_t{1} << 20;

/// The elements of a window: packed bytes, or texts for types of variable length.
struct Elements {
  std::string bytes;
  std::vector<std::string> texts;
  friend bool operator==(const Elements&, const Elements&) = default;
};

/// Chooses a window at the array's begin, and one with steps at its end, of at most some thousand elements; nothing
/// for an array whose elements are too large. Every length is 0 where the array's is.
std::optional<Selection> ChooseFirstWindow(const Array& array);
std::optional<Selection> ChooseLastWindow(const Array& array);

/// Reads a window on the calling thread alone. Throws what Array::Read throws.
Elements ReadWindow(const Array& array, const Selection& window, bool use_cache);
/// Whether writing to the array takes little memory and time.
bool IsSmallToWrite(const Array& array);
/// Writes elements that ReadWindow gave, and stores all chunks.
void WriteWindow(const std::shared_ptr<const Array>& array, const Selection& window, const Elements& elements);

}  // namespace zarr::fuzz
