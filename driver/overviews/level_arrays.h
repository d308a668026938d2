#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "driver/dataset/editable_array.h"
#include "driver/georeferencing/georeferencing.h"
#include "driver/georeferencing/georeferencing_writer.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/array_metadata.h"

namespace gdal_zarr {

/// The array whose smaller versions are made, and where it lies.
struct OverviewBase {
  EditableArray& array;
  RasterAxes axes;
  Georeferencing place;

  SharedResource& resource() const { return *array.resource(); }
  /// The path of the group that the array and its levels' groups are in.
  std::string group() const { return ParentPath(array.array().path()); }
  std::string name() const { return NodeName(array.array().path()); }
};

/// The shape of the version in which a pixel covers `factor` x `factor` of the base's, those at the end less.
zarr::Shape LevelShape(const OverviewBase& base, int factor);

/// The metadata of a version of that shape: the base's codecs, fill value and attributes, without those that do not
/// hold for it. Its grid is regular, with the base's chunks, or the edges that prevail among them; chunks and inner
/// chunks are no longer than they need to be.
zarr::ArrayMetadata LevelMetadata(const OverviewBase& base, const zarr::Shape& shape);

/// Whether the array at `path` is such a version, of which some pixels can be computed anew and others kept.
bool HasLevelArray(const OverviewBase& base, const std::string& path, const zarr::Shape& shape);

/// Makes the array at `path` (in a group, which is made too) the version of that shape, and stores where it lies. What
/// is there is kept if it is such a version: its data are to be overwritten. Something else there is replaced only if
/// it is a level by the layout, or one that was not finished: else throws zarr::Error.
std::shared_ptr<EditableArray> MakeLevelArray(const OverviewBase& base, const std::string& path,
                                              const zarr::Shape& shape, bool is_level);

/// What the layout says of the base, and of a version that was made of another one of shape `from_shape`.
zarr::JsonNode BaseEntry(const OverviewBase& base);
zarr::JsonNode LevelEntry(const OverviewBase& base, const std::string& asset, const zarr::Shape& shape,
                          const std::string& from, const zarr::Shape& from_shape, const std::string& resampling);

}  // namespace gdal_zarr
