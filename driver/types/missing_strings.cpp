// SPDX-License-Identifier: MIT
#include "driver/types/missing_strings.h"

#include <cstring>
#include <string_view>
#include <utility>

namespace gdal_zarr {
namespace {

class MissingStringConverter final : public zarr::RowConverter {
 public:
  MissingStringConverter(std::unique_ptr<zarr::RowConverter> stored, const zarr::Array& array)
      : stored_(std::move(stored)),
        variable_(array.data_type().variable()),
        fill_(array.metadata().fill_value.bytes.data()) {}

  void ConvertRow(const std::byte* source, std::ptrdiff_t source_stride, std::byte* destination,
                  std::ptrdiff_t destination_stride, std::size_t count) const override {
    constexpr char* kNull = nullptr;
    for (std::size_t i = 0; i < count; ++i, source += source_stride, destination += destination_stride) {
      if (IsMissing(source)) {
        std::memcpy(destination, &kNull, sizeof(kNull));
      } else {
        stored_->ConvertRow(source, source_stride, destination, destination_stride, 1);
      }
    }
  }
  bool replicable() const override { return false; }

 private:
  /// Elements of a missing chunk point to the fill value itself.
  bool IsMissing(const std::byte* source) const {
    if (!variable_) return source == fill_;
    std::string_view text;
    std::memcpy(&text, source, sizeof(text));
    return text.data() == zarr::kMissingText;
  }

  std::unique_ptr<zarr::RowConverter> stored_;
  bool variable_;
  const std::byte* fill_;
};

}  // namespace

std::unique_ptr<zarr::RowConverter> WithMissingStrings(std::unique_ptr<zarr::RowConverter> stored,
                                                       const zarr::Array& array) {
  const bool variable = array.data_type().variable();  // their codec may store null
  if (!variable && array.metadata().fill_value.defined && array.data_type().optional_depth == 0) return stored;
  return std::make_unique<MissingStringConverter>(std::move(stored), array);
}

}  // namespace gdal_zarr
