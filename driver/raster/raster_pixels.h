// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>

#include "driver/raster/raster_parts.h"

namespace gdal_zarr {

class MDArray;

/// Reads and writes windows of a raster, and keeps GDAL's cache of blocks in step. Bands count from 0. Reading is
/// thread-safe.
class RasterPixels {
 public:
  struct Hooks {
    std::function<bool()> may_read;          ///< Returns false, with an error, if values must not be read.
    std::function<CPLErr()> before_writing;  ///< Saves what has to be stored before pixels are.
  };
  RasterPixels(const RasterParts& raster, Hooks hooks) : raster_(raster), hooks_(std::move(hooks)) {}

  /// Reads a window without resampling. Reports errors to GDAL.
  CPLErr Read(const Window& window, std::span<const int> bands, const PixelBuffer& buffer, bool use_cache,
              const GDALRasterIOExtraArg* extra) const;
  /// Counts the pixels of a window of a band that are stored. Throws zarr::Error.
  std::uint64_t CountStored(const Window& window, int band) const;
  /// Reads a window of a band into the cache. Never fails.
  void ReadAhead(const Window& window, int band, CSLConstList options) const;

  /// Writes a window without resampling. Reports errors to GDAL.
  CPLErr Write(const Window& window, std::span<const int> bands, const PixelBuffer& buffer,
               const GDALRasterIOExtraArg* extra);
  /// Writes one block that GDAL hands over. Only this block of the band is outdated in GDAL's cache. As blocks come one
  /// by one, encoding is deferred, so that several are encoded together.
  CPLErr WriteBlock(const Window& window, int band, const PixelBuffer& buffer) {
    return WritePixels(window, {&band, 1}, buffer, nullptr, true);
  }
  /// Writes the dirty blocks that GDAL's cache has of bands. Call this before reading or writing these bands directly.
  CPLErr FlushBlocks(std::span<const int> bands) const;
  /// Does so for all bands.
  CPLErr FlushAllBlocks() const;

 private:
  /// Saves what was written to the array and is not stored yet. Throws zarr::Error.
  void SavePending() const;
  CPLErr WritePixels(const Window& window, std::span<const int> bands, const PixelBuffer& buffer,
                     const GDALRasterIOExtraArg* extra, bool defer);
  /// Drops the blocks of a window from GDAL's cache, after the array was written directly.
  void DropBlocks(const Window& window, std::span<const int> bands);

  const RasterParts raster_;
  const Hooks hooks_;
};

}  // namespace gdal_zarr
