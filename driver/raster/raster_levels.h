// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/raster/overview_file.h"
#include "driver/raster/raster_parts.h"

namespace gdal_zarr {

class PyramidEditor;
struct LevelRefresh;
struct OverviewBase;
struct OverviewRequest;

/// The overviews of a raster that are arrays of its store: finds them, opens them as datasets, and makes new ones. Not
/// thread-safe, like GDAL's datasets.
class RasterLevels {
 public:
  /// An open level.
  struct Dataset {
    std::unique_ptr<GDALDataset> dataset;
    RasterView* view = nullptr;                                         ///< Its view of the array.
    std::function<void(std::shared_ptr<const zarr::Array>)> set_array;  ///< Shows another snapshot of the array.
    std::function<void(const std::string&)> set_method;                 ///< Shows the resampling method; "" for none.
  };
  struct Hooks {
    /// Opens the array of a level.
    std::function<Dataset(const std::shared_ptr<const zarr::Array>&)> open;
    std::function<void()> changed;  ///< Is called after levels were made or removed.
  };

  /// A raster that is itself a level has no levels.
  RasterLevels(const RasterParts& raster, OverviewFile& file, bool is_level, Hooks hooks);

  /// Returns the number of levels. The first call finds them. Reports errors to GDAL.
  int Count();
  /// Returns a band of a level, counted from the largest, owned by this object. Returns null, with an error, if it
  /// cannot be opened.
  GDALRasterBand* GetBand(int level, int band);
  /// Writes the dirty blocks of open levels in GDAL's cache.
  CPLErr FlushBlocks() const;

  /// Creates or refreshes levels, or removes all if the request has no factors. Lock the base's pyramid before. Throws
  /// zarr::Error if the array cannot have them, and also reports errors to GDAL.
  CPLErr Build(const OverviewBase& base, const OverviewRequest& request);
  /// Computes the parts of levels again that lack changes of the array, and gives levels the shapes that belong to its
  /// shape. Lock the base's pyramid before. Throws zarr::Error, and also reports errors to GDAL.
  CPLErr Refresh(const OverviewBase& base);
  /// Computes one unit of the levels, see PlanUnit. Changes nothing else, so that many processes can do it at once.
  /// Throws zarr::Error, and also reports errors to GDAL.
  CPLErr RefreshUnit(const OverviewBase& base, const std::string& unit);
  /// Throws zarr::Error(unsupported) if the array cannot have levels.
  void Check(const OverviewBase& base) const;

 private:
  struct Level {
    std::shared_ptr<const zarr::Array> array;
    std::string method;
    GDALDataset* dataset = nullptr;
  };

  void Find();
  /// Finds the levels again.
  void Reload();
  /// Returns true if the array differs from the raster's in width and height only, and shows the same area.
  bool IsLevel(const zarr::Array& array) const;
  CPLErr Remove(const OverviewBase& base);
  CPLErr Make(const OverviewBase& base, const OverviewRequest& request);
  /// Returns a level, and opens it if it is not open yet.
  Dataset& OpenLevel(const std::shared_ptr<const zarr::Array>& array);
  /// Gives the array of a level its shape and its attributes, and returns it.
  std::shared_ptr<const zarr::Array> AdaptLevel(const OverviewBase& base, PyramidEditor* pyramid, LevelRefresh* level);
  CPLErr ComputeStale(const OverviewBase& base, PyramidEditor* pyramid, std::vector<LevelRefresh>* plan);
  CPLErr ComputeOne(GDALDataset& source, const Dataset& level, const LevelRefresh& plan, int bands_at_once) const;

  const RasterParts raster_;
  OverviewFile& file_;
  const Hooks hooks_;
  std::optional<std::vector<Level>> levels_;  // nullopt until they are searched
  // All levels that were opened, including removed ones, because callers may still use their bands.
  std::vector<Dataset> datasets_;
};

}  // namespace gdal_zarr
