// SPDX-License-Identifier: MIT
#include "driver/georeferencing/geo_context.h"

#include <utility>
#include <vector>

#include "driver/dataset/attribute_names.h"
#include "driver/dataset/unused_attribute.h"
#include "driver/gdal/gdal_error.h"
#include "driver/georeferencing/same_spatial_ref.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

constexpr const char* kAnySpatialRef = "a coordinate reference system";

bool IsCode(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Returns null if `form` is not an SRS.
SpatialRef TryParseSpatialRef(const zarr::JsonNode& form) {
  if (!form.IsString() && !form.IsObject() && !form.IsInteger()) return nullptr;
  std::string text = form.IsString() ? form.AsString() : form.Dump();
  if (IsCode(text)) text.insert(0, "EPSG:");
  auto srs = std::make_unique<OGRSpatialReference>();
  const ErrorCollector hidden_errors;
  if (srs->SetFromUserInput(text.c_str(), OGRSpatialReference::SET_FROM_USER_INPUT_LIMITATIONS_get()) != OGRERR_NONE) {
    return nullptr;
  }
  srs->SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  return srs;
}

}  // namespace

std::optional<zarr::JsonNode> GeoContext::FindAttribute(std::string_view name) const {
  const zarr::JsonNode& attributes = array.metadata().attributes;
  return FindMember(attributes, name);
}

std::string GeoContext::GetGroupPath() const {
  return GetParentPath(array.path());
}

SpatialRef ParseSpatialRef(const std::string& text) {
  return ParseSpatialRef(zarr::JsonNode::MakeString(text));
}

SpatialRef ParseSpatialRef(const zarr::JsonNode& form) {
  SpatialRef srs = TryParseSpatialRef(form);
  if (!srs) CPLError(CE_Warning, CPLE_AppDefined, "%s", FormatUnusable(form, kAnySpatialRef).c_str());
  return srs;
}

SpatialRef ParseForms(const GeoContext& context, std::span<const zarr::JsonNode> forms) {
  SpatialRef first;
  const zarr::JsonNode* first_form = nullptr;
  for (const zarr::JsonNode& form : forms) {
    if (first && form == *first_form) continue;
    SpatialRef srs = TryParseSpatialRef(form);
    if (!srs) {
      context.nodes.WarnOnce(FormatUnusable(form, kAnySpatialRef));
    } else if (!first) {
      first = std::move(srs);
      first_form = &form;
    } else if (!AreSameSpatialRef(*srs, *first)) {
      const std::string expected = DescribeSpatialRef(*first) + ", as " + first_form->pointer() + " says";
      context.nodes.WarnOnce(FormatContradiction(form, expected, DescribeSpatialRef(*srs)));
    }
  }
  return first;
}

SpatialRef MapToDimensions(const OGRSpatialReference& srs, std::size_t x_dimension, std::size_t y_dimension) {
  SpatialRef result(srs.Clone());
  std::vector<int> mapping = srs.GetDataAxisToSRSAxisMapping();
  // Entry i of the mapping is the data axis of the SRS's axis i, counted from 1; here, data axes are dimensions.
  for (int& axis : mapping) {
    if (axis == 1 || axis == 2) axis = static_cast<int>(axis == 1 ? x_dimension : y_dimension) + 1;
  }
  result->SetDataAxisToSRSAxisMapping(mapping);
  return result;
}

}  // namespace gdal_zarr
