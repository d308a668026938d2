// SPDX-License-Identifier: MIT
#include "driver/multidim/dimension.h"

#include <utility>

#include "driver/dataset/editable_array.h"
#include "driver/gdal/gdal_error.h"
#include "driver/multidim/coordinates/coordinate_set.h"
#include "driver/multidim/shared_dimensions.h"

namespace gdal_zarr {
namespace {

/// GDAL looks for groups if a full name has more components than that of the dimension.
bool HasPath(bool has_name, const std::string& name) {
  return has_name && name.find('/') == std::string::npos;
}

/// Returns true if one object can stand for both dimensions. Those that are found after the coordinates have got other
/// attributes differ from those found before.
bool AreOneDimension(const GDALDimension& a, const GDALDimension& b) {
  const auto& own_a = static_cast<const Dimension&>(a);
  const auto& own_b = static_cast<const Dimension&>(b);
  return !own_a.deleted() && !own_b.deleted() && own_a.GetKeyName() == own_b.GetKeyName() &&
         a.GetFullName() == b.GetFullName() && a.GetSize() == b.GetSize() && a.GetType() == b.GetType() &&
         a.GetDirection() == b.GetDirection();
}

}  // namespace

std::shared_ptr<Dimension> Dimension::Make(const std::shared_ptr<SharedResource>& resource, const FoundDimension& found,
                                           IndexingOpener open, std::shared_ptr<const CoordinateSet> coordinates) {
  std::shared_ptr<Dimension> dimension(new Dimension(resource, found, open, std::move(coordinates)));
  if (!resource->writable()) return dimension;
  // Arrays share their coordinates, which are one object.
  auto known = dimension->Share();
  if (known == dimension) resource->edits().live_objects.Add(dimension);
  return known;
}

Dimension::Dimension(std::shared_ptr<SharedResource> resource, const FoundDimension& found, IndexingOpener open,
                     std::shared_ptr<const CoordinateSet> coordinates)
    : GDALDimension(HasPath(found.has_name, found.name) ? MakeGdalFullName(found.node) : std::string(), found.name,
                    found.role.type, found.role.direction, found.size),
      LiveObject(found.node),
      resource_(std::move(resource)),
      indexing_(found.indexing),
      has_name_(found.has_name),
      open_(open),
      coordinates_(std::move(coordinates)) {}

std::shared_ptr<Dimension> Dimension::Share() {
  return std::static_pointer_cast<Dimension>(
      resource_->edits().dimension_objects.Add(GetKeyName(), shared_from_this(), &AreOneDimension));
}

bool Dimension::Rename(const std::string& name) {
  return TryChange([&] {
    CheckNotDeleted(GetFullName());
    RenameSharedDimension(resource_, {GetKeyName(), GetSize()}, name);
  });
}

void Dimension::SetPlace(const std::string& group, const std::string& name) {
  SetNode(group);
  m_osName = name;
  has_name_ = true;
  m_osFullName = HasPath(true, name) ? GetKeyName() : name;
  Share();
}

void Dimension::OnMoved() {
  if (HasPath(has_name_, GetName())) m_osFullName = GetKeyName();
  Share();
}

void Dimension::FollowMove(std::string_view from, std::string_view to) {
  LiveObject::FollowMove(from, to);
  const bool is_own = indexing_ && indexing_->resource == resource_;
  const auto moved = is_own ? GetMovedPath(indexing_->path, from, to) : std::nullopt;
  if (moved) indexing_->path = *moved;
}

void Dimension::FollowDeletion(std::string_view path) {
  LiveObject::FollowDeletion(path);
  if (indexing_ && indexing_->resource == resource_ && IsAtOrBelow(indexing_->path, path)) indexing_.reset();
}

std::shared_ptr<GDALMDArray> Dimension::Open(const NodePlace& indexing,
                                             const std::shared_ptr<const CoordinateSet>& coordinates) const {
  return open_(indexing, std::const_pointer_cast<Dimension>(shared_from_this()), coordinates);
}

std::shared_ptr<GDALMDArray> Dimension::FindIndexingVariable() const {
  CheckNotDeleted(GetFullName());
  if (!indexing_ && !resource_->writable()) return nullptr;
  try {
    if (indexing_) return Open(*indexing_, coordinates_);
    // It may have been created since.
    const auto found = FindIndexingArray(resource_, {node(), GetName()}, m_nSize);
    return found ? Open(*found, nullptr) : nullptr;
  } catch (const zarr::Error& error) {
    resource_->finder().Tolerate(error);
    return nullptr;
  }
}

std::shared_ptr<GDALMDArray> Dimension::GetIndexingVariable() const {
  return Guard(std::shared_ptr<GDALMDArray>(), [this] {
    auto variable = FindIndexingVariable();
    if (variable || !computer_) return variable;
    return computer_(std::const_pointer_cast<Dimension>(shared_from_this()));
  });
}

bool Dimension::SetIndexingVariable(std::shared_ptr<GDALMDArray> variable) {
  return Guard(false, [&] {
    CheckNotDeleted(GetFullName());
    const auto* array = AsOwnArray(variable.get());
    auto found = FindIndexingArray(resource_, {node(), GetName()}, m_nSize);
    if (array && found && found->resource == array->resource() && found->path == array->array().path()) {
      indexing_ = std::move(found);
      return true;
    }
    throw zarr::Error(zarr::ErrorKind::kUnsupported,
                      "indexing variable of dimension " + GetFullName() + ": " +
                          zarr::FormatExpectedGot("an array of one dimension, with that name and size, in its group",
                                                  variable ? variable->GetFullName() : "none"));
  });
}

std::vector<std::shared_ptr<GDALDimension>> MakeDimensions(const std::shared_ptr<SharedResource>& resource,
                                                           const zarr::Array& array, IndexingOpener open) {
  const bool is_remote = array.store().info().is_on_network();
  const auto coordinates = is_remote && !resource->writable() ? std::make_shared<CoordinateSet>() : nullptr;
  std::vector<std::shared_ptr<GDALDimension>> result;
  for (const FoundDimension& found : FindDimensions(resource, array)) {
    const bool is_in_set = coordinates && found.indexing_array;
    if (is_in_set) coordinates->Add(found.indexing_array);
    result.push_back(Dimension::Make(resource, found, open, is_in_set ? coordinates : nullptr));
  }
  return result;
}

std::vector<std::shared_ptr<GDALDimension>> MakePlainDimensions(const std::shared_ptr<SharedResource>& resource,
                                                                const zarr::Array& array, IndexingOpener open) {
  std::vector<std::shared_ptr<GDALDimension>> result;
  for (const FoundDimension& found : NameDimensions(*resource, array))
    result.push_back(Dimension::Make(resource, found, open));
  return result;
}

}  // namespace gdal_zarr
