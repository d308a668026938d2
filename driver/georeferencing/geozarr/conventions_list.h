#pragma once

#include <string_view>

#include "driver/georeferencing/georeferencing.h"

namespace gdal_zarr {

/// A convention of the Zarr conventions mechanism, which a node declares in its attribute `zarr_conventions`: a list,
/// in drafts an object with a member for each convention, called by its UUID.
struct ZarrConvention {
  std::string_view uuid;
  /// Its repositories: the schema's or specification's URL has one of them as a step of its path.
  std::string_view repository;
  std::string_view former_repository;
};

inline constexpr ZarrConvention kProjConvention = {"f17cb550-5864-4468-aeb7-f3180cfb622f", "proj", "geo-proj"};
inline constexpr ZarrConvention kSpatialConvention = {"689b58e2-cf7b-45e0-9fff-9cfc0883d6b4", "spatial", ""};
inline constexpr ZarrConvention kMultiscalesConvention = {"d35379db-88df-4056-af3a-620245f8e347", "multiscales", ""};

/// Whether a node's attributes declare the convention: by its UUID, else its schema's URL, else its specification's.
/// Names do not count: they have changed.
bool Declares(const zarr::JsonNode& attributes, const ZarrConvention& convention);

/// The attributes with a declaration of the convention, in the place of any other one of it; those of other conventions
/// stay. A draft's object becomes a list.
zarr::JsonNode WithConvention(const zarr::JsonNode& attributes, const ZarrConvention& convention, const char* name,
                              const char* description);
/// The attributes without any declaration of the convention.
zarr::JsonNode WithoutConvention(const zarr::JsonNode& attributes, const ZarrConvention& convention);

}  // namespace gdal_zarr
