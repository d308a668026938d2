#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// What GDAL has for each band, and neither Zarr nor CF have attributes for: the attribute `gdal:bands`, a list with an
/// object per band, of which the members are `description`, `metadata` (of the default domain) and `category_names`.
/// Bands are counted from 0.

/// A member of a band's object; nothing where there is none.
std::optional<zarr::JsonNode> BandItem(const zarr::JsonNode& attributes, std::size_t band, std::string_view member);
/// The attributes with another value of it, or without it.
zarr::JsonNode WithBandItem(const zarr::JsonNode& attributes, std::size_t band, std::size_t band_count,
                            std::string_view member, const std::optional<zarr::JsonNode>& value);

/// The metadata of a band's default domain.
CPLStringList BandMetadata(const zarr::JsonNode& attributes, std::size_t band);
/// The attributes with another metadata item of a band; null removes it. Statistics (STATISTICS_MINIMUM and so on) are
/// attributes of these names, as numbers: one, or a list with one per band.
zarr::JsonNode WithBandMetadata(const zarr::JsonNode& attributes, std::size_t band, std::size_t band_count,
                                const std::string& name, const char* value);

/// Whether an attribute is one that the driver writes for another purpose than metadata: those are changed by the
/// functions that GDAL has for it.
bool IsReservedAttribute(std::string_view name);

}  // namespace gdal_zarr
