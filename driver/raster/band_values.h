// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "driver/raster/raster_parts.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

class MDArray;

/// What the bands of a raster have in common because the array has it once, and what was set through single bands. Used
/// by one thread at a time, as GDAL's datasets are.
class BandValues {
 public:
  explicit BandValues(const RasterParts& raster) : raster_(raster) {}

  /// The attributes that bands ask for (PickBandAttributes).
  const zarr::JsonNode& GetAttributes();
  /// A band's item of an attribute that is a list, or the item 0 of another one. Takes as long for many bands as for
  /// few.
  std::optional<zarr::JsonNode> FindItem(const char* list, std::size_t band);
  /// Returns true if a change of such an attribute waits.
  bool IsListChanged(const char* list) const;
  /// Names of categories and colours that attributes give to all bands; empty, without entries, for other types than
  /// integers. The first call reads them.
  CPLStringList& GetCategories();
  GDALColorTable& GetColors();
  /// Makes the next call read them again.
  void ForgetColors() { colors_.reset(); }

  /// Saves an attribute that GDAL has for each band and Zarr for the whole array. Refuses a value that differs from one
  /// set through another band. Reports errors to GDAL.
  CPLErr ChangeAttribute(int band, const std::string& name, const std::optional<zarr::JsonNode>& value);
  /// Runs a change of the nodata value, which all bands share, to an element of the array's type, or to none if `value`
  /// is empty. Reports errors to GDAL.
  CPLErr ChangeNodata(int band, std::span<const std::byte> value, const std::function<void(MDArray&)>& change);
  /// Call this when the dataset has been flushed: a value that is set again then is set in the store again.
  void NoteFlush();
  /// Warns of values that were set through some of the bands only.
  void WarnOfUneven();

 private:
  struct Value {
    std::set<int> bands;  // the bands through which it was set
    std::optional<zarr::JsonNode> value;
    std::optional<zarr::JsonNode> before;
    bool is_new = false;  // set since the last flush
  };

  /// The array, if the dataset can be changed; else null.
  const MDArray* FindChangeable() const;
  CPLErr Change(const std::function<void(MDArray& array)>& change);
  void Check(int band, const std::string& name, const std::optional<zarr::JsonNode>& value) const;
  /// Records that a value was set through a band, and the value before.
  void Note(int band, const std::string& name, const std::optional<zarr::JsonNode>& value,
            const std::optional<zarr::JsonNode>& before);
  /// Returns true if a value was set through all bands.
  bool IsEven(const Value& value) const;
  bool IsInteger() const;

  const RasterParts raster_;
  std::shared_ptr<const zarr::Array> picked_from_;  // the snapshot of the array that has `attributes_`
  zarr::JsonNode attributes_;
  std::optional<CPLStringList> categories_;  // nullopt until they are read
  std::optional<GDALColorTable> colors_;
  std::map<std::string, Value> values_;
};

}  // namespace gdal_zarr
