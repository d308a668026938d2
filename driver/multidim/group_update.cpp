// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "driver/dataset/chunk_plans.h"
#include "driver/dataset/open_stores.h"
#include "driver/dataset/refused_nodes.h"
#include "driver/gdal/gdal_error.h"
#include "driver/georeferencing/georeferencing_writer.h"
#include "driver/multidim/dimension.h"
#include "driver/multidim/group.h"
#include "driver/multidim/md_array.h"
#include "driver/new_array/array_metadata_builder.h"
#include "driver/new_array/chunk_edges.h"
#include "driver/overviews/move_levels.h"
#include "driver/overviews/ngff_levels.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/node_path.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

void CheckName(const std::string& name) {
  if (IsNodeName(name) && zarr::IsNewNodeName(name)) return;
  throw zarr::Error(
      zarr::ErrorKind::kInvalidArgument,
      zarr::FormatExpectedGot("the name of a node: not empty, without \"/\", not \".\", \"..\" or that of a metadata "
                              "document, such as \"zarr.json\"",
                              "\"" + name + "\""));
}

/// The options of a new array whose chunks may depend on data that is not available yet.
struct PlannedOptions {
  CPLStringList now;
  bool has_plan = false;
};

/// Defers options that need coordinates or the array that is copied. Throws zarr::Error.
PlannedOptions PlanChunks(CSLConstList options, const std::vector<std::shared_ptr<GDALDimension>>& dimensions,
                          zarr::ZarrFormat format) {
  PlannedOptions planned{CPLStringList(CSLDuplicate(const_cast<char**>(options)))};
  const std::string edges = planned.now.FetchNameValueDef(kChunkEdges, "");
  const bool awaits_coordinates = AwaitsCoordinates(edges, dimensions);
  if (awaits_coordinates && format != zarr::ZarrFormat::kV3) {
    FailOption(kChunkEdges, "FORMAT=ZARR_V3", "another format");
  }
  planned.has_plan = IsSourcePlan(edges.c_str()) || awaits_coordinates;
  if (planned.has_plan) {
    planned.now.SetNameValue(kChunkEdges, nullptr);
  } else if (!edges.empty()) {
    planned.now.SetNameValue(kChunkEdges, ExpandChunkPlans(edges, dimensions).c_str());
  }
  return planned;
}

/// Throws zarr::Error if another dataset of this process has a node open, because its reads would return fill values.
void CheckNotOpenElsewhere(const zarr::Hierarchy& hierarchy, const std::string& path) {
  const auto open = FindOtherUser(hierarchy, path);
  if (!open) return;
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument, hierarchy.store()->name(), path, "",
                    "nothing is removed, because another dataset of this process has " + *open +
                        " open, and this node in it: close that first");
}

}  // namespace

void Group::NoteRefusal(const std::string& name) {
  has_refused_ = true;
  RefusedNodes::Note(MakeGdalFullName(zarr::JoinKey(node(), name)));
}

std::shared_ptr<GDALGroup> Group::CreateGroup(const std::string& name, CSLConstList) {
  auto group = Guard(
      std::shared_ptr<GDALGroup>(),
      [&]() -> std::shared_ptr<GDALGroup> {
        CheckNotDeleted(GetFullName());
        CheckName(name);
        const std::string path = zarr::JoinKey(node(), name);
        resource_->edits().saving.Attempt([&] { resource_->Change().CreateGroup(path); });
        return MakeUnread(resource_, path);
      },
      Activity::kWriting);
  if (!group) NoteRefusal(name);
  return group;
}

std::shared_ptr<GDALDimension> Group::CreateDimension(const std::string& name, const std::string& type,
                                                      const std::string& direction, GUInt64 size, CSLConstList) {
  return Guard(
      std::shared_ptr<GDALDimension>(),
      [&] {
        CheckNotDeleted(GetFullName());
        resource_->CheckWritable();
        // Those of a source need not be names that an array could have.
        if (name.empty() || !resource_->edits().group_copy.is_running()) CheckName(name);
        const CreatedDimension created{name, type, direction, size};
        if (resource_->edits().dimensions.Has(node(), name)) return MakeKnownDimension(created);
        resource_->edits().dimensions.Add(node(), created);
        return MakeCreatedDimension(created);
      },
      Activity::kWriting);
}

std::shared_ptr<GDALDimension> Group::MakeKnownDimension(const CreatedDimension& again) const {
  // Sources list a dimension twice if its coordinates have two names, as HDF5's hard links give them.
  for (const CreatedDimension& known : resource_->edits().dimensions.Get(node())) {
    const bool is_same = known.name == again.name && known.size == again.size;
    if (is_same && resource_->edits().group_copy.is_running()) return MakeCreatedDimension(known);
  }
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument, "there is a dimension \"" + again.name + "\" already");
}

bool Group::HasCreated(const std::vector<std::shared_ptr<GDALDimension>>& dimensions) const {
  return std::ranges::all_of(dimensions, [this](const auto& dimension) {
    return dimension->GetFullName() == MakeGdalFullName(zarr::JoinKey(node(), dimension->GetName())) &&
           resource_->edits().dimensions.Has(node(), dimension->GetName());
  });
}

std::shared_ptr<GDALMDArray> Group::MakeNewArray(const std::string& name,
                                                 const std::vector<std::shared_ptr<GDALDimension>>& dimensions,
                                                 const GDALExtendedDataType& type, CSLConstList options) {
  CheckNotDeleted(GetFullName());
  CheckName(name);
  const zarr::ZarrFormat format = resource_->hierarchy().format();
  const PlannedOptions planned = PlanChunks(options, dimensions, format);
  const CreationOptions parsed(planned.now);
  const std::string path = zarr::JoinKey(node(), name);
  std::vector<NewDimension> lengths;
  for (const auto& dimension : dimensions) lengths.push_back({dimension->GetName(), dimension->GetSize()});
  const zarr::ArrayMetadata metadata = MakeArrayMetadata(format, lengths, type, parsed, ChooseDefaultChunk(lengths));
  // GDAL sets an array's CRS before it copies a grid mapping variable, which must be able to replace the driver's.
  std::shared_ptr<const zarr::Array> created;  // stays open, so that it is not read again
  resource_->edits().saving.Attempt([&] {
    if (resource_->edits().group_copy.TakeHelper(path)) resource_->DeleteNode(path);
    created = resource_->Change().CreateArray(path, metadata);
  });
  if (HasCreated(dimensions)) resource_->edits().dimension_sources.NoteWithoutNew(path);
  resource_->edits().writers.SetPolicy(path, GetWritePolicy(parsed));
  const bool are_ours = std::all_of(dimensions.begin(), dimensions.end(),
                                    [](const auto& dimension) { return AsOwnDimension(dimension.get()) != nullptr; });
  const std::shared_ptr<MDArray> array =
      are_ours ? MDArray::MakeWith(resource_, path, dimensions) : MDArray::Make(resource_, path);
  array->MarkNew();
  WriteConventions conventions = ParseConventions(parsed.GetText("GEOREFERENCING_CONVENTION"));
  conventions.are_default = !CSLFetchNameValue(options, "GEOREFERENCING_CONVENTION");
  array->SetConventions(conventions);
  if (planned.has_plan) {
    resource_->edits().chunk_plans.Add({path, CPLStringList(CSLDuplicate(const_cast<char**>(options))), type});
  }
  return array;
}

std::shared_ptr<GDALMDArray> Group::CreateMDArray(const std::string& name,
                                                  const std::vector<std::shared_ptr<GDALDimension>>& dimensions,
                                                  const GDALExtendedDataType& type, CSLConstList options) {
  auto array = Guard(
      std::shared_ptr<GDALMDArray>(),
      [&] {
        return MakeNewArray(name, dimensions, ChooseType(name, type, options), ListOptions(name, type, options).List());
      },
      Activity::kWriting);
  if (!array) NoteRefusal(name);
  return array;
}

namespace {

/// Completes the removal of a node in an object store that was stopped. Returns false if there is none.
bool FinishRemoval(SharedResource& resource, const std::string& path) {
  if (!resource.is_on_network()) return false;
  try {
    resource.DeleteNode(path);
    return true;
  } catch (const zarr::Error& error) {
    if (error.kind() != zarr::ErrorKind::kNotFound) throw;
    return false;
  }
}

}  // namespace

bool Group::DeleteNode(const std::string& name, zarr::NodeKind kind) {
  return TryChange([&] {
    CheckNotDeleted(GetFullName());
    const std::string path = zarr::JoinKey(node(), name);
    const auto found = IsNodeName(name) ? resource_->hierarchy().Probe(path) : std::nullopt;
    if (!found && IsNodeName(name) && FinishRemoval(*resource_, path)) return;
    if (found != kind) throw MakeMissingChildError(name, kind);
    CheckNotOpenElsewhere(resource_->hierarchy(), path);
    if (kind == zarr::NodeKind::kGroup) return DeleteNodeInLists(*resource_, path);
    for (const std::string& level : FindOwnLevels(*resource_, path)) {
      CheckNotOpenElsewhere(resource_->hierarchy(), level);
    }
    DeleteWithLevels(*resource_, path);
  });
}

bool Group::DeleteGroup(const std::string& name, CSLConstList) {
  return DeleteNode(name, zarr::NodeKind::kGroup);
}

bool Group::DeleteMDArray(const std::string& name, CSLConstList) {
  return DeleteNode(name, zarr::NodeKind::kArray);
}

bool Group::Rename(const std::string& name) {
  return TryChange([&] {
    CheckNotDeleted(GetFullName());
    CheckName(name);
    if (node().empty()) throw zarr::Error(zarr::ErrorKind::kUnsupported, "the root group has no name to change");
    if (name == GetNodeName(node())) return resource_->CheckWritable();
    resource_->edits().saving.Attempt([&] { RenameNodeInLists(*resource_, node(), name); });
  });
}

void Group::OnMoved() {
  m_osName = GetNodeName(node());
  m_osFullName = MakeGdalFullName(node());
}

// --- attributes -------------------------------------------------------------------------------------------------

void Group::SaveAttributes(const JsonNode& attributes) {
  CheckNotDeleted(GetFullName());
  resource_->Change().EditAttributes(node(), MakeAttributesEdit(this->attributes(), attributes));
  ForgetAttributes(*resource_, node(), attributes);
}

AttributeHome Group::GetHomeOfAttributes() const {
  if (!resource_->writable()) return {};
  // An attribute's functions keep this group alive, which follows changes of its path.
  const auto group = MakeUnread(resource_, node());
  return {resource_, node(),
          [group](const std::string& name, const JsonNode& value) {
            group->CheckNotDeleted(group->GetFullName());
            group->resource_->edits().saving.Attempt([&] {
              ChangeAttributeLater(*group->resource_, group->node(), name, group->FindAttribute(name), value);
            });
          },
          [group](const std::string& from, const std::string& to) {
            RenameAttribute(*group->resource(), group->node(), group->attributes(), from, to,
                            [&group](const JsonNode& renamed) { group->SaveAttributes(renamed); });
          }};
}

std::shared_ptr<GDALAttribute> Group::CreateAttribute(const std::string& name, const std::vector<GUInt64>& dimensions,
                                                      const GDALExtendedDataType& type, CSLConstList) {
  return Guard(
      std::shared_ptr<GDALAttribute>(),
      [&] {
        CheckNotDeleted(GetFullName());
        resource_->CheckWritable();
        if (HoldsRootArray()) {
          throw zarr::Error(zarr::ErrorKind::kUnsupported,
                            resource_->hierarchy().store()->name() +
                                " is an array: its attributes are those of the array \"" +
                                resource_->root_array_name() + "\", and a group has none here");
        }
        if (FindAttribute(name)) FailAttributeExists(GetFullName(), name);
        const bool is_copied = resource_->edits().group_copy.is_running();
        return MakeNewAttribute(GetParentOfAttributes(), name, dimensions, type, GetHomeOfAttributes(), is_copied);
      },
      Activity::kWriting);
}

bool Group::DeleteAttribute(const std::string& name, CSLConstList) {
  return TryChange([&] {
    const auto before = FindAttribute(name);
    if (!before) {
      throw zarr::Error(zarr::ErrorKind::kNotFound, GetFullName() + ": there is no attribute \"" + name + "\"");
    }
    ChangeAttributeLater(*resource_, node(), name, before, std::nullopt);
  });
}

}  // namespace gdal_zarr
