// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "driver/georeferencing/geo_context.h"

namespace gdal_zarr {

/// A convention that nodes declare in their attribute `zarr_conventions`: a list; in drafts, an object with one member
/// per convention, named by its UUID.
struct ZarrConvention {
  std::string_view uuid;
  /// The convention's repository, a step in the path of the schema's and the specification's URLs.
  std::string_view repository;
  std::string_view former_repository;
};

inline constexpr ZarrConvention kProjConvention = {"f17cb550-5864-4468-aeb7-f3180cfb622f", "proj", "geo-proj"};
inline constexpr ZarrConvention kSpatialConvention = {"689b58e2-cf7b-45e0-9fff-9cfc0883d6b4", "spatial", ""};
inline constexpr ZarrConvention kMultiscalesConvention = {"d35379db-88df-4056-af3a-620245f8e347", "multiscales", ""};

/// Returns true if a node's attributes declare the convention: by its UUID, its schema's URL or its specification's
/// URL, in this order. Names are ignored, because they have changed.
bool Declares(const zarr::JsonNode& attributes, const ZarrConvention& convention);

/// Returns the attributes with a declaration of the convention, which replaces an older one. Declarations of other
/// conventions are kept. The object of a draft becomes a list.
zarr::JsonNode WithConvention(const zarr::JsonNode& attributes, const ZarrConvention& convention, const char* name,
                              const char* description);
zarr::JsonNode WithoutConvention(const zarr::JsonNode& attributes, const ZarrConvention& convention);

}  // namespace gdal_zarr
