// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>

#include "driver/raster/raster_parts.h"

namespace gdal_zarr {

class WriterPool;

/// Reads and writes windows of a raster, and keeps GDAL's block cache consistent. Band numbers start at 0. Reading is
/// thread-safe.
class RasterPixels {
 public:
  struct Hooks {
    std::function<bool()> may_read;          ///< Returns false, with an error, if values must not be read.
    std::function<CPLErr()> before_writing;  ///< Saves data that must be stored before pixels.
  };
  RasterPixels(const RasterParts& raster, Hooks hooks) : raster_(raster), hooks_(std::move(hooks)) {}

  /// Reads a window without resampling. Reports errors to GDAL.
  CPLErr Read(const Window& window, std::span<const int> bands, const PixelBuffer& buffer, bool use_cache,
              const GDALRasterIOExtraArg* extra) const;
  /// Returns the number of pixels of a window of a band that are stored. Throws zarr::Error.
  std::uint64_t CountStored(const Window& window, int band) const;
  /// Reads a window of a band into the cache. Never fails.
  void ReadAhead(const Window& window, int band, CSLConstList options) const;

  /// Writes a window without resampling. Reports errors to GDAL.
  CPLErr Write(const Window& window, std::span<const int> bands, const PixelBuffer& buffer,
               const GDALRasterIOExtraArg* extra);
  /// Writes one block from GDAL's cache. Only this block of the band is outdated in the cache. As blocks arrive one by
  /// one, encoding is deferred, so that several are encoded together.
  CPLErr WriteBlock(const Window& window, int band, const PixelBuffer& buffer) {
    return WritePixels(window, {&band, 1}, buffer, nullptr, true);
  }
  /// Writes the dirty blocks of bands in GDAL's cache. Call this before reading or writing these bands directly.
  CPLErr FlushBlocks(std::span<const int> bands) const;

 private:
  /// Returns the writers that hold pixels which are not stored yet; null if the dataset cannot be changed. Throws
  /// zarr::Error if the array has been deleted.
  WriterPool* FindWriters() const;
  CPLErr WritePixels(const Window& window, std::span<const int> bands, const PixelBuffer& buffer,
                     const GDALRasterIOExtraArg* extra, bool defer);
  /// Drops the blocks of a window from GDAL's cache, after the array was written directly.
  void DropBlocks(const Window& window, std::span<const int> bands);

  const RasterParts raster_;
  const Hooks hooks_;
};

/// Writes the dirty blocks of all bands of a dataset in GDAL's cache, if it can be changed.
CPLErr FlushAllBlocks(GDALDataset& dataset);

}  // namespace gdal_zarr
