// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "driver/cf/attribute_number.h"
#include "driver/cf/set_attribute.h"
#include "driver/dataset/attribute_names.h"
#include "driver/dataset/pam_files.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/text.h"
#include "driver/georeferencing/cf/cf_projection.h"
#include "driver/georeferencing/convention_writers.h"
#include "driver/georeferencing/raster_axes.h"
#include "driver/io/strided_request.h"
#include "driver/multidim/attribute.h"
#include "driver/multidim/carry_out_chunk_plans.h"
#include "driver/multidim/dimension.h"
#include "driver/multidim/md_array.h"
#include "driver/multidim/nodata_writer.h"
#include "driver/multidim/shared_dimensions.h"
#include "driver/multidim/stale_overviews.h"
#include "driver/overviews/move_levels.h"
#include "driver/types/type_map.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {

using zarr::JsonNode;

namespace {

#ifdef ZARR_HAS_STATISTICS_OPTIONS
/// Returns the attribute of CF 1.11, section 2.5.1, which has unpacked values.
JsonNode MakeActualRange(const GDALMDArray& array, double minimum, double maximum) {
  bool has_scale = false;
  bool has_offset = false;
  const double scale = array.GetScale(&has_scale);
  const double offset = array.GetOffset(&has_offset);
  if (has_scale || has_offset) {
    const auto unpack = [&](double value) { return value * (has_scale ? scale : 1) + (has_offset ? offset : 0); };
    const double first = unpack(minimum);
    const double last = unpack(maximum);
    return zarr::MakeNumberList({std::min(first, last), std::max(first, last)});
  }
  constexpr double kEnd = 9223372036854775808.0;
  const bool is_integer = GDALDataTypeIsInteger(array.GetDataType().GetNumericDataType()) && minimum >= -kEnd;
  if (!is_integer || maximum >= kEnd) return zarr::MakeNumberList({minimum, maximum});
  return JsonNode::MakeArray({JsonNode::MakeInteger(static_cast<std::int64_t>(minimum)),
                              JsonNode::MakeInteger(static_cast<std::int64_t>(maximum))});
}
#endif

/// Returns true if array properties that GDAL has functions for depend on an attribute.
bool IsProperty(const std::string& name) {
  constexpr std::array<std::string_view, 6> kNames = {kUnitsAttribute,  kUomAttribute,       kScaleAttribute,
                                                      kOffsetAttribute, kFillValueAttribute, kMissingValueAttribute};
  return std::ranges::find(kNames, name) != kNames.end();
}

/// Returns true if the overviews of an array have the attribute, too: without it, their values mean something else.
bool IsOfLevels(const std::string& name) {
  return name == kUnitsAttribute || name == kUomAttribute || name == kScaleAttribute || name == kOffsetAttribute ||
         name == kUnsignedAttribute;
}

/// Returns the levels that get a change of one of these attributes, too.
std::vector<std::string> PrepareLevels(const MDArray& array, const std::initializer_list<std::string>& names) {
  if (array.is_new() || std::ranges::none_of(names, IsOfLevels)) return {};
  std::vector<std::string> levels = FindOwnLevels(*array.resource(), array.array().path());
  // With another signedness, pixels are computed from other numbers.
  const bool has_other_numbers = std::ranges::find(names, kUnsignedAttribute) != names.end();
  if (has_other_numbers && !levels.empty()) NoteChange(*array.resource(), array.array());
  return levels;
}

/// Returns the smallest box that contains a selection.
zarr::Box GetExtent(const zarr::Selection& selection) {
  zarr::Box box{selection.start, selection.count};
  for (std::size_t axis = 0; axis < box.rank(); ++axis) {
    if (box.shape[axis] > 0) box.shape[axis] = (box.shape[axis] - 1) * selection.step[axis] + 1;
  }
  return box;
}

}  // namespace

// --- data -------------------------------------------------------------------------------------------------------

bool MDArray::WriteSelection(const zarr::Selection& selection, const zarr::ElementSource& source,
                             const std::function<bool(double)>& progress, bool defer) {
  CheckNotDeleted(GetFullName());
  resource_->CheckWritable();
  resource_->edits().saving.CheckMade();
  is_new_ = false;
  NoteChange(*resource_, *array_, GetExtent(selection));
  return resource_->edits().writers.Write(array_.shared(), selection, source, progress, defer);
}

namespace {

void WarnOfLatin1(const StridedRequest& request, const std::string& name) {
  bool has_warned = false;
  ForEachElement(request.selection.count, request.destination.data, request.destination.strides,
                 [&](const std::byte* element) {
                   const char* text = *reinterpret_cast<const char* const*>(element);
                   if (text && !has_warned) has_warned = ToUtf8(text, name) != text;
                 });
}

}  // namespace

void MDArray::CheckStrings(const StridedRequest& request, const GDALExtendedDataType& buffer_type,
                           const zarr::RowConverter* converter) const {
  if (!converter || !form_->type.NeedsFreeDynamicMemory()) return;
  const bool is_utf8 = array_->data_type().kind == zarr::DataType::Kind::kString;
  if (is_utf8 && buffer_type.GetClass() == GEDTC_STRING) WarnOfLatin1(request, GetFullName());
  if (array_->data_type().variable()) return;
  std::vector<std::byte> converted(array_->data_type().size);
  try {
    ForEachElement(request.selection.count, request.destination.data, request.destination.strides,
                   [&](const std::byte* element) { converter->ConvertRow(element, 0, converted.data(), 0, 1); });
  } catch (const zarr::Error& error) {
    throw error.At(array_->store().name(), array_->path());
  }
}

bool MDArray::IWrite(const GUInt64* start, const size_t* count, const GInt64* step, const GPtrDiff_t* stride,
                     const GDALExtendedDataType& buffer_type, const void* buffer) {
  return Guard(
      false,
      [&] {
        CheckNotDeleted(GetFullName());
        const StridedRequest request = MakeStridedRequest(array_->rank(), start, count, step, stride,
                                                          buffer_type.GetSize(), const_cast<void*>(buffer));
        for (std::size_t i = 0; i < request.repeats.size(); ++i) {
          if (request.repeats[i] > 1) {
            throw zarr::Error(zarr::ErrorKind::kInvalidArgument, "a step of 0: an element can be written once only");
          }
        }
        const auto converter = MakeWriteConverter(buffer_type, shown_type_);
        CheckStrings(request, buffer_type, converter.get());
        WriteSelection(request.selection, {request.destination.data, request.destination.strides, converter.get()});
        written_ += zarr::ComputeProduct(request.selection.count);
        if (array_->rank() == 1 && request.selection.count == array_->shape()) {
          // The written array may contain coordinates that plans of other arrays are waiting for.
          resource_->edits().saving.Attempt([&] { CarryOutChunkPlans(resource_); });
        }
        return true;
      },
      Activity::kWriting);
}

// --- attributes -------------------------------------------------------------------------------------------------

void MDArray::Replace(std::shared_ptr<const zarr::Array> array) {
  resource_->edits().writers.Replace(array);
  array_.Set(std::move(array));
  Load();
  has_new_attributes_ = has_new_properties_ = false;
}

void MDArray::SaveAttributes(const JsonNode& attributes) {
  EditAttributes(MakeAttributesEdit(this->attributes(), attributes));
}

void MDArray::EditAttributes(const std::function<JsonNode(const JsonNode& stored)>& change) {
  CheckNotDeleted(GetFullName());
  zarr::EditableHierarchy& hierarchy = resource_->Change();
  resource_->edits().writers.Flush(array_->path());
  hierarchy.EditAttributes(array_->path(), change);
  Replace(hierarchy.OpenArray(array_->path()));
  ForgetAttributes(*resource_, node(), attributes());
}

void MDArray::ReadAgain() {
  CheckNotDeleted(GetFullName());
  zarr::EditableHierarchy& hierarchy = resource_->Change();
  resource_->edits().writers.Flush(array_->path());
  Replace(hierarchy.OpenPresentArray(array_->path()));
}

void MDArray::SaveAttribute(const std::string& name, const std::optional<JsonNode>& value) {
  CheckNotDeleted(GetFullName());
  const std::optional<JsonNode> before = FindAttribute(name);
  if (value && before != value && name == kColorTableAttribute && HasColorsAlready(attributes(), *value)) return;
  const auto levels = before == value ? std::vector<std::string>() : PrepareLevels(*this, {name});
  ChangeAttributeLater(*resource_, node(), name, before, value);
  has_new_attributes_ = true;
  if (before != value && IsProperty(name)) has_new_properties_ = true;
  for (const std::string& level : levels) Make(resource_, level)->SaveAttribute(name, value);
}

void MDArray::ChangeAttributesLater(const std::function<void(zarr::JsonChanges&)>& add) {
  CheckNotDeleted(GetFullName());
  resource_->ChangeAttributesLater(node(), add);
  has_new_attributes_ = true;
}

std::shared_ptr<GDALAttribute> MDArray::CreateAttribute(const std::string& name, const std::vector<GUInt64>& dimensions,
                                                        const GDALExtendedDataType& type, CSLConstList) {
  return Guard(
      std::shared_ptr<GDALAttribute>(),
      [&] {
        CheckNotDeleted(GetFullName());
        resource_->CheckWritable();
        resource_->edits().live_objects.SavePending(node());
        if (HasOwnAttribute(name)) FailAttributeExists(GetFullName(), name);
        created_attributes_.insert(name);
        return MakeNewAttribute(GetFullName(), name, dimensions, type, GetHomeOfAttributes(), is_in_copy_);
      },
      Activity::kWriting);
}

bool MDArray::HasOwnAttribute(const std::string& name) const {
  if (!FindAttribute(name)) return false;
  return !is_created_here_ || created_attributes_.contains(name);
}

AttributeHome MDArray::GetHomeOfAttributes() const {
  if (!resource_->writable()) return {};
  // An attribute's functions keep the array alive.
  const auto self = GetSelf();
  return {resource_, node(),
          [self](const std::string& name, const JsonNode& value) {
            self->resource_->edits().saving.Attempt([&] { self->SaveAttribute(name, value); });
          },
          [self](const std::string& from, const std::string& to) { self->RenameStoredAttribute(from, to); }};
}

void MDArray::RenameStoredAttribute(const std::string& from, const std::string& to) {
  if (!HasOwnAttribute(to) && FindAttribute(to)) SaveAttribute(to, std::nullopt);
  const std::vector<std::string> levels = PrepareLevels(*this, {from, to});
  RenameAttribute(*resource_, node(), attributes(), from, to,
                  [this](const JsonNode& renamed) { SaveAttributes(renamed); });
  for (const std::string& level : levels) {
    const auto array = Make(resource_, level);
    array->SaveAttribute(from, std::nullopt);
    array->SaveAttribute(to, FindAttribute(to));
  }
  if (created_attributes_.erase(from) > 0) created_attributes_.insert(to);
}

bool MDArray::DeleteAttribute(const std::string& name, CSLConstList) {
  return TryChange([&] {
    CheckNotDeleted(GetFullName());
    resource_->edits().live_objects.SavePending(node());
    if (!FindAttribute(name)) {
      throw zarr::Error(zarr::ErrorKind::kNotFound, array_->path() + ": there is no attribute \"" + name + "\"");
    }
    SaveAttribute(name, std::nullopt);
  });
}

bool MDArray::SetUnit(const std::string& unit) {
  return TryChange([&] {
    const bool is_told = unit == GetUnit() && !FindAttribute(kUnitsAttribute);
    // Another process may have set one that is to be removed; in a remote store, that is not worth a request.
    if (is_told && (!unit.empty() || resource_->is_on_network())) return resource_->CheckWritable();
    SaveAttribute(kUnitsAttribute,
                  unit.empty() ? std::nullopt : std::optional(JsonNode::MakeString(ToUtf8(unit, GetFullName()))));
  });
}

bool MDArray::SetOffset(double offset, GDALDataType) {
  return TryChange([&] { SaveAttribute(kOffsetAttribute, MakeFiniteNumber(kOffsetAttribute, offset)); });
}

bool MDArray::SetScale(double scale, GDALDataType) {
  return TryChange([&] { SaveAttribute(kScaleAttribute, MakeFiniteNumber(kScaleAttribute, scale)); });
}

bool MDArray::SetRawNoDataValue(const void* value) {
  if (stated_nodata_) {
    if (!*stated_nodata_) return true;
    value = (*stated_nodata_)->data();
  } else if (!CanBeNodata(value)) {
    return true;
  }
  return TryChange([&] {
    CheckNotDeleted(GetFullName());
    ChangeNodata(value);
  });
}

bool MDArray::HasNoValues() const {
  if (!is_new_ || resource_->edits().flushes == flushes_before_) return is_new_;
  // Since it has been saved, other processes may have written values. Those that equal the fill value leave no chunk.
  // Without a nodata value at that time, as in an array of v2 without a fill value, what was not written has no value.
  const bool had_nodata = nodata_ && resource_->edits().flushes != flushes_before_nodata_;
  return !had_nodata && !HasStoredChunks(*shared_array());
}

void MDArray::ChangeNodata(const void* value) {
  zarr::EditableHierarchy& hierarchy = resource_->Change();
  // Another process may have set it since; in a remote store, that is not worth a request.
  if (!resource_->is_on_network() && !hierarchy.IsBeingMade(array_->path())) ReadAgain();
  const bool has_no_values = HasNoValues();
  if (!has_no_values && IsNodata(*shared_array(), *form_, static_cast<const std::byte*>(value))) return;
  resource_->edits().writers.Flush(array_->path());
  NoteChange(*resource_, *array_);  // which pixels count has changed
  Replace(SaveNodata(hierarchy, array_.shared(), *form_, static_cast<const std::byte*>(value), has_no_values));
  if (has_no_values) flushes_before_nodata_ = resource_->edits().flushes;
}

bool MDArray::IsShown(const OGRSpatialReference* srs, bool is_new) const {
  if (is_new && AreConventionsAskedFor()) return false;
  // A new array may only seem to have a CRS that belongs to other arrays, or for which a variable was created.
  const std::string variable = zarr::JoinKey(GetParentPath(node()), kUsualGridMapping);
  const bool is_stated_only = is_new || resource_->edits().group_copy.HasHelper(variable);
  auto shown = is_stated_only ? FindStatedSpatialRef() : FindSpatialRef();
  // A copy does not need a CRS that its coordinates imply, unless conventions were requested.
  if (!shown && is_new) shown = of_copied_axes_;
  if (!shown || !srs) return !shown && !srs && !is_new;
  const std::string wkt = ToWkt(*srs, "WKT2_2019");
  return !wkt.empty() && wkt == ToWkt(*shown, "WKT2_2019") && srs->GetCoordinateEpoch() == shown->GetCoordinateEpoch();
}

void MDArray::SaveEpoch(const OGRSpatialReference* srs) {
  const bool has_epoch = srs && srs->GetCoordinateEpoch() > 0;
  if (!has_epoch && !GDALPamMDArray::GetSpatialRef()) return;
  if (GDALPamMDArray::SetSpatialRef(has_epoch ? srs : nullptr) || !has_epoch) return;
  CPLError(CE_Warning, CPLE_NotSupported, "%s: the coordinate epoch is not stored: it needs a side file",
           GetFullName().c_str());
}

#ifdef ZARR_HAS_STATISTICS_OPTIONS
bool MDArray::SetStatistics(bool approximate, double minimum, double maximum, double mean, double deviation,
                            GUInt64 valid_count, CSLConstList options) {
  const bool saves = CPLTestBool(CSLFetchNameValueDef(options, "UPDATE_METADATA", "NO"));
  if (saves && !approximate && resource_->writable()) {
    const bool saved = TryChange([&] { SaveAttribute("actual_range", MakeActualRange(*this, minimum, maximum)); });
    if (!saved) return false;
  }
  return GDALPamMDArray::SetStatistics(approximate, minimum, maximum, mean, deviation, valid_count, options);
}
#endif

// --- shape and name ---------------------------------------------------------------------------------------------

bool MDArray::Resize(const std::vector<GUInt64>& sizes, CSLConstList) {
  return TryChange([&] {
    CheckNotDeleted(GetFullName());
    if (sizes.size() != array_->rank()) {
      throw zarr::Error(
          zarr::ErrorKind::kInvalidArgument,
          zarr::FormatExpectedGot(std::to_string(array_->rank()) + " sizes", std::to_string(sizes.size())));
    }
    zarr::Shape shape;
    for (const GUInt64 size : sizes) shape.push_back(size);
    const auto known = array_.shared();
    ResizeSharedDimensions(resource_, *known, shape);
  });
}

void MDArray::RenameDimensions(const std::vector<std::string>& names) {
  zarr::ArrayMetadata metadata = array_->metadata();
  metadata.dimension_names.assign(names.begin(), names.end());
  Replace(resource_->Change().UpdateArray(array_->path(), array_->metadata(), metadata));
  dimensions_ = MakeDimensions(resource_, *array_, &OpenIndexingVariable);
  resource_->edits().dimension_sources.Forget();
}

bool MDArray::Rename(const std::string& name) {
  return TryChange([&] {
    CheckNotDeleted(GetFullName());
    if (!IsNodeName(name) || array_->path().empty()) {
      throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                        zarr::FormatExpectedGot("a new name for an array below the root", "\"" + name + "\""));
    }
    if (name == GetNodeName(node())) return resource_->CheckWritable();
    const std::string before = GetName();
    resource_->edits().saving.Attempt([&] { RenameWithLevels(*resource_, node(), name); });
    RenameOverviewFiles(GetFilename(), before, name);
  });
}

void MDArray::OnMoved() {
  m_osName = GetNodeName(node());
  m_osFullName = MakeGdalFullName(node());
  array_.Set(resource_->hierarchy().OpenArray(node()));
  Load();
}

void MDArray::FollowMove(std::string_view from, std::string_view to) {
  ForgetOverviews();
  LiveObject::FollowMove(from, to);
}

void MDArray::FollowDeletion(std::string_view path) {
  ForgetOverviews();
  LiveObject::FollowDeletion(path);
}

}  // namespace gdal_zarr
