// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "zarrlib/base/strided_copy.h"

namespace zarr {

/// Stores variable-length elements, which a reader provides only temporarily, as std::string.
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

/// Passes std::string elements to a writer.
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
