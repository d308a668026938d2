#include <cmath>
#include <string>
#include <vector>

#include "driver/georeferencing/conventions.h"
#include "driver/georeferencing/conventions_list.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// A property of a convention: the array's own if it declares the convention and has it, else that of the group that
/// holds the array. Groups further up do not count.
class Properties {
 public:
  Properties(const GeoContext& context, const ZarrConvention& convention) {
    Add(context.array.metadata().attributes, convention);
    if (!context.array.path().empty()) Add(context.hierarchy.OpenGroup(context.GroupPath()).attributes, convention);
  }

  bool declared() const { return !nodes_.empty(); }
  std::optional<JsonNode> Find(std::string_view name) const {
    for (const JsonNode& attributes : nodes_) {
      const auto value = attributes.Find(name);
      if (value && !value->IsNull()) return value;
    }
    return std::nullopt;
  }

 private:
  void Add(const JsonNode& attributes, const ZarrConvention& convention) {
    if (Declares(attributes, convention)) nodes_.push_back(attributes);
  }

  std::vector<JsonNode> nodes_;
};

template <std::size_t kCount>
std::array<double, kCount> Numbers(const JsonNode& node) {
  if (!node.IsArray() || node.size() != kCount) node.FailExpected("a list of " + std::to_string(kCount) + " numbers");
  std::array<double, kCount> numbers;
  for (std::size_t i = 0; i < kCount; ++i) {
    numbers[i] = node[i].AsDouble();
    if (!std::isfinite(numbers[i])) node[i].FailExpected("a finite number");
  }
  return numbers;
}

bool RefersToCentres(const Properties& spatial) {
  const auto registration = spatial.Find("spatial:registration");
  if (!registration || registration->AsString() == "pixel") return false;
  if (registration->AsString() != "node") registration->FailExpected("\"pixel\" or \"node\"");
  return true;
}

/// The transform of corners, from one whose origin is the centre of the first pixel.
GeoTransform FromCentres(const GeoTransform& t) {
  return {t[0] - (t[1] + t[2]) / 2, t[1], t[2], t[3] - (t[4] + t[5]) / 2, t[4], t[5]};
}

/// `spatial:transform`, in the order a, b, c, d, e, f of x = a * column + b * row + c, y = d * column + e * row + f.
std::optional<GeoTransform> FromTransform(const Properties& spatial) {
  const auto transform = spatial.Find("spatial:transform");
  if (!transform) return std::nullopt;
  const auto type = spatial.Find("spatial:transform_type");
  if (type && type->AsString() != "affine") {
    type->Fail(zarr::ErrorKind::kUnsupported, zarr::ExpectedGot("\"affine\"", type->Excerpt()));
  }
  const auto [a, b, c, d, e, f] = Numbers<6>(*transform);
  return GeoTransform{c, a, b, f, d, e};
}

/// `spatial:bbox`, [xmin, ymin, xmax, ymax], over the raster's own size; the first row is the northern one.
std::optional<GeoTransform> FromBox(const Properties& spatial, std::uint64_t width, std::uint64_t height,
                                    bool centres) {
  const auto box = spatial.Find("spatial:bbox");
  if (!box) return std::nullopt;
  const auto [x_min, y_min, x_max, y_max] = Numbers<4>(*box);
  const std::uint64_t steps_across = centres ? width - 1 : width;
  const std::uint64_t steps_down = centres ? height - 1 : height;
  if (steps_across == 0 || steps_down == 0) return std::nullopt;
  return GeoTransform{x_min, (x_max - x_min) / static_cast<double>(steps_across), 0, y_max,
                      0,     (y_min - y_max) / static_cast<double>(steps_down)};
}

}  // namespace

SpatialRef ReadProjSpatialRef(const GeoContext& context) {
  const Properties proj(context, kProjConvention);
  for (const char* name : {"proj:code", "proj:wkt2", "proj:projjson"}) {
    const auto form = proj.Find(name);
    if (!form) continue;
    if (auto srs = ParseSpatialRef(form->IsObject() ? form->Dump() : form->AsString())) return srs;
  }
  return nullptr;
}

std::optional<SpatialAxes> ReadSpatialAxes(const GeoContext& context) {
  const Properties spatial(context, kSpatialConvention);
  const auto dimensions = spatial.Find("spatial:dimensions");
  if (!dimensions) return std::nullopt;
  // GDAL 3.13 writes three names where there is a Z; the last two are Y and X.
  if (!dimensions->IsArray() || dimensions->size() < 2) dimensions->FailExpected("the names of Y and X");
  const std::size_t count = dimensions->size();
  return SpatialAxes{(*dimensions)[count - 2].AsString(), (*dimensions)[count - 1].AsString()};
}

std::optional<GeoTransform> ReadSpatialGeoTransform(const GeoContext& context, const RasterAxes& axes) {
  const Properties spatial(context, kSpatialConvention);
  if (!spatial.declared() || axes.y >= context.array.rank()) return std::nullopt;
  const bool centres = RefersToCentres(spatial);
  auto transform = FromTransform(spatial);
  if (!transform) transform = FromBox(spatial, context.array.shape()[axes.x], context.array.shape()[axes.y], centres);
  if (!transform) return std::nullopt;
  return centres ? FromCentres(*transform) : *transform;
}

bool SpatialRegistrationIsNode(const GeoContext& context) {
  const Properties spatial(context, kSpatialConvention);
  return RefersToCentres(spatial);
}

}  // namespace gdal_zarr
