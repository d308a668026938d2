// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "driver/dataset/dimension_sources.h"
#include "driver/dataset/live_objects.h"
#include "driver/dataset/open_options.h"
#include "driver/dataset/open_stores.h"
#include "driver/dataset/writer_pool.h"
#include "driver/gdal/warned_texts.h"
#include "zarrlib/base/once.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"

namespace zarr {
class JsonChanges;
}  // namespace zarr

namespace gdal_zarr {

class ChunkPlans;
class EditableArray;

/// The arguments of a call of GDALGroup::CreateDimension.
struct CreatedDimension {
  std::string name;
  std::string type;
  std::string direction;
  std::uint64_t size = 0;
};

/// The result of looking for a node that another node refers to.
struct FoundNode {
  std::shared_ptr<const zarr::Array> array;  ///< Null if there is none, or none that can be opened.
  bool broken = false;                       ///< The node exists, but its metadata cannot be used.
};

class SharedResource;

/// A node, and the state of the dataset in which it was found.
struct NodePlace {
  std::shared_ptr<SharedResource> resource;
  std::string path;
};

/// The state that the groups, arrays and dimensions of one dataset share: its hierarchy, and the nodes found in it.
/// They own it, so it outlives the dataset. Thread-safe.
///
/// Paths are zarrlib's ("" is the root, "a/b" a node below it). GDAL writes them "/" and "/a/b"; only an array that is
/// the store's root has another name there, `root_array_name()`.
class SharedResource {
 public:
  /// `writable`: the dataset is being created, or was opened for update.
  explicit SharedResource(std::shared_ptr<zarr::Hierarchy> hierarchy, const OpenOptions& options = {},
                          bool writable = false);
  /// Finishes a new store, or flushes an existing one. Reports a failure to GDAL, unless an earlier failure was
  /// reported.
  ~SharedResource();
  SharedResource(const SharedResource&) = delete;
  SharedResource& operator=(const SharedResource&) = delete;

  const zarr::Hierarchy& hierarchy() const { return *hierarchy_; }
  const std::shared_ptr<zarr::Hierarchy>& shared_hierarchy() const { return hierarchy_; }
  /// The name of the array that is the store's root; "" if that is a group.
  const std::string& root_array_name() const { return root_array_name_; }

  const OpenOptions& options() const { return options_; }

  /// Whether the store is a folder, which may hold side files, and not a file of references.
  bool is_folder() const { return is_folder_; }
  /// GDAL's data about the store's arrays in a side file; null if such a file is not looked for.
  const std::shared_ptr<GDALPamMultiDim>& pam() const { return pam_; }

  std::shared_ptr<const zarr::Array> OpenArray(std::string_view path) const { return hierarchy_->OpenArray(path); }
  /// Looks for an array that another node refers to but can do without. A missing array is silent, broken metadata give
  /// one warning, and an array that cannot be read throws zarr::Error(io). Nodes that consolidated metadata lack count
  /// as missing, without a request, unless `beside_consolidated` is set.
  FoundNode LookFor(std::string_view path, bool beside_consolidated = false);
  /// Calls LookFor, and returns its array or null.
  std::shared_ptr<const zarr::Array> FindArray(std::string_view path) { return LookFor(path).array; }
  /// Finds the attributes of a group by the rules of LookFor; null if there are none.
  zarr::JsonNode FindGroupAttributes(std::string_view path);
  /// Handles an error of a node that another node refers to: ignores absence, warns of broken metadata, and throws the
  /// error again if the node could not be read. In a store on a network, bytes that cannot be decoded count as such.
  void Tolerate(const zarr::Error& error);
  /// Warns the user with this text, once in the life of the dataset.
  void WarnOnce(const std::string& text);
  /// Finds the path of the array with that name in a group, or in the nearest group above it that has one. A broken
  /// array ends the search, with the warning of LookFor. Throws zarr::Error(io).
  std::optional<std::string> FindUpwards(std::string group, const std::string& name);

  /// Sets how the dataset's root is found in a larger store, if the dataset is a part of one: its coordinates and its
  /// CRS may be there.
  void SetFindAbove(std::function<std::optional<NodePlace>()> find) { find_above_ = std::move(find); }
  /// Looks for the larger store, in the first call only. Returns the place of the dataset's root there, or null. Throws
  /// zarr::Error(io).
  const NodePlace* FindAbove();

  /// Returns true only in the first call with a text; it tells whether to give a warning.
  bool TakeNote(const std::string& warning);

  // --- changes -----------------------------------------------------------------------------------------------------

  bool writable() const { return writable_; }
  /// Throws zarr::Error(read_only) unless the dataset is writable.
  void CheckWritable() const;
  /// Returns the hierarchy for a change, and forgets which nodes are absent. Throws what CheckWritable throws.
  zarr::EditableHierarchy& Change();
  /// Lets changes of the attributes of a node wait until they are flushed: zarr::Hierarchy::ChangeAttributesLater.
  /// Throws what that and CheckWritable throw.
  void ChangeAttributesLater(const std::string& path, const std::function<void(zarr::JsonChanges&)>& add);
  WriterPool& writers() { return writers_; }
  ChunkPlans& chunk_plans() { return *chunk_plans_; }
  /// Runs a change. If it throws because something could not be saved, CheckComplete will report that again.
  template <typename Function>
  auto Attempt(Function&& change) {
    try {
      return std::forward<Function>(change)();
    } catch (...) {
      NoteFailure();
      throw;
    }
  }
  /// Throws the first failure to save since the dataset was opened, if there is one: the store then lacks data that the
  /// user wanted in it. Requests that were rejected are no such failures.
  void CheckComplete() const;
  /// Does the same for a store that is being made. An existing store may be changed further.
  void CheckMade() const;
  /// Saves all pending data and attributes, then the consolidated metadata if they have changed. Throws zarr::Error.
  void Flush();
  /// Declares that the store has been made successfully, so that it will be finished, not dropped, in the end.
  void Keep() { kept_ = true; }
  /// Revokes Keep: nothing more is saved.
  void Abandon() { abandoned_ = true; }
  /// Flushes, and completes a new store, after which nothing more can be written. Throws zarr::Error, also if a change
  /// failed before.
  void Finish();

  /// Finds the one object that stands for an array of a writable dataset, so that all its users see each change; null
  /// if the array is not in use.
  std::shared_ptr<EditableArray> FindObject(const std::string& path) const;
  void SetObject(const std::string& path, const std::shared_ptr<EditableArray>& array);
  /// Marks an array that the driver made by itself, such as a grid mapping. A user who creates an array of that name
  /// replaces it.
  void AddHelper(const std::string& path);
  /// Removes the mark. Returns whether there was one.
  bool TakeHelper(const std::string& path);
  /// Calls a function that copies a group, and does not throw. Meanwhile the helpers are hidden from GDAL: some
  /// versions copy no array of which there seems to be one.
  bool CopyGroup(const std::function<bool()>& copy);
  /// Calls a function when the copy of a group, and of those around it, has ended. Returns false if none is running. If
  /// the function reports an error to GDAL, CopyGroup returns false.
  bool AfterCopy(std::function<void()> change);
  /// Whether a group is being copied: what the arrays say is then what those of the source say.
  bool copies() const { return copied_groups_ > 0 || ends_copy_; }
  bool HidesHelper(const std::string& path) const;
  /// Whether each look into the store costs a request.
  bool is_on_network() const { return hierarchy_->store()->info().is_on_network(); }
  /// Remembers the values of coordinates that this dataset writes or compares, where reading them costs a request.
  void NoteOwnCoordinates(const std::string& path, std::vector<double> values);
  /// The values that were noted for the array at a path; nothing if there are none.
  std::optional<std::vector<double>> FindOwnCoordinates(const std::string& path) const;
  /// Deletes a node and all below it, with their pending data. Objects for them cannot be used any more. Throws what
  /// zarr::Hierarchy::Delete throws.
  void DeleteNode(const std::string& path);
  /// Saves all pending data, then moves a node and all below it. Objects for them follow. Throws what Flush and
  /// zarr::Hierarchy::Rename throw.
  void RenameNode(std::string_view old_path, std::string_view new_path);
  /// Updates this state after a node has been removed without DeleteNode.
  void Forget(std::string_view path);
  /// The groups, arrays, dimensions and attributes of a writable dataset that are in use.
  LiveObjects& live_objects() { return live_objects_; }

  /// Dimensions that were created in a group, whether or not an array uses them.
  std::vector<CreatedDimension> GetCreatedDimensions(const std::string& group) const;
  bool HasCreatedDimension(const std::string& group, const std::string& name) const;
  DimensionSources& dimension_sources() { return dimension_sources_; }
  void AddDimension(const std::string& group, const CreatedDimension& dimension);
  void ResizeDimension(const std::string& full_name, std::uint64_t old_size, std::uint64_t size);
  void RenameDimension(const std::string& full_name, std::uint64_t size, const std::string& name);

 private:
  void SaveAll();
  bool IsGone(std::string_view path) const;
  bool IsThere(std::string_view path) const;
  /// Lets all that is known of a node, and of those below it, follow it to another path.
  void FollowRename(std::string_view from, std::string_view to);
  /// Call this in a catch block.
  void NoteFailure() noexcept;
  CreatedDimension* FindCreated(const std::string& full_name, std::uint64_t size);

  std::shared_ptr<zarr::Hierarchy> hierarchy_;
  zarr::EditableHierarchy* const editable_;  // null if the dataset only reads
  const OpenStoreNote open_note_;
  OpenOptions options_;
  std::string root_array_name_;
  bool is_folder_;
  std::shared_ptr<GDALPamMultiDim> pam_;
  std::mutex mutex_;
  std::function<std::optional<NodePlace>()> find_above_;
  zarr::Once above_found_;
  std::optional<NodePlace> above_;
  std::unordered_set<std::string> absent_[2];  // missing nodes: in the store, and in its consolidated metadata
  WarnedTexts warned_;
  std::unordered_set<std::string> noted_;  // the texts that TakeNote was given

  const bool writable_;
  std::atomic<bool> kept_ = false;
  std::atomic<bool> abandoned_ = false;
  std::atomic<bool> flush_failed_ = false;   // the last flush failed
  std::atomic<bool> finish_failed_ = false;  // permanent: what is incomplete cannot be completed
  mutable std::mutex failure_mutex_;
  std::exception_ptr failure_;  // of the first change that failed
  WriterPool writers_;
  const std::unique_ptr<ChunkPlans> chunk_plans_;
  mutable std::mutex objects_mutex_;
  std::unordered_map<std::string, std::weak_ptr<EditableArray>> objects_;
  std::unordered_set<std::string> helpers_;
  std::vector<std::function<void()>> after_copy_;
  std::atomic<int> copied_groups_ = 0;   // how many copies of a group, one in another, are running
  std::atomic<bool> ends_copy_ = false;  // while the functions after a copy run
  std::unordered_map<std::string, std::vector<double>> own_coordinates_;  // by path
  struct CreatedDimensions {
    std::vector<CreatedDimension> list;
    std::unordered_set<std::string> names;
  };
  std::unordered_map<std::string, CreatedDimensions> dimensions_;  // by group
  LiveObjects live_objects_;
  DimensionSources dimension_sources_;
};

/// Calls SharedResource::FindUpwards, and goes on in the larger store that the dataset is a part of.
std::optional<NodePlace> FindUpwardsAndAbove(const std::shared_ptr<SharedResource>& resource, const std::string& group,
                                             const std::string& name);

/// Makes an edit for zarr::Hierarchy::EditAttributes that changes what differs between `before` and `after`, and leaves
/// attributes that others have changed.
std::function<zarr::JsonNode(const zarr::JsonNode&)> MakeAttributesEdit(const zarr::JsonNode& before,
                                                                        const zarr::JsonNode& after);
/// Returns the path of the group that holds a node: "a" for "a/b", "" for "a".
std::string GetParentPath(std::string_view path);
/// Returns the node's own name: "b" for "a/b".
std::string GetNodeName(std::string_view path);
/// Returns "/a/b" for "a/b".
std::string MakeGdalFullName(std::string_view path);
/// Whether a name is valid for a node, as one step of a path.
bool IsNodeName(std::string_view name);

}  // namespace gdal_zarr
