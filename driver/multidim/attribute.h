// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "driver/dataset/live_objects.h"
#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_compat.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// GDAL's drivers name the attributes of a group "<group>/_GLOBAL_/<name>".
inline constexpr std::string_view kGlobalName = "_GLOBAL_";

/// The node whose attributes are written. The functions throw zarr::Error.
struct AttributeHome {
  std::shared_ptr<SharedResource> resource;  ///< Null if attributes cannot be written.
  std::string node;                          ///< The node's path.
  /// Saves a value.
  std::function<void(const std::string& name, const zarr::JsonNode& value)> save;
  /// Renames a saved attribute.
  std::function<void(const std::string& from, const std::string& to)> rename;
};

/// The value of an attribute: one or more strings or numbers, or a JSON text.
using AttributeValues = std::variant<std::vector<std::string>, std::vector<std::int32_t>, std::vector<std::int64_t>,
                                     std::vector<std::uint64_t>, std::vector<double>>;

/// Returns GDAL's type for one of these values.
template <typename T>
GDALExtendedDataType GetTypeOf() {
  if constexpr (std::is_same_v<T, std::int32_t>) return GDALExtendedDataType::Create(GDT_Int32);
  if constexpr (std::is_same_v<T, std::int64_t>) return GDALExtendedDataType::Create(GDT_Int64);
  if constexpr (std::is_same_v<T, std::uint64_t>) return GDALExtendedDataType::Create(GDT_UInt64);
  if constexpr (std::is_same_v<T, double>) return GDALExtendedDataType::Create(GDT_Float64);
  return GDALExtendedDataType::CreateString();
}

/// An attribute of a node.
///
/// A string, a number, or a list of either keeps its JSON type: integers become Int32, Int64 or UInt64 (the first type
/// that fits all of them), and other numbers Float64. Anything else (null, booleans, objects, empty, nested and mixed
/// lists) becomes its JSON text, with the subtype GEDTST_JSON; null becomes "", because GDAL's printing of attributes
/// fails for the text "null". A new attribute keeps the type that it was created with until it is opened again, because
/// GDAL copies attributes by their bytes.
class Attribute final : public GDALAttribute, public LiveObject {
 public:
  Attribute(const std::string& parent_full_name, const std::string& name, const zarr::JsonNode& value,
            AttributeHome home = {});
  /// Creates a new attribute: one value, a list, or nested lists of a `shape`. It is saved when it is written. If it is
  /// never written, it is saved with zeros or empty strings: when the node's attributes are listed, when the dataset is
  /// flushed, or when this object is destroyed.
  Attribute(const std::string& parent_full_name, const std::string& name, const GDALExtendedDataType& type,
            const std::vector<GUInt64>& shape, AttributeHome home);
  ~Attribute() override;

  const std::vector<std::shared_ptr<GDALDimension>>& GetDimensions() const override { return dimensions_; }
  const GDALExtendedDataType& GetDataType() const override { return type_; }
  bool Rename(const std::string& name) ZARR_OVERRIDE_SINCE_GDAL_3_8;

  /// Changes this object's name after the attribute has been renamed.
  void SetName(const std::string& name);
  void SavePending() override;
  bool is_pending() const { return is_pending_; }
  /// Marks this object as deleted, after the attribute has been removed.
  void Delete() { SetDeleted(); }

 protected:
  bool IRead(const GUInt64* start, const size_t* count, const GInt64* step, const GPtrDiff_t* stride,
             const GDALExtendedDataType& buffer_type, void* buffer) const override;
  bool IWrite(const GUInt64* start, const size_t* count, const GInt64* step, const GPtrDiff_t* stride,
              const GDALExtendedDataType& buffer_type, const void* buffer) override;

 private:
  void OnMoved() override;
  static AttributeValues ReadValues(const std::vector<zarr::JsonNode>& items);
  void AddDimension(std::uint64_t size);
  void CheckWritable() const;
  /// Returns the value as JSON; a JSON text is parsed.
  zarr::JsonNode ToJson() const;
  void SetElement(std::size_t index, const std::byte* source, const GDALExtendedDataType& type);

  AttributeValues values_;
  GDALExtendedDataType type_ = GDALExtendedDataType::CreateString();
  std::vector<std::shared_ptr<GDALDimension>> dimensions_;
  AttributeHome home_;
  bool is_pending_ = false;  // created, but not saved yet
};

/// Calls `visit` for all elements of a request of GDAL's, with the index of the element in the attribute and that in
/// the buffer, both counted in elements.
template <typename Visit>
void VisitElements(const std::vector<std::shared_ptr<GDALDimension>>& dimensions, const GUInt64* start,
                   const size_t* count, const GInt64* step, const GPtrDiff_t* stride, const Visit& visit,
                   std::size_t axis = 0, std::size_t index = 0, GPtrDiff_t place = 0) {
  if (axis == dimensions.size()) {
    visit(index, place);
    return;
  }
  const auto size = static_cast<std::size_t>(dimensions[axis]->GetSize());
  for (std::size_t i = 0; i < count[axis]; ++i) {
    const GInt64 position = static_cast<GInt64>(start[axis]) + step[axis] * static_cast<GInt64>(i);
    VisitElements(dimensions, start, count, step, stride, visit, axis + 1,
                  index * size + static_cast<std::size_t>(position), place + stride[axis] * static_cast<GPtrDiff_t>(i));
  }
}

/// Creates the object for an attribute, or returns null if it has no value.
std::shared_ptr<GDALAttribute> MakeAttribute(const std::string& parent_full_name, const std::string& name,
                                             const std::optional<zarr::JsonNode>& value,
                                             const AttributeHome& home = {});

/// Returns true if NetCDF-C adds an attribute for its own use.
bool IsNczarrAttribute(std::string_view name);

/// Formats an attribute for a raster's metadata: lists as {a,b}, as in GDAL's built-in driver.
std::string GetAttributeText(const GDALAttribute& attribute);

/// Creates the objects for all attributes, in order, except those for which `hidden` returns true.
std::vector<std::shared_ptr<GDALAttribute>> MakeAttributes(
    const std::string& parent_full_name, const zarr::JsonNode& attributes,
    const std::function<bool(const std::string&, const zarr::JsonNode&)>& hidden, const AttributeHome& home = {});

/// Throws zarr::Error(invalid_argument) for CreateAttribute, because the node has an attribute of that name.
[[noreturn]] void FailAttributeExists(const std::string& parent_full_name, const std::string& name);

/// Creates an attribute for CreateAttribute. One of several dimensions is saved as nested lists, and has its JSON text
/// when it is opened again. `is_copied` tells that GDAL copies it, which GDAL refuses if it has no elements: then the
/// result only stands for it. Throws zarr::Error(unsupported) for types that JSON lacks.
std::shared_ptr<GDALAttribute> MakeNewAttribute(const std::string& parent_full_name, const std::string& name,
                                                const std::vector<GUInt64>& dimensions,
                                                const GDALExtendedDataType& type, const AttributeHome& home,
                                                bool is_copied);

/// Defers the change of an attribute from `before` to `value`, together with other changes of its node. In an object,
/// only the members that differ are changed, because other processes may set the rest. An attribute that already has
/// the value (SaysAlready) keeps its form. If `value` is nullopt, the attribute is removed, and its objects count as
/// deleted. Throws like SharedResource::ChangeAttributesLater.
void ChangeAttributeLater(SharedResource& resource, const std::string& node, const std::string& name,
                          const std::optional<zarr::JsonNode>& before, const std::optional<zarr::JsonNode>& value);
/// Call this after the attributes of a node have been replaced: marks objects of removed attributes as deleted.
void ForgetAttributes(SharedResource& resource, const std::string& node, const zarr::JsonNode& kept);
/// Renames an attribute of a node. `save` stores the object with the new names. Objects of the attribute follow. Throws
/// zarr::Error(invalid_argument) if the name is taken.
void RenameAttribute(SharedResource& resource, const std::string& node, const zarr::JsonNode& attributes,
                     const std::string& from, const std::string& to,
                     const std::function<void(const zarr::JsonNode&)>& save);

}  // namespace gdal_zarr
