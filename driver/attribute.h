#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "driver/gdal_compat.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// Puts an attribute's value into the store. Throws zarr::Error.
using AttributeStore = std::function<void(const std::string& name, const zarr::JsonNode& value)>;

/// A member of a node's attributes.
///
/// A string, a number, or a list of either is what it is in JSON: integers are Int32, Int64 or UInt64, whichever is the
/// first that holds them all, and others Float64. All else (null, booleans, objects, lists that are empty, nested or
/// mixed) is its JSON text, of the subtype GEDTST_JSON.
class Attribute final : public GDALAttribute {
 public:
  /// `store` is empty where attributes cannot be written.
  Attribute(const std::string& parent_full_name, const std::string& name, const zarr::JsonNode& value,
            AttributeStore store = {});
  /// A new one, which is stored when it is written: a value of that type, or a list of `count`.
  Attribute(const std::string& parent_full_name, const std::string& name, const GDALExtendedDataType& type,
            std::optional<std::uint64_t> count, AttributeStore store);

  const std::vector<std::shared_ptr<GDALDimension>>& GetDimensions() const override { return dimensions_; }
  const GDALExtendedDataType& GetDataType() const override { return type_; }

 protected:
  bool IRead(const GUInt64* start, const size_t* count, const GInt64* step, const GPtrDiff_t* stride,
             const GDALExtendedDataType& buffer_type, void* buffer) const override;
  bool IWrite(const GUInt64* start, const size_t* count, const GInt64* step, const GPtrDiff_t* stride,
              const GDALExtendedDataType& buffer_type, const void* buffer) override;

 private:
  using Values = std::variant<std::vector<std::string>, std::vector<std::int32_t>, std::vector<std::int64_t>,
                              std::vector<std::uint64_t>, std::vector<double>>;

  static Values ValuesOf(const std::vector<zarr::JsonNode>& items);
  void SetCount(std::uint64_t count);
  /// The value as JSON; that of a JSON text itself.
  zarr::JsonNode ToJson() const;
  void SetElement(std::size_t index, const std::byte* source, const GDALExtendedDataType& type);

  Values values_;
  GDALExtendedDataType type_ = GDALExtendedDataType::CreateString();
  std::vector<std::shared_ptr<GDALDimension>> dimensions_;
  AttributeStore store_;
};

/// The attribute of that name, or null.
std::shared_ptr<GDALAttribute> MakeAttribute(const std::string& parent_full_name, const zarr::JsonNode& attributes,
                                             const std::string& name, const AttributeStore& store = {});

/// An attribute as a line of a raster's metadata: lists as {a,b}, as GDAL's own driver has them.
std::string AttributeText(const GDALAttribute& attribute);

/// All attributes, in their order; `hidden` tells those to leave out.
std::vector<std::shared_ptr<GDALAttribute>> MakeAttributes(
    const std::string& parent_full_name, const zarr::JsonNode& attributes,
    const std::function<bool(const std::string&, const zarr::JsonNode&)>& hidden, const AttributeStore& store = {});

/// For CreateAttribute, of a node that has one of that name: throws zarr::Error(invalid_argument).
[[noreturn]] void FailAttributeExists(const std::string& parent_full_name, const std::string& name);

/// For CreateAttribute: a new attribute of no or one dimension. Throws zarr::Error(unsupported) for others.
std::shared_ptr<GDALAttribute> NewAttribute(const std::string& parent_full_name, const std::string& name,
                                            const std::vector<GUInt64>& dimensions, const GDALExtendedDataType& type,
                                            AttributeStore store);

}  // namespace gdal_zarr
