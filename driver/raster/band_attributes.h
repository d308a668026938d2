// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// Properties that GDAL has for each band, and for which neither Zarr nor CF have attributes, are in the attribute
/// `gdal:bands`: a list with an object per band, whose members are `description`, `metadata` (of the default domain)
/// and `category_names`. Bands are counted from 0 here.

/// Copies those attributes of an array that its bands ask for: the ones below, and those of values (ranges, flags,
/// colours, statistics). With many bands and attributes, each band would search all attributes otherwise.
zarr::JsonNode PickBandAttributes(const zarr::JsonNode& attributes);

/// Finds a member of a band's object.
std::optional<zarr::JsonNode> FindBandItem(const zarr::JsonNode& attributes, std::size_t band, std::string_view member);
/// Returns the attributes with another value of a member, or without it.
zarr::JsonNode WithBandItem(const zarr::JsonNode& attributes, std::size_t band, std::size_t band_count,
                            std::string_view member, const std::optional<zarr::JsonNode>& value);

/// Returns the metadata of a band's default domain.
CPLStringList GetBandMetadata(const zarr::JsonNode& attributes, std::size_t band);
/// Returns the attributes with a changed metadata item of a band; null removes it. Statistics (STATISTICS_MINIMUM and
/// so on) become attributes of these names, as a number or a list with one per band.
zarr::JsonNode WithBandMetadata(const zarr::JsonNode& attributes, std::size_t band, std::size_t band_count,
                                const std::string& name, const char* value);

/// Returns the names of a band's categories: its own, else, for integers, those of CF's flags.
CPLStringList ReadCategories(const zarr::JsonNode& attributes, std::size_t band, bool is_integer);

/// Reads the attribute COLOR_INTERPRETATION, which GDAL writes: one name, or one per band; "" if there is none.
std::string GetColorInterpretationName(const zarr::JsonNode& attributes, std::size_t band);

/// Returns the attributes with the names of all bands' colour interpretations, or without them if all are undefined.
zarr::JsonNode WithColorInterpretations(const zarr::JsonNode& attributes, const std::vector<std::string>& names);

/// Whether the driver uses an attribute for another purpose than metadata. Such attributes are changed by GDAL's
/// functions for that purpose.
bool IsReservedAttribute(std::string_view name);

}  // namespace gdal_zarr
