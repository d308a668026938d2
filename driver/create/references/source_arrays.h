// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "driver/create/references/source_blocks.h"
#include "driver/create/references/tiff_image.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Makes the metadata of a copy of an array, without attributes. Throws zarr::Error.
zarr::ArrayMetadata MakePlainMetadata(const GDALMDArray& array, zarr::ZarrFormat format);

/// The arrays of a source, and their stored blocks. An array of at most 64 KiB without blocks that are known and can
/// be described has none here: its values become parts of the references. Not thread-safe.
class SourceArrays {
 public:
  /// Throws zarr::Error(unsupported) for a raster whose blocks cannot be described, or a larger array, which it names.
  /// `source` must outlive the object and all blocks. `may_lack` returns true for arrays, given by their full names,
  /// that need not have blocks.
  explicit SourceArrays(GDALDataset& source, std::function<bool(const std::string& name)> may_lack = {});

  bool is_raster() const { return image_ != nullptr; }
  bool is_interleaved() const { return image_ && image_->is_interleaved(); }
  bool needs_v3() const { return needs_v3_; }
  /// Returns true if an array has blocks. It is given by its full name; "" stands for the bands of a raster.
  bool Has(const std::string& name) const { return name.empty() ? is_raster() : blocks_.contains(name); }
  /// Returns the blocks of an array that has them, for a copy of this shape.
  std::shared_ptr<const SourceBlocks> MakeBlocks(const std::string& name, const zarr::Shape& shape) const;

 private:
  void AddGroup(const GDALGroup& group);
  void AddArray(const std::shared_ptr<GDALMDArray>& array);

  std::function<bool(const std::string& name)> may_lack_;
  std::shared_ptr<TiffImage> image_;
  std::map<std::string, std::shared_ptr<const SourceBlocks>> blocks_;
  bool needs_v3_ = false;
};

}  // namespace gdal_zarr
