#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/gdal_compat.h"
#include "driver/georeferencing/georeferencing.h"
#include "driver/georeferencing/regular_axis.h"
#include "driver/node_context.h"
#include "driver/raster_view.h"

namespace gdal_zarr {

/// An array as a raster.
class RasterDataset final : public GDALDataset {
 public:
  /// `md_array` is the same array for the multidimensional API. Throws zarr::Error for one that cannot be a raster.
  RasterDataset(std::shared_ptr<NodeContext> context, std::shared_ptr<GDALMDArray> md_array,
                std::shared_ptr<const zarr::Array> array, const OpenOptions& options,
                const std::vector<std::uint64_t>& fixed);

  ~RasterDataset() override;

  CPLErr GetGeoTransform(GeoTransformOut transform) ZARR_CONST_SINCE_GDAL_3_12 override;
  const OGRSpatialReference* GetSpatialRef() const override;

  const RasterView& view() const { return view_; }
  GDALMDArray& md_array() const { return *md_array_; }
  /// The element of a dimension's coordinate array, as text; nothing if there is none, or if reading coordinates has
  /// taken longer than the open option LOAD_EXTRA_DIM_METADATA_DELAY allows.
  std::optional<std::string> Coordinate(std::size_t dimension, std::uint64_t index);

  /// The smaller versions of the raster, the largest first; found when first asked for.
  int OverviewCount();
  /// A band of one of them, which belongs to this dataset; null, with an error, where it cannot be opened.
  GDALRasterBand* OverviewBand(int level, int band);

  /// Reads a window whose pixels are those of the buffer. Reports errors to GDAL.
  CPLErr ReadWindow(const Window& window, std::span<const int> bands, const PixelBuffer& buffer, bool use_cache,
                    const GDALRasterIOExtraArg* extra) const;

 protected:
  CPLErr IRasterIO(GDALRWFlag direction, int x, int y, int width, int height, void* data, int buffer_width,
                   int buffer_height, GDALDataType type, int band_count, BandMap bands, GSpacing pixel_stride,
                   GSpacing line_stride, GSpacing band_stride, GDALRasterIOExtraArg* extra) override;

 private:
  /// A level of a pyramid, opened when it is first asked for.
  struct Level {
    std::shared_ptr<const zarr::Array> array;
    std::unique_ptr<RasterDataset> dataset;
  };

  /// The raster of one of `base`'s smaller versions. It has bands, the same extent, and no overviews of its
  /// own.
  RasterDataset(const RasterDataset& base, std::shared_ptr<const zarr::Array> array);

  void AddBands();
  void FindLevels();
  void SetGeoreferencing();
  void SetAttributes();
  /// Whether GDAL has a place of its own for what an attribute says, and it was found there.
  bool IsSaidElsewhere(const std::string& attribute) const;
  void SetStructure();
  /// The edges of pixels along a dimension, by its coordinates and their CF `bounds`, in units of the SRS.
  std::optional<RegularAxis> EdgesAlong(std::size_t dimension) const;
  std::optional<GeoTransform> FromCoordinates() const;

  std::shared_ptr<NodeContext> context_;
  std::shared_ptr<GDALMDArray> md_array_;
  RasterView view_;
  SpatialRef srs_;
  std::optional<GeoTransform> transform_;
  std::optional<std::vector<Level>> levels_;  // nothing until they are looked for
  double coordinate_budget_;                  // seconds
  std::chrono::duration<double> coordinate_time_{0};
};

}  // namespace gdal_zarr
