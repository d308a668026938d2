// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "driver/dataset/attribute_names.h"
#include "driver/dataset/refused_nodes.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/text.h"
#include "driver/multidim/copying/hidden_parts.h"
#include "driver/multidim/copying/original_array.h"
#include "driver/multidim/group.h"
#include "driver/multidim/md_array.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/node_path.h"

namespace gdal_zarr {
namespace {

/// Returns the options of an array without dimensions among those of a copy, such as ARRAY:COMPRESS=NONE. A condition
/// may name the array or the number of dimensions; GDAL's other conditions are not met.
CPLStringList GetScalarOptions(CSLConstList options, const std::string& array) {
  constexpr std::string_view kOfArray = "ARRAY:";
  CPLStringList found;
  for (CSLConstList item = options; item && *item; ++item) {
    std::string_view option(*item);
    if (!StartsWithIgnoringCase(option, kOfArray)) continue;
    option.remove_prefix(kOfArray.size());
    for (const std::string& condition : {"IF(NAME=" + array + "):", std::string("IF(DIM=0):")}) {
      if (StartsWithIgnoringCase(option, condition)) option.remove_prefix(condition.size());
    }
    const bool is_of_dimensions = IsOneOfIgnoringCase(option.substr(0, option.find('=')),
                                                      {"BLOCKSIZE", "SHARD_CHUNK_SHAPE", "SHARD_SHAPE", "CHUNK_EDGES"});
    if (!StartsWithIgnoringCase(option, "IF(") && !is_of_dimensions) found.AddString(std::string(option).c_str());
  }
  return found;
}

/// Warns of each name that a source lists and a group lacks: GDAL passes over what it cannot open. A copy that lacks
/// what could not be read fails, and its error names that.
void WarnOfMissing(const zarr::Hierarchy& hierarchy, const std::string& group, const GDALGroup& source,
                   const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (!IsNodeName(name) || hierarchy.Probe(zarr::JoinKey(group, name))) continue;
    const std::string path = (source.GetFullName() == "/" ? "" : source.GetFullName()) + "/" + name;
    if (RefusedNodes::HasUnread(path)) continue;
    CPLError(CE_Warning, CPLE_NotSupported, "%s is not copied: GDAL cannot open it", path.c_str());
  }
}

/// Gives the dimensions of a copied array the names that they have in the source.
void NameAsInSource(const std::shared_ptr<SharedResource>& resource, const std::string& path,
                    const GDALMDArray& source) {
  const auto array = MDArray::Make(resource, path);
  const auto known = array->GetDimensions();
  const auto& wanted = source.GetDimensions();
  const auto is_same = [](const auto& a, const auto& b) { return a->GetName() == b->GetName(); };
  if (known.size() != wanted.size() || std::ranges::equal(known, wanted, is_same)) return;
  std::vector<std::string> names;
  for (const auto& dimension : wanted) names.push_back(dimension->GetName());
  resource->edits().writers.Flush(path);
  array->RenameDimensions(names);
  for (std::size_t i = 0; i < known.size(); ++i) {
    resource->edits().RenameDimension(known[i]->GetFullName(), known[i]->GetSize(), names[i]);
  }
}

/// Returns true if a list of codecs has one for text or other objects, but not bytes.
bool NamesCodecOfObjects(const char* codecs) {
  constexpr const char* kNames[] = {"vlen-utf8", "json2", "msgpack2", "pickle"};
  return codecs && std::ranges::any_of(kNames, [&](const char* name) { return std::strstr(codecs, name) != nullptr; });
}

bool HasLevels(const GDALGroup& group) {
  return group.GetAttribute("ome") || group.GetAttribute(kMultiscalesAttribute);
}

}  // namespace

CPLStringList Group::ListOptions(const std::string& array, const GDALExtendedDataType& type,
                                 CSLConstList options) const {
  CPLStringList list(CSLDuplicate(const_cast<char**>(options)));
  const bool is_chosen = list.FetchNameValue("STRING_FORMAT") || NamesCodecOfObjects(list.FetchNameValue("CODECS"));
  if (!copied_ || type.GetClass() != GEDTC_STRING || is_chosen) return list;
  const auto source = copied_->OpenMDArray(array);
  const EditableArray* const own = AsOwnArray(source.get());
  if (own && own->shared_array()->data_type().kind == zarr::DataType::Kind::kBytes)
    list.SetNameValue("STRING_FORMAT", "BYTES");
  return list;
}

GDALExtendedDataType Group::ChooseType(const std::string& array, const GDALExtendedDataType& type,
                                       CSLConstList options) const {
  const bool is_unicode = EQUAL(CSLFetchNameValueDef(options, "STRING_FORMAT", ""), "UNICODE");
  if (!copied_ || !is_unicode || type.GetClass() != GEDTC_STRING || type.GetMaxStringLength() > 0) return type;
  const auto source = copied_->OpenMDArray(array);
  const EditableArray* const own = AsOwnArray(source.get());
  if (!own || own->shared_array()->data_type().kind != zarr::DataType::Kind::kFixedUtf32) return type;
  return GDALExtendedDataType::CreateString(own->shared_array()->data_type().size / 4);
}

bool Group::CopyHiddenArrays(GDALDataset* source_dataset, const GDALGroup& source, bool strict, CSLConstList options) {
  return Guard(
      false, [&] { return CopyArrays(source_dataset, ListHiddenArrays(source), strict, options); }, Activity::kWriting);
}

bool Group::CopyArrays(GDALDataset* source_dataset, const std::vector<std::shared_ptr<GDALMDArray>>& arrays,
                       bool strict, CSLConstList options) {
  for (const auto& hidden : arrays) {
    if (resource_->hierarchy().Probe(zarr::JoinKey(node(), hidden->GetName()))) continue;
    const CPLStringList own = GetScalarOptions(options, hidden->GetName());
    const auto copy = CreateMDArray(hidden->GetName(), {}, hidden->GetDataType(), own.List());
    GUInt64 cost = 0;
    if (!copy || !copy->CopyFrom(source_dataset, hidden.get(), strict, cost, 1, GDALDummyProgress, nullptr))
      return false;
  }
  return true;
}

bool Group::LeaveOutMisread(GDALDataset* source_dataset, const GDALGroup& source) {
  const OriginalGroup original = FindOriginal(resource_->edits().group_copy, source_dataset, source);
  std::vector<std::shared_ptr<GDALAttribute>> attributes = original.group->GetAttributes();
  KeepShown(source, &attributes);
  std::erase_if(attributes, [&](const auto& attribute) { return !GetAttribute(attribute->GetName()); });
  const std::vector<std::string> misread = ListMisreadAttributes(original.dataset, attributes);
  return std::ranges::all_of(misread, [&](const std::string& name) { return DeleteAttribute(name, nullptr); }) &&
         EmptyAttributes(ListEmptyAttributes(original.dataset, attributes));
}

bool Group::EmptyAttributes(const std::vector<std::string>& names) {
  return names.empty() || TryChange([&] {
           zarr::JsonNode changed = attributes();
           for (const std::string& name : names) changed = CopyWithMember(changed, name, zarr::JsonNode::MakeArray({}));
           SaveAttributes(changed);
         });
}

bool Group::KeepNamesOfLevels(const GDALGroup& source) {
  if (resource_->hierarchy().format() != zarr::ZarrFormat::kV3 || !HasLevels(source)) return true;
  return Guard(
      false,
      [&] {
        for (const std::string& name : source.GetMDArrayNames()) {
          const auto original = source.OpenMDArray(name);
          const std::string path = zarr::JoinKey(node(), name);
          if (original && resource_->finder().FindArray(path)) NameAsInSource(resource_, path, *original);
        }
        return true;
      },
      Activity::kWriting);
}

bool Group::CopyFrom(const std::shared_ptr<GDALGroup>& root, GDALDataset* source_dataset,
                     const std::shared_ptr<GDALGroup>& source, bool strict, GUInt64& current_cost, GUInt64 total_cost,
                     GDALProgressFunc progress, void* progress_data, CSLConstList options) {
  const auto copy = [&] {
    return GDALGroup::CopyFrom(root, source_dataset, source, strict, current_cost, total_cost, progress, progress_data,
                               options) &&
           CopyHiddenArrays(source_dataset, *source, strict, options) && LeaveOutMisread(source_dataset, *source) &&
           KeepNamesOfLevels(*source);
  };
  return Guard(
      false,
      [&] {
        const std::unique_ptr<Group, void (*)(Group*)> forgets(this, [](Group* group) { group->copied_ = nullptr; });
        copied_ = source.get();
        if (!resource_->edits().group_copy.Run(copy)) return false;
        WarnOfMissing(resource_->hierarchy(), node(), *source, source->GetMDArrayNames());
        WarnOfMissing(resource_->hierarchy(), node(), *source, source->GetGroupNames());
        return true;
      },
      Activity::kWriting);
}

}  // namespace gdal_zarr
