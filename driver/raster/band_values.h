// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "driver/raster/raster_parts.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

class MDArray;

/// Holds the values that the array has only once for all bands of a raster, and records which were set through single
/// bands. Used by one thread at a time, like GDAL's datasets.
class BandValues {
 public:
  explicit BandValues(const RasterParts& raster) : raster_(raster) {}

  /// Returns the attributes that bands read (PickBandAttributes).
  const zarr::JsonNode& GetAttributes();
  /// Returns a band's item of an attribute that is a list. An attribute that is not a list is treated as its item 0.
  /// The time does not depend on the number of bands.
  std::optional<zarr::JsonNode> FindItem(const char* list, std::size_t band);
  /// Returns true if such an attribute has an unsaved change.
  bool IsListChanged(const char* list) const;
  /// Category names and colours that attributes define for all bands. They have no entries if the data type is not an
  /// integer. The first call reads them.
  CPLStringList& GetCategories();
  GDALColorTable& GetColors();
  /// Reads the categories and the colours again. What has not changed stays where callers have found it.
  void ReadFlagsAgain();
  /// Returns true if an attribute of this name defines categories or colours of the bands.
  bool IsOfFlags(std::string_view attribute);

  /// The resampling method by which a level was made, in GDAL's words; "" if it is not known. Nullopt if the raster
  /// is not a level.
  const std::optional<std::string>& method() const { return method_; }
  void SetMethod(const std::string& method) { method_ = method; }

  /// Saves an attribute that GDAL has for each band and Zarr for the whole array. Rejects a value that differs from one
  /// set through another band. Reports errors to GDAL.
  CPLErr ChangeAttribute(int band, const std::string& name, const std::optional<zarr::JsonNode>& value);
  /// Runs a change of the nodata value, which all bands share. `value` is an element of the array's type, or empty to
  /// remove the nodata value. Reports errors to GDAL.
  CPLErr ChangeNodata(int band, std::span<const std::byte> value, const std::function<void(MDArray&)>& change);
  /// Call this after the dataset has been flushed, so that a value that is set again is written to the store again.
  void NoteFlush();
  /// Warns of values that were set through only some of the bands.
  void WarnOfUneven();

 private:
  struct Value {
    std::set<int> bands;  // the bands through which it was set
    std::optional<zarr::JsonNode> value;
    std::optional<zarr::JsonNode> before;
    bool is_new = false;  // set since the last flush
  };

  /// Returns the array if the dataset can be changed; otherwise null.
  const MDArray* FindChangeable() const;
  void Check(int band, const std::string& name, const std::optional<zarr::JsonNode>& value) const;
  /// Records that a value was set through a band, and the previous value.
  void Note(int band, const std::string& name, const std::optional<zarr::JsonNode>& value,
            const std::optional<zarr::JsonNode>& before);
  /// Returns true if a value was set through all bands.
  bool IsEven(const Value& value) const;
  /// Returns true if the bands through which a value was not set are alpha bands, which do not use a colour table.
  bool AreRestAlpha(const Value& value) const;
  bool IsInteger() const;
  CPLStringList ReadCategories();
  GDALColorTable ReadColors();

  const RasterParts raster_;
  std::shared_ptr<const zarr::Array> picked_from_;  // the array snapshot from which `attributes_` were taken
  zarr::JsonNode attributes_;
  std::optional<CPLStringList> categories_;  // nullopt until they are read
  std::optional<GDALColorTable> colors_;
  std::map<std::string, Value> values_;
  std::optional<std::string> method_;
};

}  // namespace gdal_zarr
