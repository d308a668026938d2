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
#include "zarrlib/array/array.h"

namespace gdal_zarr {

/// More make GDAL slow, and are hardly meant to be bands.
inline constexpr std::uint64_t kMostBands = 65536;

/// A rectangle of a raster, in pixels.
struct Window {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

/// The caller's memory: where a window's first pixel goes, and bytes between neighbours.
struct PixelBuffer {
  void* data = nullptr;
  GDALDataType type = GDT_Unknown;
  GSpacing pixel_stride = 0;
  GSpacing line_stride = 0;
  GSpacing band_stride = 0;
};

/// An array seen as a raster: two dimensions are X and Y, the others are fixed by an index or counted by the bands, in
/// C order. An array of rank 1 has one row, one of rank 0 one pixel.
class RasterView {
 public:
  /// Chooses X and Y: by the options, else by a convention, by the dimensions' types and names, else the last two.
  /// `fixed` are the indices of all other dimensions; where it is empty, these become bands.
  /// Throws zarr::Error(invalid_argument) for options that name no dimension, indices that do not fit, and for rasters
  /// that are too large for GDAL (2^31 - 1 columns or rows, 65,536 bands).
  RasterView(const GDALMDArray& md_array, SharedResource& nodes, std::shared_ptr<const zarr::Array> array,
             const OpenOptions& options, const std::vector<std::uint64_t>& fixed);

  /// `base` with the array of another size in place of its own. Throws zarr::Error(invalid_argument) where dimensions
  /// other than X and Y do not have the same lengths.
  RasterView(const RasterView& base, std::shared_ptr<const zarr::Array> array);

  const zarr::Array& array() const { return *array_; }
  int width() const { return width_; }
  int height() const { return height_; }
  int band_count() const { return band_count_; }
  std::size_t x_dimension() const { return x_; }
  /// The array's rank if it has no such dimension.
  std::size_t y_dimension() const { return y_; }
  /// The dimensions that the bands count, in order.
  const std::vector<std::size_t>& band_dimensions() const { return band_dimensions_; }
  /// The index along each of them, of band `band` (from 0).
  std::vector<std::uint64_t> BandIndices(int band) const;

  /// Bands that can be read at once: `count` of them from `first` on, which follow each other along the last of the
  /// band dimensions.
  struct BandRun {
    int first = 0;
    int count = 1;
  };
  /// The longest run that starts at `bands[0]` (bands are counted from 0).
  BandRun RunAt(std::span<const int> bands) const;
  /// Reads a window of a run of bands. Returns false if `progress` stopped it. Throws zarr::Error.
  bool Read(const Window& window, const BandRun& bands, const PixelBuffer& buffer, bool use_cache,
            const std::function<bool(double)>& progress = {}) const;
  /// What of the array a window of a run of bands is, and the strides of a buffer for it.
  struct Part {
    zarr::Selection selection;
    zarr::Strides strides;
  };
  Part RegionOf(const Window& window, const BandRun& bands, const PixelBuffer& buffer) const;
  /// Goes on with another state of the same array's metadata.
  void Replace(std::shared_ptr<const zarr::Array> array) { array_ = std::move(array); }

 private:
  void ChooseDimensions(const GDALMDArray& md_array, SharedResource& nodes, const OpenOptions& options);
  void SetSize();
  void FixIndices(const std::vector<std::uint64_t>& fixed);
  void CountBands();

  std::shared_ptr<const zarr::Array> array_;
  std::size_t x_ = 0;
  std::size_t y_ = 0;
  std::vector<std::size_t> band_dimensions_;
  zarr::Shape fixed_;  // one index per dimension; those of X, Y and bands are 0
  int width_ = 1;
  int height_ = 1;
  int band_count_ = 1;
};

}  // namespace gdal_zarr
