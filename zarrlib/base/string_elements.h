// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "zarrlib/base/strided_copy.h"

namespace zarr {

/// Keeps elements of variable length, which a reader gives for a moment, as strings.
class TakeStrings final : public RowConverter {
 public:
  void ConvertRow(const std::byte* source, std::ptrdiff_t source_stride, std::byte* destination,
                  std::ptrdiff_t destination_stride, std::size_t count) const override {
    for (std::size_t i = 0; i < count; ++i, source += source_stride, destination += destination_stride) {
      *reinterpret_cast<std::string*>(destination) = *reinterpret_cast<const std::string_view*>(source);
    }
  }
  bool replicable() const override { return false; }
};

/// Gives such strings to a writer.
class GiveStrings final : public RowConverter {
 public:
  void ConvertRow(const std::byte* source, std::ptrdiff_t source_stride, std::byte* destination,
                  std::ptrdiff_t destination_stride, std::size_t count) const override {
    for (std::size_t i = 0; i < count; ++i, source += source_stride, destination += destination_stride) {
      *reinterpret_cast<std::string_view*>(destination) = *reinterpret_cast<const std::string*>(source);
    }
  }
};

}  // namespace zarr
