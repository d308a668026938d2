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

/// Properties that GDAL has for each band, and for which neither Zarr nor CF have attributes, are in the attribute
/// `gdal:bands`: a list with an object per band, whose members are `description`, `metadata` (of the default domain)
/// and `category_names`. Bands are counted from 0 here.

/// Copies those attributes of an array that its bands ask for: the ones below, and those of values (ranges, flags,
/// colours, statistics). With many bands and attributes, each band would search all attributes otherwise.
zarr::JsonNode PickBandAttributes(const zarr::JsonNode& attributes);

inline constexpr const char* kBandDescription = "description";
inline constexpr const char* kBandMetadata = "metadata";
inline constexpr const char* kBandCategories = "category_names";

/// A band among all bands of an array.
struct BandPlace {
  std::size_t band = 0;
  std::size_t count = 1;
};

/// Changes a member of a band's object; without a value, removes it.
void SetBandItem(zarr::JsonChanges* changes, const BandPlace& place, const std::string& member,
                 const std::optional<zarr::JsonNode>& value);

/// Returns the names of a band's categories, which a member of its object has; empty without a value.
CPLStringList ReadCategories(const std::optional<zarr::JsonNode>& own);

/// Returns the metadata of a band's default domain. `item` is the band's object.
CPLStringList GetBandMetadata(const std::optional<zarr::JsonNode>& item);
/// Changes a metadata item of a band; without a value, removes it. Statistics (STATISTICS_MINIMUM and so on) become
/// attributes of these names, as a number or a list with one per band; one whose text is not that of a number is text
/// there, and one that is no number is an item like others. `statistic` is the band's present item of the attribute of
/// that name, which keeps its form if it has the same text.
void SetBandMetadata(zarr::JsonChanges* changes, const BandPlace& place, const std::string& name,
                     const std::optional<std::string>& value, const std::optional<zarr::JsonNode>& statistic);
/// Whether a metadata item is kept in an attribute of its name.
bool IsKeptAsStatistic(const std::string& name, const std::string& value);

/// Changes an item of the attribute COLOR_INTERPRETATION, which GDAL writes: one name, or one per band. `shown` are the
/// names of all bands, which a list gets that is not there yet; there is none if all are undefined.
void SetColorInterpretationName(zarr::JsonChanges* changes, const BandPlace& place, const std::string& name,
                                const std::vector<std::string>& shown);

/// Whether the driver uses an attribute for another purpose than metadata. Such attributes are changed by GDAL's
/// functions for that purpose.
bool IsReservedAttribute(std::string_view name);

}  // namespace gdal_zarr
