// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "driver/dataset/node_paths.h"
#include "driver/dataset/open_options.h"
#include "driver/dataset/open_stores.h"
#include "driver/dataset/parts/dataset_edits.h"
#include "driver/dataset/parts/node_finder.h"
#include "driver/gdal/warned_texts.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"

namespace zarr {
class JsonChanges;
}  // namespace zarr

namespace gdal_zarr {

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
  /// The name of the array that is the store's root; "" if that is a group.
  const std::string& root_array_name() const { return root_array_name_; }

  const OpenOptions& options() const { return options_; }

  /// Whether the store is a folder, which may hold side files, and not a file of references.
  bool is_folder() const { return is_folder_; }
  /// GDAL's data about the store's arrays in a side file; null if such a file is not looked for.
  const std::shared_ptr<GDALPamMultiDim>& pam() const { return pam_; }

  NodeFinder& finder() { return finder_; }
  /// Warns the user with this text, once in the life of the dataset.
  void WarnOnce(const std::string& text);
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
  DatasetEdits& edits() { return edits_; }
  const DatasetEdits& edits() const { return edits_; }
  /// Saves all pending data and attributes, then the consolidated metadata if they have changed. Throws zarr::Error.
  void Flush();
  /// Flushes, and completes a new store, after which nothing more can be written. Throws zarr::Error, also if a change
  /// failed before.
  void Finish();

  /// Whether each look into the store costs a request.
  bool is_on_network() const { return hierarchy_->store()->info().is_on_network(); }
  /// Deletes a node and all below it, with their pending data. Objects for them cannot be used any more. Throws what
  /// zarr::Hierarchy::Delete throws.
  void DeleteNode(const std::string& path);
  /// Saves all pending data, then moves a node and all below it. Objects for them follow. Throws what Flush and
  /// zarr::Hierarchy::Rename throw.
  void RenameNode(std::string_view old_path, std::string_view new_path);

 private:
  void SaveAll();
  bool IsGone(std::string_view path) const;
  bool IsThere(std::string_view path) const;
  std::shared_ptr<zarr::Hierarchy> hierarchy_;
  zarr::EditableHierarchy* const editable_;  // null if the dataset only reads
  const OpenStoreNote open_note_;
  OpenOptions options_;
  std::string root_array_name_;
  bool is_folder_;
  std::shared_ptr<GDALPamMultiDim> pam_;
  WarnedTexts warned_;
  std::mutex noted_mutex_;
  std::unordered_set<std::string> noted_;  // the texts that TakeNote was given
  const bool writable_;
  NodeFinder finder_;
  DatasetEdits edits_;
};

/// Calls SharedResource::FindUpwards, and goes on in the larger store that the dataset is a part of.
std::optional<NodePlace> FindUpwardsAndAbove(const std::shared_ptr<SharedResource>& resource, const std::string& group,
                                             const std::string& name);

/// Makes an edit for zarr::Hierarchy::EditAttributes that changes what differs between `before` and `after`, and leaves
/// attributes that others have changed.
std::function<zarr::JsonNode(const zarr::JsonNode&)> MakeAttributesEdit(const zarr::JsonNode& before,
                                                                        const zarr::JsonNode& after);

}  // namespace gdal_zarr
