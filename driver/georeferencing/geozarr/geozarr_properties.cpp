// SPDX-License-Identifier: MIT
#include "driver/georeferencing/geozarr/geozarr_properties.h"

#include <algorithm>

#include "driver/dataset/attribute_names.h"
#include "driver/dataset/shared_resource.h"
#include "driver/georeferencing/affine.h"
#include "driver/georeferencing/geozarr/conventions_list.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

constexpr int kMostGroups = 3;  // each costs a store lookup

std::optional<JsonNode> FindSaid(const JsonNode& attributes, const std::string& name) {
  const auto value = FindMember(attributes, name);
  return value && !value->IsNull() ? value : std::nullopt;
}

/// Returns the former name of a property of `spatial`, from when it was part of `proj`.
std::string GetFormerName(std::string_view name) {
  return name == "dimensions" ? "proj:spatial_dimensions" : "proj:" + std::string(name);
}

/// Finds an array in the layout of a group. Returns nullopt if the layout does not name it.
std::optional<GeoZarrLevel> FindLevelIn(const std::string& group, const JsonNode& attributes,
                                        const std::string& array) {
  const GeoZarrNode node(attributes);
  if (!node.declares_any() || !Declares(attributes, kMultiscalesConvention)) return std::nullopt;
  const auto multiscales = attributes.Find(kMultiscalesAttribute);
  if (!multiscales) return std::nullopt;
  const std::string relative = group.empty() ? array : array.substr(group.size() + 1);
  std::vector<PyramidLevel> levels = FindLevelsOf(ReadLayout(*multiscales), relative);
  const auto is_it = [&](const PyramidLevel& level) {
    return level.asset == relative || level.asset == GetParentPath(relative);
  };
  const auto found = std::find_if(levels.begin(), levels.end(), is_it);
  if (found == levels.end()) return std::nullopt;
  const auto index = static_cast<std::size_t>(found - levels.begin());
  const GeoZarrNode entry(found->entry, node);
  return GeoZarrLevel{group, std::move(levels), index, entry, node};
}

}  // namespace

// --- one node ---------------------------------------------------------------------------------------------------

GeoZarrNode::GeoZarrNode(const JsonNode& attributes)
    : attributes_(attributes),
      proj_(Declares(attributes, kProjConvention)),
      spatial_(Declares(attributes, kSpatialConvention)) {}

GeoZarrNode::GeoZarrNode(const JsonNode& attributes, const std::vector<JsonNode>& above) : GeoZarrNode(attributes) {
  for (const JsonNode& group : above) {
    proj_ = proj_ || Declares(group, kProjConvention);
    spatial_ = spatial_ || Declares(group, kSpatialConvention);
  }
}

bool GeoZarrNode::LacksDeclaration(const JsonNode& attributes) {
  if (!attributes.IsObject()) return false;
  bool proj = false;
  bool spatial = false;
  for (const auto& [name, value] : attributes.GetMembers()) {
    proj = proj || name.starts_with("proj:");
    spatial = spatial || name.starts_with("spatial:");
  }
  return (proj && !Declares(attributes, kProjConvention)) || (spatial && !Declares(attributes, kSpatialConvention));
}

GeoZarrNode::GeoZarrNode(const JsonNode& entry, const GeoZarrNode& group)
    : attributes_(entry), proj_(group.proj_), spatial_(group.spatial_) {}

void GeoZarrNode::IgnorePyramid() {
  const auto multiscales = FindMember(attributes_, kMultiscalesAttribute);
  if (multiscales && multiscales->IsObject() && multiscales->Has(kWrittenWithLayout)) proj_ = spatial_ = false;
}

std::optional<JsonNode> GeoZarrNode::FindProj(const char* name) const {
  return proj_ ? FindSaid(attributes_, "proj:" + std::string(name)) : std::nullopt;
}

std::optional<JsonNode> GeoZarrNode::FindSpatial(const char* name) const {
  const auto value = spatial_ ? FindSaid(attributes_, "spatial:" + std::string(name)) : std::nullopt;
  return value || !proj_ ? value : FindSaid(attributes_, GetFormerName(name));
}

bool GeoZarrNode::DescribesOtherShape(std::uint64_t width, std::uint64_t height) const {
  const auto shape = FindSpatial("shape");
  // A shape that cannot be parsed does not contradict. There may be a Z before Y and X, as in `spatial:dimensions`.
  if (!shape || !shape->IsArray() || shape->size() < 2) return false;
  const JsonNode rows = (*shape)[shape->size() - 2];
  const JsonNode columns = (*shape)[shape->size() - 1];
  if (!rows.IsNumber() || !columns.IsNumber()) return false;
  return rows.AsDouble() != static_cast<double>(height) || columns.AsDouble() != static_cast<double>(width);
}

std::optional<GeoTransform> GeoZarrNode::ReadTransform() const {
  const auto numbers = FindSpatial("transform");
  if (!numbers) return std::nullopt;
  const bool is_spatial = spatial_ && attributes_.Has("spatial:transform");
  return is_spatial ? ReadAffine(*numbers) : ReadAffineOrMatrix(*numbers);
}

std::optional<GeoTransform> GeoZarrNode::ReadBoxTransform(std::uint64_t width, std::uint64_t height,
                                                          bool centres) const {
  const auto box = FindSpatial("bbox");
  return box ? ReadBox(*box, width, height, centres) : std::nullopt;
}

// --- all nodes that matter to an array -----------------------------------------------------------------------------

GeoZarrProperties::GeoZarrProperties(const GeoContext& context) {
  nodes_.push_back(MakeNode(context, context.array.metadata().attributes));
  if (context.array.path().empty()) return;
  try {
    FindLevel(context);
  } catch (const zarr::Error& error) {
    if (error.kind() == zarr::ErrorKind::kIo) throw;
    layout_error_ = error;
  }
  if (level_ && level_->group == context.GetGroupPath()) return;
  nodes_.push_back(MakeNode(context, context.nodes.finder().FindGroupAttributes(context.GetGroupPath())));
  nodes_.back().IgnorePyramid();
}

GeoZarrNode GeoZarrProperties::MakeNode(const GeoContext& context, const JsonNode& attributes) const {
  if (context.array.path().empty() || !GeoZarrNode::LacksDeclaration(attributes)) return GeoZarrNode(attributes);
  const std::string group = context.GetGroupPath();
  std::vector<JsonNode> above = {context.nodes.finder().FindGroupAttributes(group)};
  if (!group.empty()) above.push_back(context.nodes.finder().FindGroupAttributes(""));
  return GeoZarrNode(attributes, above);
}

void GeoZarrProperties::FindLevel(const GeoContext& context) {
  std::string group = context.array.path();
  for (int i = 0; i < kMostGroups && !level_ && !group.empty(); ++i) {
    group = GetParentPath(group);
    level_ = FindLevelIn(group, context.nodes.finder().FindGroupAttributes(group), context.array.path());
  }
}

const std::optional<GeoZarrLevel>& GeoZarrProperties::level() const {
  if (layout_error_) throw *layout_error_;
  return level_;
}

std::vector<const GeoZarrNode*> GeoZarrProperties::GetAllNodes() const {
  std::vector<const GeoZarrNode*> all;
  for (const GeoZarrNode& node : nodes_) all.push_back(&node);
  if (level_) all.insert(all.end(), {&level_->entry, &level_->of_group});
  return all;
}

std::optional<JsonNode> GeoZarrProperties::FindSpatial(const char* name) const {
  for (const GeoZarrNode* node : GetAllNodes()) {
    if (auto value = node->FindSpatial(name)) return value;
  }
  return std::nullopt;
}

bool GeoZarrProperties::RefersToCentres() const {
  const auto registration = FindSpatial("registration");
  if (!registration || registration->AsString() == "pixel") return false;
  if (registration->AsString() != "node") registration->FailExpected("\"pixel\" or \"node\"");
  return true;
}

bool GeoZarrProperties::RefersToCorners() const {
  if (RefersToCentres()) return false;
  return FindSpatial("registration") || FindSpatial("transform") || FindSpatial("bbox");
}

std::optional<GeoTransform> GeoZarrProperties::FindOwnTransform(const zarr::Shape& shape,
                                                                const RasterAxes& axes) const {
  const bool centres = RefersToCentres();
  for (const GeoZarrNode& node : nodes_) {
    std::optional<GeoTransform> transform;
    if (!node.DescribesOtherShape(shape[axes.x], shape[axes.y])) transform = node.ReadTransform();
    if (!transform) transform = node.ReadBoxTransform(shape[axes.x], shape[axes.y], centres);
    if (transform) return centres ? ToCorners(*transform) : *transform;
  }
  return std::nullopt;
}

bool GeoZarrProperties::InheritsProj() const {
  const auto nodes = GetAllNodes();
  return std::any_of(nodes.begin() + 1, nodes.end(), [](const auto* node) { return node->declares_proj(); });
}

bool GeoZarrProperties::InheritsSpatial() const {
  const auto nodes = GetAllNodes();
  return std::any_of(nodes.begin() + 1, nodes.end(), [](const auto* node) { return node->declares_spatial(); });
}

const GeoZarrProperties& ReadGeoZarr(const GeoContext& context) {
  if (!context.geozarr) context.geozarr = std::make_shared<const GeoZarrProperties>(context);
  return *context.geozarr;
}

}  // namespace gdal_zarr
