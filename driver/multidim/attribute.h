#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "driver/dataset/live_objects.h"
#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_compat.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// The node whose attributes can be written. Its functions throw zarr::Error.
struct AttributeHome {
  std::shared_ptr<SharedResource> resource;  ///< Null where attributes cannot be written.
  std::string node;                          ///< The node's path.
  /// Puts a value into the store.
  std::function<void(const std::string& name, const zarr::JsonNode& value)> store;
  /// Gives what is stored another name.
  std::function<void(const std::string& from, const std::string& to)> rename;
};

/// A member of a node's attributes.
///
/// A string, a number, or a list of either is what it is in JSON: integers are Int32, Int64 or UInt64, whichever is the
/// first that holds them all, and others Float64. All else (null, booleans, objects, lists that are empty, nested or
/// mixed) is its JSON text, of the subtype GEDTST_JSON.
class Attribute final : public GDALAttribute, public LiveObject {
 public:
  Attribute(const std::string& parent_full_name, const std::string& name, const zarr::JsonNode& value,
            AttributeHome home = {});
  /// A new one: a value of that type, or a list of `count`. It is stored when it is written; else as zeros or empty
  /// strings when somebody asks for the node's attributes, when the dataset is flushed, or when nobody has it any more.
  Attribute(const std::string& parent_full_name, const std::string& name, const GDALExtendedDataType& type,
            std::optional<std::uint64_t> count, AttributeHome home);
  ~Attribute() override;

  const std::vector<std::shared_ptr<GDALDimension>>& GetDimensions() const override { return dimensions_; }
  const GDALExtendedDataType& GetDataType() const override { return type_; }
  bool Rename(const std::string& name) ZARR_OVERRIDE_SINCE_GDAL_3_8;

  /// What this object says, after the attribute has got another name.
  void SetName(const std::string& name);
  void SavePending() override;
  bool is_pending() const { return is_pending_; }
  /// The attribute has been removed.
  void Delete() { SetDeleted(); }

 protected:
  bool IRead(const GUInt64* start, const size_t* count, const GInt64* step, const GPtrDiff_t* stride,
             const GDALExtendedDataType& buffer_type, void* buffer) const override;
  bool IWrite(const GUInt64* start, const size_t* count, const GInt64* step, const GPtrDiff_t* stride,
              const GDALExtendedDataType& buffer_type, const void* buffer) override;

 private:
  using Values = std::variant<std::vector<std::string>, std::vector<std::int32_t>, std::vector<std::int64_t>,
                              std::vector<std::uint64_t>, std::vector<double>>;

  void OnMoved() override;
  static Values ValuesOf(const std::vector<zarr::JsonNode>& items);
  void SetCount(std::uint64_t count);
  void CheckWritable() const;
  /// The value as JSON; that of a JSON text itself.
  zarr::JsonNode ToJson() const;
  void SetElement(std::size_t index, const std::byte* source, const GDALExtendedDataType& type);

  Values values_;
  GDALExtendedDataType type_ = GDALExtendedDataType::CreateString();
  std::vector<std::shared_ptr<GDALDimension>> dimensions_;
  AttributeHome home_;
  bool is_pending_ = false;  // created, but not stored yet
};

/// The attribute of that name, or null.
std::shared_ptr<GDALAttribute> MakeAttribute(const std::string& parent_full_name, const zarr::JsonNode& attributes,
                                             const std::string& name, const AttributeHome& home = {});

/// An attribute as a line of a raster's metadata: lists as {a,b}, as GDAL's own driver has them.
std::string AttributeText(const GDALAttribute& attribute);

/// All attributes, in their order; `hidden` tells those to leave out.
std::vector<std::shared_ptr<GDALAttribute>> MakeAttributes(
    const std::string& parent_full_name, const zarr::JsonNode& attributes,
    const std::function<bool(const std::string&, const zarr::JsonNode&)>& hidden, const AttributeHome& home = {});

/// For CreateAttribute, of a node that has one of that name: throws zarr::Error(invalid_argument).
[[noreturn]] void FailAttributeExists(const std::string& parent_full_name, const std::string& name);

/// For CreateAttribute: a new attribute of no or one dimension. Throws zarr::Error(unsupported) for others.
std::shared_ptr<GDALAttribute> NewAttribute(const std::string& parent_full_name, const std::string& name,
                                            const std::vector<GUInt64>& dimensions, const GDALExtendedDataType& type,
                                            AttributeHome home);

/// After the attributes of a node have been replaced: what anyone holds of those that are gone is of no use any more.
void ForgetAttributes(SharedResource& resource, const std::string& node, const zarr::JsonNode& kept);
/// Gives an attribute of a node another name by `store`, which stores the object that it is given: what anyone holds
/// of it goes on. Throws zarr::Error: invalid_argument for a name that is taken.
void RenameAttribute(SharedResource& resource, const std::string& node, const zarr::JsonNode& attributes,
                     const std::string& from, const std::string& to,
                     const std::function<void(const zarr::JsonNode&)>& store);

}  // namespace gdal_zarr
