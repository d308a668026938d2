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
/// These objects own it, so it outlives the dataset. Thread-safe.
///
/// Paths are zarrlib's ("" is the root, "a/b" a node below it). GDAL writes them "/" and "/a/b". An array that is the
/// store's root is the only exception: GDAL names it `root_array_name()`.
class SharedResource {
 public:
  /// `writable`: the dataset is being created, or was opened for update.
  explicit SharedResource(std::shared_ptr<zarr::Hierarchy> hierarchy, const OpenOptions& options = {},
                          bool writable = false);
  /// Finishes a new store, or flushes an existing one. Reports a failure to GDAL unless an earlier failure was
  /// reported.
  ~SharedResource();
  SharedResource(const SharedResource&) = delete;
  SharedResource& operator=(const SharedResource&) = delete;

  const zarr::Hierarchy& hierarchy() const { return *hierarchy_; }
  /// The name of the array that is the store's root; empty if the root is a group.
  const std::string& root_array_name() const { return root_array_name_; }

  const OpenOptions& options() const { return options_; }

  /// Returns true if the store is a folder, which may contain PAM files, rather than a file of references or a
  /// repository.
  bool is_folder() const { return is_folder_; }
  /// GDAL's data about the store's arrays in a PAM file; null if PAM files are not used.
  const std::shared_ptr<GDALPamMultiDim>& pam() const { return pam_; }

  NodeFinder& finder() { return finder_; }
  /// Warns the user with this text, once per dataset.
  void WarnOnce(const std::string& text);
  /// Returns true in the first call with a text, to decide whether to warn.
  bool TakeNote(const std::string& warning);

  // --- changes -----------------------------------------------------------------------------------------------------

  bool writable() const { return writable_; }
  /// Throws zarr::Error(read_only) unless the dataset is writable.
  void CheckWritable() const;
  /// Returns the hierarchy for a change. Throws like CheckWritable.
  zarr::EditableHierarchy& Change();
  /// Defers changes of a node's attributes until they are flushed, see zarr::Hierarchy::ChangeAttributesLater. Throws
  /// like that function and CheckWritable.
  void ChangeAttributesLater(const std::string& path, const std::function<void(zarr::JsonChanges&)>& add);
  DatasetEdits& edits() { return edits_; }
  const DatasetEdits& edits() const { return edits_; }
  /// Saves all pending data and attributes, then the consolidated metadata if it has changed. Throws zarr::Error.
  void Flush();
  /// Flushes, and completes a new store, after which nothing more can be written. Throws zarr::Error, including when an
  /// earlier change failed.
  void Finish();

  /// Returns true if each lookup in the store costs a request.
  bool is_on_network() const { return hierarchy_->store()->info().is_on_network(); }
  /// Deletes a node and its descendants, with their pending data. Objects for them become unusable. Throws like
  /// zarr::Hierarchy::Delete.
  void DeleteNode(const std::string& path);
  /// Saves all pending data, then moves a node and its descendants. Objects for them follow. Throws like Flush and
  /// zarr::Hierarchy::Rename.
  void RenameNode(std::string_view old_path, std::string_view new_path);

 private:
  void SaveAll();
  /// Lets the consolidated metadata of the store above follow changes. Warns the user of a failure.
  void TellAbove();
  bool IsGone(std::string_view path) const;
  bool IsThere(std::string_view path) const;
  std::shared_ptr<zarr::Hierarchy> hierarchy_;
  zarr::EditableHierarchy* const editable_;  // null if the dataset is read-only
  const OpenStoreNote open_note_;
  OpenOptions options_;
  std::string root_array_name_;
  bool is_folder_;
  std::shared_ptr<GDALPamMultiDim> pam_;
  WarnedTexts warned_;
  std::mutex noted_mutex_;
  std::unordered_set<std::string> noted_;  // the strings that were passed to TakeNote
  const bool writable_;
  NodeFinder finder_;
  DatasetEdits edits_;
  std::mutex above_mutex_;  // of what edits_ has about the store above
};

/// Calls NodeFinder::FindUpwards, and continues in the larger store that contains the dataset.
std::optional<NodePlace> FindUpwardsAndAbove(const std::shared_ptr<SharedResource>& resource, const std::string& group,
                                             const std::string& name);

/// Returns an edit for zarr::Hierarchy::EditAttributes that applies the differences between `before` and `after`. It
/// keeps attributes that other processes have changed.
std::function<zarr::JsonNode(const zarr::JsonNode&)> MakeAttributesEdit(const zarr::JsonNode& before,
                                                                        const zarr::JsonNode& after);

}  // namespace gdal_zarr
