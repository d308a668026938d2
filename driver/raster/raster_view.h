// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "driver/dataset/open_options.h"
#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/raster/slice.h"
#include "zarrlib/array/array.h"

namespace gdal_zarr {

/// The maximum number of bands of a dataset: GDAL's configuration option GDAL_MAX_BAND_COUNT, or 65,536. More bands
/// make GDAL slow, and such dimensions are hardly meant as bands.
std::uint64_t GetMaxBands();

/// A rectangle of a raster, in pixels.
struct Window {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

/// Returns true if a request asks for other than whole pixels: GDAL rounds the window's integers, and `extra`, which
/// may be null, has its numbers. Such a window is resampled, also if it has as many pixels as the buffer.
inline bool HasFractions(const Window& window, const GDALRasterIOExtraArg* extra) noexcept {
  return extra && extra->bFloatingPointWindowValidity &&
         (extra->dfXOff != window.x || extra->dfYOff != window.y || extra->dfXSize != window.width ||
          extra->dfYSize != window.height);
}

/// The caller's memory: the address of a window's first pixel, and the distances between adjacent pixels, in bytes.
struct PixelBuffer {
  void* data = nullptr;
  GDALDataType type = GDT_Unknown;
  GSpacing pixel_stride = 0;
  GSpacing line_stride = 0;
  GSpacing band_stride = 0;
};

/// The view of an array as a raster. Two dimensions are X and Y; the others have a fixed index or are spread over the
/// bands, in C order. An array of rank 1 has one row, and an array of rank 0 one pixel.
class RasterView {
 public:
  /// Chooses X and Y: by the options, otherwise by a convention, otherwise by the dimensions' types and names,
  /// otherwise the last two. `slice` selects indices along the other dimensions. Throws zarr::Error(invalid_argument)
  /// for options and selectors that match no dimension, for indices out of range, and for rasters too large for GDAL
  /// (2^31 - 1 columns or rows, GetMaxBands() bands).
  RasterView(const GDALMDArray& md_array, SharedResource& nodes, std::shared_ptr<const zarr::Array> array,
             const OpenOptions& options, const SliceRequest& slice);

  /// Creates a view like `base` of an array with another size along X and Y. Throws zarr::Error(invalid_argument) if
  /// other dimensions have different lengths.
  RasterView(const RasterView& base, std::shared_ptr<const zarr::Array> array);

  const zarr::Array& array() const { return *array_; }
  const std::shared_ptr<const zarr::Array>& shared_array() const { return array_; }
  /// The type as which elements are read and written. It stays, even if an attribute changes how the array is shown
  /// when it is opened again.
  const zarr::DataType& type() const { return type_; }
  int width() const { return width_; }
  int height() const { return height_; }
  int band_count() const { return band_count_; }
  std::size_t x_dimension() const { return x_; }
  /// Returns the array's rank if there is no Y dimension.
  std::size_t y_dimension() const { return y_; }
  /// True if metadata or options identify X and Y, or if no dimension has a name. If false, X and Y are only assumed to
  /// be the last two dimensions.
  bool knows_axes() const { return knows_axes_; }
  /// The dimensions that are spread over the bands, in order.
  const std::vector<std::size_t>& band_dimensions() const { return band_dimensions_; }

  /// Returns the dimensions other than X and Y, in order.
  std::vector<std::size_t> ListOtherDimensions() const;
  /// Returns the index along each of ListOtherDimensions(), for a band counted from 0.
  std::vector<std::uint64_t> GetOtherIndices(int band) const;
  /// Returns the index at which a dimension is fixed, or nullopt for X, Y and the band dimensions.
  std::optional<std::uint64_t> FindFixedIndex(std::size_t dimension) const;
  /// Returns a suffix for file names with the indices along the other dimensions, such as ".3.all", where "all" marks a
  /// band dimension. Returns "" if no dimension is fixed.
  std::string MakeFileSuffix() const;
  /// Returns the number of bands that the array has without a selection, at most UINT64_MAX.
  std::uint64_t CountAllBands() const;
  /// Returns the index of a band among all bands of the array.
  std::uint64_t GetPlaceInArray(int band) const;

  /// Bands that can be read at once: `count` bands from `first` on, which are adjacent along the last band dimension.
  struct BandRun {
    int first = 0;
    int count = 1;
  };
  /// Returns the longest run that starts at `bands[0]` (bands are counted from 0).
  BandRun RunAt(std::span<const int> bands) const;
  /// Reads a window of a run of bands, with what `writers`, which may be null, have not stored yet. Returns false if
  /// `progress` stopped it. Throws zarr::Error.
  bool Read(const Window& window, const BandRun& bands, const PixelBuffer& buffer, bool use_cache,
            const std::function<bool(double)>& progress, WriterPool* writers) const;
  /// The array selection for a window of a run of bands, and the strides of a buffer for it.
  struct Part {
    zarr::Selection selection;
    zarr::Strides strides;
  };
  Part GetRegion(const Window& window, const BandRun& bands, const PixelBuffer& buffer) const;
  /// Continues with another snapshot of the array's metadata.
  void Replace(std::shared_ptr<const zarr::Array> array) { array_ = std::move(array); }

 private:
  /// Returns the index along each of band_dimensions(), for a band counted from 0.
  std::vector<std::uint64_t> GetBandIndices(int band) const;
  void ChooseDimensions(const GDALMDArray& md_array, SharedResource& nodes, const OpenOptions& options);
  void SetSize();
  void Fix(const GDALMDArray& md_array, const SliceRequest& slice);
  void FixIndices(const std::vector<std::uint64_t>& indices);
  std::uint64_t CountBands(const std::vector<std::size_t>& dimensions) const;
  void FixNewest(const GDALMDArray& md_array, SharedResource& nodes);
  void CheckBandCount(std::uint64_t count) const;

  std::shared_ptr<const zarr::Array> array_;
  zarr::DataType type_;
  std::size_t x_ = 0;
  std::size_t y_ = 0;
  bool knows_axes_ = false;
  std::vector<std::size_t> band_dimensions_;
  zarr::Shape fixed_;  // one index per dimension; 0 for X, Y and the band dimensions
  int width_ = 1;
  int height_ = 1;
  int band_count_ = 1;
};

}  // namespace gdal_zarr
