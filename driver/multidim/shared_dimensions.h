#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "driver/dataset/shared_resource.h"
#include "zarrlib/base/shape.h"

namespace gdal_zarr {

/// What tells dimensions apart: arrays whose dimensions agree in both have one in common.
struct DimensionKey {
  std::string full_name;
  std::uint64_t size = 0;

  friend auto operator<=>(const DimensionKey&, const DimensionKey&) = default;  // NOLINT(modernize-use-nullptr)
};

/// Gives an array of a writable dataset another shape, and each array of the store that has one of the dimensions that
/// change the same new length along it; what anyone holds of these arrays and dimensions follows. What cannot be done
/// is found before anything is changed, as far as it can be; if the store fails after that, the arrays get their old
/// lengths back, with all their elements. Arrays whose metadata are broken do not follow, of which the user is warned;
/// one that cannot be read might have to, so that nothing is changed then. Throws zarr::Error(io), what
/// zarr::ResizeArrays throws, and zarr::Error(invalid_argument) for two lengths of one dimension.
void ResizeSharedDimensions(const std::shared_ptr<SharedResource>& resource, const std::string& array_path,
                            const zarr::Shape& shape);

/// Gives a dimension another name in all arrays of the store that have it. No array gets another name by this: the one
/// with the coordinates is only found again if it is renamed too. Throws zarr::Error(invalid_argument) for what is no
/// name, and for that of another dimension of the group.
void RenameSharedDimension(const std::shared_ptr<SharedResource>& resource, const DimensionKey& dimension,
                           const std::string& name);

}  // namespace gdal_zarr
