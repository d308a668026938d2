// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "driver/gdal/gdal_compat.h"
#include "driver/georeferencing/georeferencing.h"

namespace gdal_zarr {

/// A dataset with a PAM file for what the store cannot hold: ground control points, statistics and other domains. One
/// file has the data of all views of an array. Not thread-safe, like GDAL's datasets.
class SideFileDataset : public GDALPamDataset {
 public:
  /// Like GDAL's function, but with all digits of the GCPs: GDAL rounds their pixels and lines to four decimals.
  CPLXMLNode* SerializeToXML(const char* path) override;
  /// Reports an error if metadata of a domain needs a PAM file, and it cannot be written.
  CPLErr CheckSideFile(const char* domain);
  /// Makes the next saving write the PAM file again, without what is no longer to be in it.
  void RewriteSideFile() { MarkPamDirty(); }

 protected:
  /// Loads the data of a view of the array from the PAM file of its document. Returns false if there cannot be a file.
  bool LoadSideFile(const std::string& document, const std::string& view);
  /// Saves the PAM file, which also contains the data of other views of the store. Reports errors to GDAL; in a
  /// read-only dataset, as warnings.
  CPLErr SaveSideFile();
  /// Returns the geotransform in the PAM file, with the file's name as its source.
  std::optional<StatedTransform> FindSideTransform();
  /// Removes a part of the georeferencing from the PAM file, which would otherwise apply if the store did not define
  /// it.
  void RemoveSideTransform();
  void RemoveSideSpatialRef();

 private:
  /// Reports that a file of the PAM file's name was not written by GDAL and is therefore not overwritten. This is a
  /// failure in update mode only.
  CPLErr LeaveForeignSideFile(const std::string& file);
  /// Returns the name under which the PAM file has a view. It contains the name of the array, or of the folder of an
  /// array that is the store's root, from when the data were saved: the array may have been renamed or moved since.
  std::string FindSavedName(const std::string& view);
  /// Loads the data of a view from a PAM file written by GDAL 3.10 or later, when this GDAL is older.
  void LoadPamOfView(const std::string& view);
};

}  // namespace gdal_zarr
