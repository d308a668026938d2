// SPDX-License-Identifier: MIT
#include "driver/multidim/md_array.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "driver/cf/attribute_number.h"
#include "driver/cf/coordinate_time.h"
#include "driver/cf/unsigned_attribute.h"
#include "driver/dataset/attribute_names.h"
#include "driver/dataset/pam_files.h"
#include "driver/dataset/unused_attribute.h"
#include "driver/gdal/gdal_error.h"
#include "driver/io/advise_read.h"
#include "driver/io/io_options.h"
#include "driver/io/strided_request.h"
#include "driver/multidim/attribute.h"
#include "driver/multidim/check_attributes.h"
#include "driver/multidim/coordinates/computed_coordinates.h"
#include "driver/multidim/coordinates/coordinate_set.h"
#include "driver/multidim/dimension.h"
#include "driver/multidim/group.h"
#include "driver/multidim/stale_overviews.h"
#include "driver/multidim/structural_info.h"
#include "driver/types/kept_text.h"
#include "driver/types/missing_strings.h"
#include "zarrlib/hierarchy/editing/waiting_attributes.h"
#include "zarrlib/hierarchy/stale_regions.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// Returns the unit in the form of the convention `uom`, which uses UCUM names.
std::optional<std::string> FindUcumUnit(const JsonNode& attributes) {
  const std::optional<JsonNode> measure = FindMember(attributes, kUomAttribute);
  const std::optional<JsonNode> ucum = measure ? FindMember(*measure, "ucum") : std::nullopt;
  const std::optional<JsonNode> unit = ucum ? FindMember(*ucum, "unit") : std::nullopt;
  return unit && unit->IsString() ? std::optional(unit->AsString()) : std::nullopt;
}

std::string GetUnitName(const zarr::ArrayMetadata& metadata) {
  const std::optional<JsonNode> units = FindMember(metadata.attributes, kUnitsAttribute);
  if (units && units->IsString()) return units->AsString();
  if (const auto unit = FindUcumUnit(metadata.attributes)) return *unit;
  const zarr::DataType& type = metadata.data_type;
  if (type.unit.empty() || type.unit == "generic") return "";
  return (type.unit_count == 1 ? "" : std::to_string(type.unit_count)) + type.unit;
}

bool IsCrs(const JsonNode& value) {
  return value.IsObject() && (value.Has("wkt") || value.Has("url") || value.Has("projjson"));
}

/// A buffer whose elements are strings. While it is being filled, they are null or valid. Unless it is filled
/// completely, all are freed, because callers of GDAL do not free them after a failure.
class StringBuffer {
 public:
  StringBuffer(const GDALExtendedDataType& type, const zarr::Shape& shape, const zarr::Destination& destination)
      : type_(type), shape_(shape), destination_(destination) {
    Clear();
  }
  ~StringBuffer() {
    if (complete_) return;
    ForEachElement(shape_, destination_.data, destination_.strides,
                   [this](std::byte* element) { type_.FreeDynamicMemory(element); });
    Clear();
  }
  StringBuffer(const StringBuffer&) = delete;
  StringBuffer& operator=(const StringBuffer&) = delete;

  void Complete() { complete_ = true; }

 private:
  void Clear() const {
    ForEachElement(shape_, destination_.data, destination_.strides,
                   [this](std::byte* element) { std::memset(element, 0, type_.GetSize()); });
  }

  const GDALExtendedDataType& type_;
  const zarr::Shape& shape_;
  const zarr::Destination& destination_;
  bool complete_ = false;
};

/// Lists the distinct names in a CF attribute. Arrays have only a few coordinates, so a limit protects against
/// malicious lists.
std::vector<std::string> ListNames(const std::string& text) {
  constexpr std::size_t kMostNames = 64;
  const CPLStringList words(CSLTokenizeString2(text.c_str(), " ", 0));
  std::vector<std::string> names;
  for (int i = 0; i < words.size() && names.size() < kMostNames; ++i) {
    if (std::find(names.begin(), names.end(), words[i]) == names.end()) names.emplace_back(words[i]);
  }
  return names;
}

/// Replaces a value if it differs: other threads may use the present one.
template <typename T>
void Update(T* value, T now) {
  if (!(*value == now)) *value = std::move(now);
}

/// Returns the text of an element of text.
const char* GetText(const GdalElement& element) {
  const char* text = nullptr;
  std::memcpy(&text, element.data(), sizeof(text));
  return text ? text : "";
}

bool AreSame(const GdalElement* a, const GdalElement* b) {
  if (!a || !b) return a == b;
  if (a->type().GetClass() == GEDTC_STRING) return std::string_view(GetText(*a)) == GetText(*b);
  return a->type() == b->type() && std::memcmp(a->data(), b->data(), a->type().GetSize()) == 0;
}

/// Returns the address of a nodata value; for a text, one that stays valid if it can be kept.
const void* GetLastingAddress(const GdalElement& nodata) {
  const bool is_text = nodata.type().GetClass() == GEDTC_STRING;
  const char* const* const kept = is_text ? KeepText(GetText(nodata)) : nullptr;
  return kept ? static_cast<const void*>(kept) : nodata.data();
}

/// Returns false for coordinates whose own dimension has another name.
bool MayBeAlong(const SharedResource& resource, const zarr::Array& coordinates, const GDALDimension& dimension) {
  const std::vector<FoundDimension> own = NameDimensions(resource, coordinates);
  return own.size() == 1 && (!own[0].has_name || own[0].name == dimension.GetName());
}

std::string GetArrayName(const SharedResource& resource, const zarr::Array& array) {
  return array.path().empty() ? resource.root_array_name() : GetNodeName(array.path());
}

}  // namespace

std::shared_ptr<MDArray> MDArray::FindKnown(SharedResource& resource, const std::string& path) {
  if (!resource.writable()) return nullptr;
  return std::static_pointer_cast<MDArray>(resource.edits().objects.Find(path));
}

std::shared_ptr<MDArray> MDArray::MakeUnknown(const std::shared_ptr<SharedResource>& resource,
                                              std::shared_ptr<const zarr::Array> array,
                                              std::vector<std::shared_ptr<GDALDimension>> dimensions) {
  std::shared_ptr<MDArray> result(new MDArray(resource, std::move(array), std::move(dimensions)));
  result->SetSelf(result);
  if (!resource->writable()) return result;
  auto known = std::static_pointer_cast<MDArray>(resource->edits().objects.Add(result->node(), result));
  if (known == result) resource->edits().live_objects.Add(result);
  return known;
}

std::shared_ptr<MDArray> MDArray::Make(const std::shared_ptr<SharedResource>& resource, const std::string& path,
                                       const std::shared_ptr<GDALDimension>& dimension) {
  if (auto known = FindKnown(*resource, path)) return known;
  std::shared_ptr<const zarr::Array> array = resource->hierarchy().OpenArray(path);
  if (dimension && !resource->writable() && MayBeAlong(*resource, *array, *dimension)) {
    return MakeUnknown(resource, std::move(array), {dimension});
  }
  auto dimensions = MakeDimensions(resource, *array, &OpenIndexingVariable);
  ComputeCoordinates(resource, array, dimensions);
  return MakeUnknown(resource, std::move(array), std::move(dimensions));
}

std::shared_ptr<MDArray> MDArray::MakeWith(const std::shared_ptr<SharedResource>& resource, const std::string& path,
                                           const std::vector<std::shared_ptr<GDALDimension>>& dimensions) {
  auto known = FindKnown(*resource, path);
  if (!known) return MakeUnknown(resource, resource->hierarchy().OpenArray(path), dimensions);
  known->dimensions_ = dimensions;
  return known;
}

std::shared_ptr<GDALMDArray> OpenIndexingVariable(const NodePlace& array,
                                                  const std::shared_ptr<GDALDimension>& dimension,
                                                  const std::shared_ptr<const CoordinateSet>& coordinates) {
  auto opened = MDArray::Make(array.resource, array.path, dimension);
  if (coordinates) opened->SetCoordinates(coordinates);
  return opened;
}

std::shared_ptr<MDArray> MDArray::MakeForValues(const std::shared_ptr<SharedResource>& resource,
                                                const std::string& path) {
  if (resource->writable()) return Make(resource, path);
  std::shared_ptr<const zarr::Array> array = resource->hierarchy().OpenArray(path);
  auto dimensions = MakePlainDimensions(resource, *array, &OpenIndexingVariable);
  std::shared_ptr<MDArray> result(new MDArray(resource, std::move(array), std::move(dimensions)));
  result->SetSelf(result);
  return result;
}

MDArray::MDArray(std::shared_ptr<SharedResource> resource, std::shared_ptr<const zarr::Array> array,
                 std::vector<std::shared_ptr<GDALDimension>> dimensions)
    : GDALAbstractMDArray(MakeGdalFullName(GetParentPath(array->path())), GetArrayName(*resource, *array)),
      GDALPamMDArray(MakeGdalFullName(GetParentPath(array->path())), GetArrayName(*resource, *array), resource->pam()),
      LiveObject(array->path()),
      resource_(std::move(resource)),
      array_(std::move(array)),
      shown_type_(GetShownType(*array_)),
      form_(ShareElementForm(shown_type_)),
      dimensions_(std::move(dimensions)) {
  Load();
  CheckAttributes(*resource_, *array_);
  CheckNodata(*resource_, *array_, *form_, resource_->options().fill_value_use);
}

/// Threads may read attributes, properties and values at the same time; one that changes them is alone.
void MDArray::TakeAttributes() const {
  if (!has_new_attributes_) return;
  const std::lock_guard lock(taking_mutex_);
  if (!has_new_attributes_) return;
  auto& self = const_cast<MDArray&>(*this);
  if (auto attributes = resource_->hierarchy().waiting_attributes().GetAttributes(node())) {
    zarr::ArrayMetadata metadata = array_->metadata();
    metadata.attributes = *std::move(attributes);
    self.array_.Set(zarr::Array::Make(array_->shared_store(), node(), std::move(metadata)));
  } else {
    self.array_.Set(resource_->hierarchy().OpenArray(node()));
  }
  self.Load();
  has_new_properties_ = false;
  has_new_attributes_ = false;
}

void MDArray::TakeProperties() const {
  if (has_new_properties_) Guard(false, [this] { return TakeAttributes(), true; });
}

std::optional<JsonNode> MDArray::FindAttribute(const std::string& name) const {
  auto waiting = resource_->hierarchy().waiting_attributes().FindAttribute(node(), name);
  return waiting.is_known ? std::move(waiting.attribute) : FindMember(attributes(), name);
}

std::optional<JsonNode> MDArray::FindItem(const std::string& list, std::size_t index) const {
  auto waiting = resource_->hierarchy().waiting_attributes().FindItem(node(), list, index);
  return waiting.is_known ? std::move(waiting.attribute) : zarr::FindItem(FindMember(attributes(), list), index);
}

void MDArray::Load() {
  const zarr::ArrayMetadata& metadata = array_->metadata();
  std::string filename = array_->store().name() + "/" +
                         zarr::MakeDocumentKey(array_->path(), zarr::GetArrayDocumentName(metadata.zarr_format));
  const bool has_place = MayHaveSideFiles(filename) || CanSaveSideFiles(filename);
  if (!has_place || !resource_->is_folder()) filename.clear();
  Update(&filename_, std::move(filename));
  LoadStructuralInfo();
  auto nodata = FindNodata(*array_, *form_, resource_->options().fill_value_use);
  if (!AreSame(nodata_.get(), nodata.get())) {
    nodata_ = std::move(nodata);
    nodata_address_ = nodata_ ? GetLastingAddress(*nodata_) : nullptr;
  }
  Update(&unit_, GetUnitName(metadata));
  Update(&offset_, GetNumberAttribute(kOffsetAttribute));
  Update(&scale_, GetNumberAttribute(kScaleAttribute));
}

void MDArray::LoadStructuralInfo() {
  CPLStringList info = MakeStructuralInfo(*array_);
  if (const std::string stale = DescribeStale(*array_); !stale.empty()) {
    info.SetNameValue(kOverviewsStaleItem, stale.c_str());
  }
  bool is_same = info.size() == structural_info_.size();
  for (int i = 0; is_same && i < info.size(); ++i) is_same = std::strcmp(info[i], structural_info_[i]) == 0;
  if (!is_same) structural_info_ = std::move(info);
}

std::vector<GUInt64> MDArray::GetBlockSize() const {
  return Guard(std::vector<GUInt64>(), [&] {
    std::vector<GUInt64> result;
    for (std::size_t i = 0; i < array_->rank(); ++i) {
      const std::uint64_t edge = zarr::FindEvenChunkEdge(*array_, i).value_or(0);
      const std::uint64_t length = array_->shape()[i];
      result.push_back(length == 0 ? edge : std::min(edge, length));  // netCDF rejects a copy with longer chunks
    }
    return result;
  });
}

/// Hides attributes for which GDAL has functions: dimensions, unit, scale, offset, coordinate reference system.
bool MDArray::IsHidden(const std::string& name, const JsonNode& value) const {
  if (name == zarr::kXarrayDimensions || IsNczarrAttribute(name) || name == zarr::kStaleOverviewsAttribute) return true;
  if (name == kUnitsAttribute) return value.IsString() && value.AsString() != "";  // GDAL does not copy an empty unit
  if (name == kOffsetAttribute) return offset_.has_value();
  if (name == kScaleAttribute) return scale_.has_value();
  return name == kCrsAttribute && IsCrs(value);
}

/// Returns true if GDAL's nodata value represents an attribute. A copy sets the nodata value, too. As an attribute,
/// netCDF rejects a `_FillValue` in base64, or as a number whose JSON type (Int32 or Float64) differs from the array's
/// type; in addition to a `missing_value` it rejects the nodata value.
bool MDArray::IsToldAsNodata(const std::string& name, bool show_all) const {
  if (name == kFillValueAttribute) return GetRawNoDataValue() && IsNodataAttribute(*array_, *form_, name.c_str());
  if (name != kMissingValueAttribute || show_all || !GetRawNoDataValue()) return false;
  const auto value = FindAttribute(name);
  return value && !value->IsString() && TellsNodata(*array_, name.c_str());
}

/// Not shown in update mode, because it would look like a saved attribute.
std::shared_ptr<GDALAttribute> MDArray::FindTimeAttribute() const {
  if (resource_->writable()) return nullptr;
  return MakeTimeAttribute(GetSelf());
}

std::shared_ptr<GDALAttribute> MDArray::GetAttribute(const std::string& name) const {
  return Guard(std::shared_ptr<GDALAttribute>(), [&]() -> std::shared_ptr<GDALAttribute> {
    CheckNotDeleted(GetFullName());
    resource_->edits().live_objects.SavePending(node());
    const std::optional<JsonNode> value = FindAttribute(name);
    if (!value && name == kTimeAttribute) return FindTimeAttribute();
    TakeProperties();
    if (!value || IsHidden(name, *value)) return nullptr;
    return MakeAttribute(GetFullName(), name, ShowNumbers(*array_, name, *value), GetHomeOfAttributes());
  });
}

/// Some attributes are listed only with the option SHOW_ALL, as in GDAL's netCDF driver: computed ones, because a copy
/// would store them, and a copy of a part would have wrong times; and a `missing_value` that is the nodata value.
std::vector<std::shared_ptr<GDALAttribute>> MDArray::GetAttributes(CSLConstList options) const {
  return Guard(std::vector<std::shared_ptr<GDALAttribute>>(), [&] {
    CheckNotDeleted(GetFullName());
    resource_->edits().live_objects.SavePending(node());
    const bool show_all = CPLFetchBool(options, "SHOW_ALL", false);
    auto result = MakeAttributes(
        GetFullName(), ShowAttributes(*array_, attributes()),
        [&](const std::string& name, const JsonNode& value) {
          return IsToldAsNodata(name, show_all) || IsHidden(name, value);
        },
        GetHomeOfAttributes());
    if (!show_all || FindMember(attributes(), kTimeAttribute)) return result;
    if (auto time = FindTimeAttribute()) result.push_back(std::move(time));
    return result;
  });
}

std::optional<double> MDArray::GetNumberAttribute(const char* name) const {
  const std::optional<JsonNode> value = FindMember(array_->metadata().attributes, name);
  const std::optional<double> number = value ? ReadNumber(*value) : std::nullopt;
  return number && std::isfinite(*number) ? number : std::nullopt;
}

double MDArray::GetOffset(bool* has_offset, GDALDataType* storage_type) const {
  TakeProperties();
  if (has_offset) *has_offset = offset_.has_value();
  if (storage_type) *storage_type = offset_ ? GDT_Float64 : GDT_Unknown;
  return offset_.value_or(0.0);
}

double MDArray::GetScale(bool* has_scale, GDALDataType* storage_type) const {
  TakeProperties();
  if (has_scale) *has_scale = scale_.has_value();
  if (storage_type) *storage_type = scale_ ? GDT_Float64 : GDT_Unknown;
  return scale_.value_or(1.0);
}

std::vector<std::shared_ptr<GDALMDArray>> MDArray::FindCoordinateVariables() const {
  CheckNotDeleted(GetFullName());
  std::vector<std::shared_ptr<GDALMDArray>> result;
  const std::optional<JsonNode> value = FindMember(attributes(), kCoordinatesAttribute);
  if (!value || !value->IsString()) return result;
  for (const std::string& name : ListNames(value->AsString())) {
    const auto place = FindUpwardsAndAbove(resource_, GetParentPath(array_->path()), name);
    if (!place) {
      resource_->WarnOnce(FormatUnusable(*value, "names of arrays; \"" + name + "\" is none"));
      continue;
    }
    try {
      result.push_back(Make(place->resource, place->path));
    } catch (const zarr::Error& error) {
      resource_->finder().Tolerate(error);
    }
  }
  return result;
}

std::vector<std::shared_ptr<GDALMDArray>> MDArray::GetCoordinateVariables() const {
  return Guard(std::vector<std::shared_ptr<GDALMDArray>>(), [this] { return FindCoordinateVariables(); });
}

std::shared_ptr<GDALGroup> MDArray::GetRootGroup() const {
  return Guard(std::shared_ptr<GDALGroup>(), [this] { return Group::Make(resource_, ""); });
}

bool MDArray::IsCacheable() const {
  return !filename_.starts_with("/vsi") || CPLGetConfigOption("GDAL_PAM_PROXY_DIR", nullptr) != nullptr;
}

bool MDArray::IAdviseRead(const GUInt64* start, const size_t* count, CSLConstList options) const {
  return Guard(false, [&] {
    if (deleted()) return false;
    zarr::Selection selection{zarr::Shape(array_->rank()), zarr::Shape(array_->rank()), zarr::Shape(array_->rank(), 1)};
    for (std::size_t i = 0; i < array_->rank(); ++i) {
      selection.start[i] = start[i];
      selection.count[i] = count[i];
    }
    ReadAhead(*array_, selection, options);
    return true;
  });
}

void MDArray::ReadSelection(const zarr::Selection& selection, const zarr::Destination& destination) const {
  const ConfigurationHook hook;
  const zarr::ReadOptions options = MakeReadOptions(hook);
  const auto array = array_.shared();
  if (!resource_->writable()) {
    array->Read(selection, destination, options);
  } else {
    resource_->edits().writers.Read(*array, selection, destination, options);
  }
}

void MDArray::ReadSlab(const GUInt64* start, const size_t* count, const GInt64* step, const GPtrDiff_t* stride,
                       const GDALExtendedDataType& buffer_type, void* buffer) const {
  CheckNotDeleted(GetFullName());
  const std::size_t rank = array_->rank();
  const StridedRequest request = MakeStridedRequest(rank, start, count, step, stride, buffer_type.GetSize(), buffer);
  zarr::Destination destination = request.destination;
  std::unique_ptr<zarr::RowConverter> converter = MakeRowConverter(shown_type_, buffer_type);
  const bool strings_only = buffer_type.GetClass() == GEDTC_STRING && form_->type.GetClass() == GEDTC_STRING;
  if (strings_only) converter = WithMissingStrings(std::move(converter), *array_);
  destination.converter = converter.get();
  zarr::Shape counts(rank);
  for (std::size_t i = 0; i < rank; ++i) counts[i] = count[i];
  std::optional<StringBuffer> strings;
  if (buffer_type.NeedsFreeDynamicMemory()) strings.emplace(buffer_type, counts, destination);
  ForEachElement(request.repeats, destination.data, destination.strides, [&](std::byte* data) {
    zarr::Destination part = destination;
    part.data = data;
    ReadSelection(request.selection, part);
  });
  if (strings) strings->Complete();
}

void MDArray::ReadCoordinatesAhead() const {
  if (coordinates_) coordinates_->ReadAhead();
}

bool MDArray::IRead(const GUInt64* start, const size_t* count, const GInt64* step, const GPtrDiff_t* stride,
                    const GDALExtendedDataType& buffer_type, void* buffer) const {
  const auto ask_again = [this] { return Guard(false, [this] { return FindSpatialRef(), true; }); };
  const auto read = [&] {
    ReadCoordinatesAhead();
    return ReadSlab(start, count, step, stride, buffer_type, buffer), true;
  };
  return unanswered_.CheckBeforeReading(ask_again) && Guard(false, read);
}

}  // namespace gdal_zarr
