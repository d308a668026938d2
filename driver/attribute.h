#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "driver/gdal_compat.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// A member of a node's attributes. Read only.
///
/// A string, a number, or a list of either is what it is in JSON: integers are Int32, Int64 or UInt64, whichever is the
/// first that holds them all, and others Float64. All else (null, booleans, objects, lists that are empty, nested or
/// mixed) is its JSON text, of the subtype GEDTST_JSON.
class Attribute final : public GDALAttribute {
 public:
  Attribute(const std::string& parent_full_name, const std::string& name, const zarr::JsonNode& value);

  const std::vector<std::shared_ptr<GDALDimension>>& GetDimensions() const override { return dimensions_; }
  const GDALExtendedDataType& GetDataType() const override { return type_; }

 protected:
  bool IRead(const GUInt64* start, const size_t* count, const GInt64* step, const GPtrDiff_t* stride,
             const GDALExtendedDataType& buffer_type, void* buffer) const override;

 private:
  using Values = std::variant<std::vector<std::string>, std::vector<std::int32_t>, std::vector<std::int64_t>,
                              std::vector<std::uint64_t>, std::vector<double>>;

  static Values ValuesOf(const std::vector<zarr::JsonNode>& items);

  Values values_;
  GDALExtendedDataType type_ = GDALExtendedDataType::CreateString();
  std::vector<std::shared_ptr<GDALDimension>> dimensions_;
};

/// The attribute of that name, or null.
std::shared_ptr<GDALAttribute> MakeAttribute(const std::string& parent_full_name, const zarr::JsonNode& attributes,
                                             const std::string& name);

/// An attribute as a line of a raster's metadata: lists as {a,b}, as GDAL's own driver has them.
std::string AttributeText(const GDALAttribute& attribute);

/// All attributes, in their order; `hidden` tells those to leave out.
std::vector<std::shared_ptr<GDALAttribute>> MakeAttributes(
    const std::string& parent_full_name, const zarr::JsonNode& attributes,
    const std::function<bool(const std::string&, const zarr::JsonNode&)>& hidden);

}  // namespace gdal_zarr
