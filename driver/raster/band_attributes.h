// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/json/json_changes.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// Properties that GDAL has for each band, and for which neither Zarr nor CF defines an attribute, are stored in the
/// attribute `gdal:bands`: a list with an object per band, whose members are `description`, `metadata` (of the default
/// domain) and `category_names`. Band numbers start at 0 here.

/// Copies the attributes of an array that its bands read: the attributes named below, and those that describe values
/// (ranges, flags, colours, statistics). Otherwise each band would search all attributes, which is slow with many bands
/// and attributes.
zarr::JsonNode PickBandAttributes(const zarr::JsonNode& attributes);

inline constexpr const char* kBandDescription = "description";
inline constexpr const char* kBandMetadata = "metadata";
inline constexpr const char* kBandCategories = "category_names";

/// The index of a band, and the number of all bands of its array.
struct BandPlace {
  std::size_t band = 0;
  std::size_t count = 1;
};

/// Changes a member of a band's object, or removes it if `value` is nullopt.
void SetBandItem(zarr::JsonChanges* changes, const BandPlace& place, const std::string& member,
                 const std::optional<zarr::JsonNode>& value);

/// Returns the names of a band's categories, given the member `category_names` of its object. Returns an empty list for
/// nullopt.
CPLStringList ReadCategories(const std::optional<zarr::JsonNode>& own);

/// Returns the metadata of a band's default domain. `item` is the band's object.
CPLStringList GetBandMetadata(const std::optional<zarr::JsonNode>& item);
/// Changes a metadata item of a band, or removes it if `value` is nullopt. Statistics (STATISTICS_MINIMUM and so on)
/// become attributes of the same names: a number, or a list with one item per band. Text that is not the exact form of
/// a number is stored as text, and text that is not a number at all becomes an ordinary item. `statistic` is the band's
/// current item of the attribute of that name; it keeps its form if it has the same text.
void SetBandMetadata(zarr::JsonChanges* changes, const BandPlace& place, const std::string& name,
                     const std::optional<std::string>& value, const std::optional<zarr::JsonNode>& statistic);
/// Returns true if a metadata item is stored in an attribute of its name.
bool IsKeptAsStatistic(const std::string& name, const std::string& value);

/// Changes an item of the attribute COLOR_INTERPRETATION, in GDAL's form: one name, or one per band. `shown` contains
/// the names of all bands, which are used to create the list if it does not exist. The attribute is removed if all
/// bands are undefined.
void SetColorInterpretationName(zarr::JsonChanges* changes, const BandPlace& place, const std::string& name,
                                const std::vector<std::string>& shown);

/// Returns true if the driver uses an attribute for a purpose other than metadata. Such attributes are changed by
/// GDAL's functions for that purpose.
bool IsReservedAttribute(std::string_view name);

}  // namespace gdal_zarr
