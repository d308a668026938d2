// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/array/array.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

class SharedResource;

/// The conventions in which a CRS and a geotransform are saved. A value type.
struct WriteConventions {
  bool gdal = false;          ///< `_CRS`, and coordinate arrays or `gdal:geotransform`.
  bool cf = false;            ///< A grid mapping variable and coordinate arrays.
  bool spatial_proj = false;  ///< GeoZarr's `proj:` and `spatial:`.
  /// Not requested by the user: conventions that the array's attributes (for instance copied ones) already use take
  /// precedence.
  bool are_default = false;
  friend bool operator==(const WriteConventions&, const WriteConventions&) = default;
};

/// An array of an open store, as seen by the writers of conventions. They edit its attributes and find related arrays,
/// independently of the classes of the multidimensional API. All functions throw zarr::Error.
class EditableArray {
 public:
  virtual ~EditableArray() = default;

  virtual const std::shared_ptr<SharedResource>& resource() const = 0;
  virtual std::shared_ptr<const zarr::Array> shared_array() const = 0;
  const zarr::Array& array() const { return *shared_array(); }
  /// Returns this object as an array of GDAL.
  virtual const GDALMDArray& gdal_array() const = 0;
  /// Opens another array of the store by its path.
  virtual std::shared_ptr<EditableArray> OpenOther(const std::string& path) const = 0;

  const zarr::JsonNode& attributes() const { return array().metadata().attributes; }
  /// Replaces all attributes of the array in the store.
  virtual void SaveAttributes(const zarr::JsonNode& attributes) = 0;
  /// Continues with another snapshot of the array's metadata.
  virtual void Replace(std::shared_ptr<const zarr::Array> array) = 0;
  /// Loads the stored metadata again, because another process may have changed it.
  virtual void ReadAgain() = 0;
  /// Renames the dimensions of a newly created array, in its metadata.
  virtual void RenameDimensions(const std::vector<std::string>& names) = 0;
  /// The conventions that the array was created with; nullopt for an array that was opened.
  virtual const std::optional<WriteConventions>& conventions() const = 0;
  virtual void SetConventions(const WriteConventions& conventions) = 0;
  /// Returns true if the array was created by this dataset and no data has been written to it yet.
  virtual bool is_new() const = 0;

  /// Reads a slab, like GDALMDArray::Read.
  virtual void ReadSlab(const GUInt64* start, const size_t* count, const GInt64* step, const GPtrDiff_t* stride,
                        const GDALExtendedDataType& buffer_type, void* buffer) const = 0;
  /// Returns the arrays that the CF attribute `coordinates` names. Warns the user if one of them is broken.
  virtual std::vector<std::shared_ptr<GDALMDArray>> FindCoordinateVariables() const = 0;
};

/// Casts an array of GDAL to this driver's class. Returns null for arrays of other drivers and for null.
inline const EditableArray* AsOwnArray(const GDALMDArray* array) {
  return dynamic_cast<const EditableArray*>(array);
}
inline EditableArray* AsOwnArray(GDALMDArray* array) {
  return const_cast<EditableArray*>(AsOwnArray(static_cast<const GDALMDArray*>(array)));
}

}  // namespace gdal_zarr
