// SPDX-License-Identifier: MIT
#include "driver/raster/slice.h"

#include <algorithm>
#include <string>

#include "driver/dataset/referred_arrays.h"
#include "driver/raster/coordinates/find_coordinate.h"
#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

using Dimensions = std::vector<std::shared_ptr<GDALDimension>>;

[[noreturn]] void Fail(const Selector& selector, const std::string& message) {
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument, FormatSelector(selector) + ": " + message);
}

std::string ListNames(const Dimensions& dimensions, const std::vector<std::size_t>& free) {
  std::string list;
  for (const std::size_t i : free) list += (list.empty() ? "\"" : ", \"") + dimensions[i]->GetName() + "\"";
  return list.empty() ? "the array has no dimensions besides X and Y" : "the dimensions besides X and Y are " + list;
}

/// Returns the dimension that a selector names.
std::size_t FindSelectedDimension(const Dimensions& dimensions, const std::vector<std::size_t>& free,
                                  const Selector& selector) {
  const auto has_name = [&](const auto& dimension) { return dimension->GetName() == selector.dimension; };
  const auto found = std::find_if(dimensions.begin(), dimensions.end(), has_name);
  const std::string name = "\"" + selector.dimension + "\"";
  if (found == dimensions.end()) {
    Fail(selector, "there is no dimension " + name + "; " + ListNames(dimensions, free));
  }
  if (std::count_if(dimensions.begin(), dimensions.end(), has_name) > 1) {
    Fail(selector, "several dimensions are called " + name + ": give indices after the array's name");
  }
  const auto dimension = static_cast<std::size_t>(found - dimensions.begin());
  if (std::find(free.begin(), free.end(), dimension) == free.end()) {
    Fail(selector, name + " is X or Y, of which a raster shows all; " + ListNames(dimensions, free));
  }
  return dimension;
}

std::uint64_t FindIndex(const GDALDimension& dimension, const Selector& selector) {
  const std::string name = "dimension \"" + selector.dimension + "\"";
  if (dimension.GetSize() == 0) Fail(selector, name + " has length 0");
  if (selector.kind == Selector::Kind::kIndex) {
    if (selector.index < dimension.GetSize()) return selector.index;
    Fail(selector, name + " has indices from 0 to " + std::to_string(dimension.GetSize() - 1));
  }
  const auto coordinates = FindIndexingVariable(dimension);
  if (!coordinates || coordinates->GetDimensionCount() != 1 || !CanBeSelected(coordinates->GetDataType())) {
    Fail(selector, name + " has no coordinates: choose by an index from 0 to " +
                       std::to_string(dimension.GetSize() - 1) + ", as in " + selector.dimension + "=#0");
  }
  return FindCoordinateIndex(*coordinates, selector);
}

}  // namespace

std::vector<std::optional<std::uint64_t>> ResolveSelectors(const zarr::Array& array, const Dimensions& dimensions,
                                                           const std::vector<std::size_t>& free,
                                                           const std::vector<Selector>& selectors) {
  try {
    // Checks all names before reading coordinates.
    std::vector<const Selector*> selected(dimensions.size(), nullptr);
    for (const Selector& selector : selectors) {
      const Selector*& place = selected[FindSelectedDimension(dimensions, free, selector)];
      if (place) Fail(selector, "dimension \"" + selector.dimension + "\" is selected twice");
      place = &selector;
    }
    std::vector<std::optional<std::uint64_t>> indices(dimensions.size());
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
      if (selected[i]) indices[i] = FindIndex(*dimensions[i], *selected[i]);
    }
    return indices;
  } catch (const zarr::Error& error) {
    throw error.At(array.store().name(), array.path());
  }
}

}  // namespace gdal_zarr
