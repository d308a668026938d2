// SPDX-License-Identifier: MIT
#include "driver/multidim/shared_dimensions.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "driver/dataset/editable_array.h"
#include "driver/dataset/parts/change_all.h"
#include "driver/georeferencing/convention_writers.h"
#include "driver/multidim/dimension.h"
#include "driver/multidim/find_dimensions.h"
#include "driver/multidim/stale_overviews.h"
#include "driver/overviews/stated_shapes.h"
#include "zarrlib/hierarchy/resize.h"

namespace gdal_zarr {
namespace {

std::string GetKeyName(const GDALDimension& dimension) {
  const auto* own = AsOwnDimension(&dimension);
  return own ? own->GetKeyName() : dimension.GetFullName();
}

/// An array of the store in its state before a change, with its dimensions.
struct Member {
  std::shared_ptr<const zarr::Array> array;
  std::vector<DimensionKey> dimensions;
  std::vector<std::string> names;  // names of the dimensions
};

Member MakeMember(const std::shared_ptr<SharedResource>& resource, std::shared_ptr<const zarr::Array> array) {
  const auto object = resource->edits().objects.Find(array->path());
  Member member{std::move(array), {}, {}};
  const auto add = [&](std::string full_name, const std::string& name) {
    member.dimensions.push_back({std::move(full_name), member.array->shape()[member.names.size()]});
    member.names.push_back(name);
  };
  if (object) {
    for (const auto& dimension : object->gdal_array().GetDimensions())
      add(GetKeyName(*dimension), dimension->GetName());
  } else {
    for (const FoundDimension& found : FindDimensions(resource, *member.array)) add(found.GetKeyName(), found.name);
  }
  return member;
}

/// Finds the arrays in their current stored state, which other processes may have changed. The dimensions of a broken
/// array are unknown.
void CollectMembers(const std::shared_ptr<SharedResource>& resource, const std::string& group,
                    std::vector<Member>* members) {
  for (const zarr::Hierarchy::Child& child : resource->hierarchy().List(group)) {
    const std::string path = zarr::JoinKey(group, child.name);
    if (child.kind == zarr::NodeKind::kGroup) {
      CollectMembers(resource, path, members);
    } else if (resource->finder().FindArray(path)) {
      members->push_back(MakeMember(resource, resource->Change().OpenPresentArray(path)));
    }
  }
}

std::vector<Member> FindAllMembers(const std::shared_ptr<SharedResource>& resource) {
  std::vector<Member> members;
  if (resource->root_array_name().empty()) CollectMembers(resource, "", &members);
  return members;
}

void ReplaceObject(SharedResource& resource, std::shared_ptr<const zarr::Array> array) {
  if (const auto object = resource.edits().objects.Find(array->path())) object->Replace(std::move(array));
}

/// Several objects may represent one dimension; all must show its change.
void ForEachHeld(SharedResource& resource, const std::function<void(Dimension&)>& function) {
  for (const auto& object : resource.edits().live_objects.GetAll()) {
    auto* dimension = dynamic_cast<Dimension*>(object.get());
    if (dimension && !dimension->deleted()) function(*dimension);
  }
}

// --- lengths ----------------------------------------------------------------------------------------------------

using Lengths = std::map<DimensionKey, std::uint64_t>;

/// Returns the new lengths of an array's dimensions for which `wanted` differs from `known`. The key is the dimension
/// as it is stored.
Lengths FindWantedLengths(const Member& member, const zarr::Shape& known, const zarr::Shape& wanted) {
  const zarr::Shape shape = zarr::ResolveShape(*member.array, known, wanted);
  Lengths lengths;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto length = lengths.try_emplace(member.dimensions[i], shape[i]).first;
    if (length->second == shape[i]) continue;
    throw zarr::Error(
        zarr::ErrorKind::kInvalidArgument,
        "dimension " + member.dimensions[i].full_name + ": " +
            zarr::FormatExpectedGot("one length", std::to_string(length->second) + " and " + std::to_string(shape[i])));
  }
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (wanted[i] == known[i]) lengths.erase(member.dimensions[i]);
  }
  return lengths;
}

zarr::Shape ComputeNewShape(const Member& member, const Lengths& lengths) {
  zarr::Shape shape = member.array->shape();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto length = lengths.find(member.dimensions[i]);
    if (length != lengths.end()) shape[i] = length->second;
  }
  return shape;
}

/// Objects show either the dimensions of the array that the user has seen until now, or those stored before the resize.
void ResizeDimensions(SharedResource& resource, const Member& member, const zarr::Shape& known,
                      const Lengths& lengths) {
  Lengths shown = lengths;
  for (std::size_t i = 0; i < known.size(); ++i) {
    const auto length = lengths.find(member.dimensions[i]);
    if (length != lengths.end()) shown[{member.dimensions[i].full_name, known[i]}] = length->second;
  }
  ForEachHeld(resource, [&](Dimension& dimension) {
    const auto length = shown.find({dimension.GetKeyName(), dimension.GetSize()});
    if (length != shown.end()) dimension.Resize(length->second);
  });
  for (const auto& [dimension, length] : shown)
    resource.edits().dimensions.Resize(dimension.full_name, dimension.size, length);
}

/// Returns true if an array has a dimension with one of these names, even if its length differs: another process may be
/// resizing it.
bool HasOneOf(const Member& member, const Lengths& lengths) {
  return std::any_of(member.dimensions.begin(), member.dimensions.end(), [&](const DimensionKey& dimension) {
    const auto found = lengths.lower_bound({dimension.full_name, 0});
    return found != lengths.end() && found->first.full_name == dimension.full_name;
  });
}

bool HoldsCoordinates(const Member& member) {
  return member.names.size() == 1 && GetNodeName(member.array->path()) == member.names.front();
}

/// Returns the array to resize and the other arrays that have one of the dimensions; coordinates come first.
std::vector<Member> FindMembers(const std::shared_ptr<SharedResource>& resource, const Member& first,
                                const Lengths& lengths) {
  std::vector<Member> members = FindAllMembers(resource);
  std::erase_if(members, [&](const Member& member) {
    return member.array->path() == first.array->path() || !HasOneOf(member, lengths);
  });
  members.push_back(first);
  std::stable_partition(members.begin(), members.end(), HoldsCoordinates);
  return members;
}

std::vector<zarr::ArrayResize> MakeResizes(const std::vector<Member>& members, const Lengths& lengths) {
  std::vector<zarr::ArrayResize> resizes;
  for (const Member& member : members) resizes.push_back({member.array, ComputeNewShape(member, lengths)});
  return resizes;
}

/// Returns false, without changes, if another process is resizing one of the arrays at the same time.
bool TryToResize(const std::shared_ptr<SharedResource>& resource, const zarr::Array& known, const zarr::Shape& wanted) {
  const std::string& path = known.path();
  const Member first = MakeMember(resource, resource->Change().OpenPresentArray(path));
  const Lengths lengths = FindWantedLengths(first, known.shape(), wanted);
  const std::vector<Member> members = FindMembers(resource, first, lengths);
  const std::vector<zarr::ArrayResize> resizes = MakeResizes(members, lengths);
  for (const zarr::ArrayResize& resize : resizes) zarr::CheckResize(*resize.array, resize.shape);
  for (const Member& member : members) resource->edits().writers.Finish(member.array->path());
  for (const zarr::ArrayResize& resize : resizes) NoteResize(resource, resize.array, resize.shape);
  try {
    const bool resized =
        zarr::ResizeArrays(resource->Change(), resizes, [&](const std::shared_ptr<const zarr::Array>& array) {
          // The writer is dropped after its data has been saved, because the chunk grid may have changed.
          resource->edits().writers.Drop(array->path());
          ReplaceObject(*resource, array);
        });
    if (!resized) return false;
  } catch (...) {
    const bool has_new_shape = resource->hierarchy().OpenArray(path)->shape() == ComputeNewShape(first, lengths);
    if (has_new_shape) ResizeDimensions(*resource, first, known.shape(), lengths);
    throw;
  }
  ResizeDimensions(*resource, first, known.shape(), lengths);
  for (const zarr::ArrayResize& resize : resizes) UpdateStatedShapes(*resource, *resize.array, resize.shape);
  return true;
}

// --- names ------------------------------------------------------------------------------------------------------

/// Returns the group of a dimension. An unnamed dimension belongs to its array; when it gets a name, to the array's
/// group.
std::string GetGroup(const SharedResource& resource, const DimensionKey& dimension) {
  if (!resource.root_array_name().empty()) return "";
  const std::string parent = GetParentPath(dimension.full_name.substr(1));
  return resource.hierarchy().Probe(parent) == zarr::NodeKind::kArray ? GetParentPath(parent) : parent;
}

bool Has(const Member& member, const DimensionKey& dimension) {
  return std::find(member.dimensions.begin(), member.dimensions.end(), dimension) != member.dimensions.end();
}

/// Throws unless `name` is valid for a dimension that does not exist in this group yet.
void CheckNewName(const SharedResource& resource, const std::vector<Member>& members, const std::string& group,
                  const std::string& name) {
  const auto fail = [](std::string message) {
    throw zarr::Error(zarr::ErrorKind::kInvalidArgument, std::move(message));
  };
  if (!IsNodeName(name)) fail(zarr::FormatExpectedGot("the name of a dimension without \"/\"", "\"" + name + "\""));
  const std::string full_name = MakeGdalFullName(zarr::JoinKey(group, name));
  const auto is_it = [&](const DimensionKey& dimension) { return dimension.full_name == full_name; };
  bool taken = std::any_of(members.begin(), members.end(), [&](const Member& member) {
    return std::any_of(member.dimensions.begin(), member.dimensions.end(), is_it);
  });
  for (const CreatedDimension& created : resource.edits().dimensions.Get(group)) taken = taken || created.name == name;
  if (taken) fail("there is a dimension \"" + name + "\" already");
}

/// Adds the steps that rename the dimension where groups name the spatial dimensions of their arrays, unless an array
/// of the group keeps a dimension of that name.
void AddGroups(SharedResource& resource, std::span<const Member> renamed, std::span<const Member> others,
               const DimensionKey& dimension, const std::string& name, std::vector<Step>* steps) {
  const std::string from = GetNodeName(dimension.full_name);
  std::set<std::string> groups;
  for (const Member& member : renamed) groups.insert(GetParentPath(member.array->path()));
  for (const Member& other : others) {
    const bool keeps = std::ranges::find(other.names, from) != other.names.end();
    if (keeps) groups.erase(GetParentPath(other.array->path()));
  }
  for (const std::string& group : groups) {
    const zarr::JsonNode known = resource.finder().FindGroupAttributes(group);
    if (WithDimensionRenamed(known, from, name) == known) continue;
    steps->emplace_back([&resource, group, from, name](bool back) {
      resource.Change().EditAttributes(group, [&](const zarr::JsonNode& stored) {
        return WithDimensionRenamed(stored, back ? name : from, back ? from : name);
      });
    });
  }
}

/// Returns the array's metadata with the new name. v2's list of names must have one for each dimension.
zarr::ArrayMetadata WithName(const Member& member, const DimensionKey& dimension, const std::string& name) {
  zarr::ArrayMetadata metadata = member.array->metadata();
  if (metadata.zarr_format < zarr::ZarrFormat::kV2) {
    throw zarr::Error(zarr::ErrorKind::kUnsupported, "dimensions have no names in Zarr v1");
  }
  auto& names = metadata.dimension_names;
  names.resize(member.names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (member.dimensions[i] == dimension) {
      names[i] = name;
      metadata.attributes = WithDimensionRenamed(metadata.attributes, member.names[i], name);
    }
    if (!names[i] && metadata.zarr_format == zarr::ZarrFormat::kV2) names[i] = member.names[i];
  }
  return metadata;
}

void UpdateMember(SharedResource& resource, const std::string& path, const zarr::ArrayMetadata& before,
                  const zarr::ArrayMetadata& after) {
  resource.edits().writers.Flush(path);
  ReplaceObject(resource, resource.Change().UpdateArray(path, before, after));
}

}  // namespace

void ResizeSharedDimensions(const std::shared_ptr<SharedResource>& resource, const zarr::Array& known,
                            const zarr::Shape& shape) {
  resource->CheckWritable();
  while (!TryToResize(resource, known, shape)) {
  }
}

void RenameSharedDimension(const std::shared_ptr<SharedResource>& resource, const DimensionKey& dimension,
                           const std::string& name) {
  resource->CheckWritable();
  if (GetNodeName(dimension.full_name) == name) return;
  std::vector<Member> members = FindAllMembers(resource);
  const bool has_groups = resource->root_array_name().empty();
  if (!has_groups && members.empty()) members.push_back(MakeMember(resource, resource->hierarchy().OpenArray("")));
  const std::string group = GetGroup(*resource, dimension);
  CheckNewName(*resource, members, group, name);
  const auto middle = std::stable_partition(members.begin(), members.end(),
                                            [&](const Member& member) { return Has(member, dimension); });
  const std::span<const Member> changed(members.begin(), middle);
  std::vector<Step> steps;
  for (const Member& member : changed) {
    steps.emplace_back([&](bool back) {
      const zarr::ArrayMetadata& old = member.array->metadata();
      const zarr::ArrayMetadata renamed = WithName(member, dimension, name);
      UpdateMember(*resource, member.array->path(), back ? renamed : old, back ? old : renamed);
    });
  }
  if (has_groups) AddGroups(*resource, changed, {middle, members.end()}, dimension, name, &steps);
  ChangeAll(steps);
  ForEachHeld(*resource, [&](Dimension& held) {
    if (DimensionKey{held.GetKeyName(), held.GetSize()} == dimension) held.SetPlace(group, name);
  });
  resource->edits().RenameDimension(dimension.full_name, dimension.size, name);
}

}  // namespace gdal_zarr
