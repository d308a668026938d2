#pragma once

#include <string>
#include <string_view>

#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// The object with a member set to that value: in its place if there is one of that name, else at the end. Null counts
/// as an object without members.
zarr::JsonNode WithMember(const zarr::JsonNode& object, std::string_view name, const zarr::JsonNode& value);
/// The object without that member.
zarr::JsonNode WithoutMember(const zarr::JsonNode& object, std::string_view name);

}  // namespace gdal_zarr
