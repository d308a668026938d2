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

#include "driver/dataset/live_objects.h"
#include "driver/dataset/open_options.h"
#include "driver/dataset/writer_pool.h"
#include "zarrlib/hierarchy/hierarchy.h"

namespace gdal_zarr {

class ChunkPlans;
class EditableArray;

/// A dimension that was created: what GDALGroup::CreateDimension was given.
struct CreatedDimension {
  std::string name;
  std::string type;
  std::string direction;
  std::uint64_t size = 0;
};

/// What a look for a node that another one refers to has found.
struct FoundNode {
  std::shared_ptr<const zarr::Array> array;  ///< Null where there is none that can be opened.
  bool broken = false;                       ///< There is something, but its metadata cannot be used.
};

/// What the groups, arrays and dimensions of one dataset share: its hierarchy, and what was found there. They own it,
/// and so outlive the dataset. Thread-safe.
///
/// Paths are zarrlib's ("" is the root, "a/b" below it). GDAL calls them "/" and "/a/b"; only the array that is a
/// store's root has a name of its own, `root_array_name()`.
class SharedResource {
 public:
  /// `writable` for a dataset that is being created, or was opened for update.
  explicit SharedResource(std::shared_ptr<zarr::Hierarchy> hierarchy, const OpenOptions& options = {},
                          bool writable = false);
  /// Finishes what was made, or else flushes. What fails is reported to GDAL, unless the call before failed too.
  ~SharedResource();
  SharedResource(const SharedResource&) = delete;
  SharedResource& operator=(const SharedResource&) = delete;

  const zarr::Hierarchy& hierarchy() const { return *hierarchy_; }
  const std::shared_ptr<zarr::Hierarchy>& shared_hierarchy() const { return hierarchy_; }
  /// The name of the array that is the store's root; "" if that is a group.
  const std::string& root_array_name() const { return root_array_name_; }

  const OpenOptions& options() const { return options_; }

  /// Whether the store is a folder, in which there may be side files, and not a file of references.
  bool is_folder() const { return is_folder_; }
  /// What GDAL keeps of the store's arrays in a side file; null where such a file is not looked for.
  const std::shared_ptr<GDALPamMultiDim>& pam() const { return pam_; }

  std::shared_ptr<const zarr::Array> OpenArray(std::string_view path) const { return hierarchy_->OpenArray(path); }
  /// The array at a path to which another node refers, for a use that can do without. Only absence is silent: of
  /// metadata that are broken the user is warned, once, and what cannot be read throws zarr::Error(io). Consolidated
  /// metadata are taken at their word, unless `beside_consolidated`: what they do not have costs no request.
  FoundNode LookFor(std::string_view path, bool beside_consolidated = false);
  /// As LookFor: the array, or null.
  std::shared_ptr<const zarr::Array> FindArray(std::string_view path) { return LookFor(path).array; }
  /// The attributes of a group, looked for in the same way; null where there are none.
  zarr::JsonNode FindGroupAttributes(std::string_view path);
  /// For what is wrong with another node than the one that was asked for: nothing if it is not there, a warning if its
  /// metadata are broken. Throws the error itself if it could not be read.
  void Tolerate(const zarr::Error& error);
  /// Warns the user of this once, however often it is met.
  void WarnOnce(const std::string& text);
  /// The path of the array of that name in a group, else in the nearest one above it that has one, up to the root. A
  /// broken one ends the search, as LookFor tells of it. Throws zarr::Error(io).
  std::optional<std::string> FindUpwards(std::string group, const std::string& name);

  /// Whether a warning, told apart by a text, is to be given: the first time only.
  bool TakeNote(const std::string& warning);

  // --- changing it ---------------------------------------------------------------------------------------------

  bool writable() const { return writable_; }
  /// Throws zarr::Error(read_only) unless the dataset is writable.
  void CheckWritable() const;
  /// For changes; forgets what was found before. Throws as CheckWritable.
  zarr::Hierarchy& Change();
  WriterPool& writers() { return writers_; }
  ChunkPlans& chunk_plans() { return *chunk_plans_; }
  /// Runs a change; what keeps it from being stored is remembered, for CheckComplete, and thrown on.
  template <typename Function>
  auto Attempt(Function&& change) {
    try {
      return std::forward<Function>(change)();
    } catch (...) {
      NoteFailure();
      throw;
    }
  }
  /// Throws the first failure of all changes since the dataset was opened, if one failed: the store is not what its
  /// user wanted it to be. What a store cannot keep is no such failure.
  void CheckComplete() const;
  /// The same for a store that is being made. One that was there may be changed on.
  void CheckMade() const;
  /// Stores all data that wait, then the consolidated metadata if they have changed. Throws zarr::Error.
  void Flush();
  /// Says that the making of the store has succeeded: from now on it is to be finished, and not dropped, in the end.
  void Keep() { kept_ = true; }
  /// Takes that back: nothing more is stored.
  void Abandon() { abandoned_ = true; }
  /// Flushes; of a store that was made also does what is left to be done when all is written, after which nothing more
  /// can be. Throws zarr::Error, also if a change failed before.
  void Finish();

  /// The one object that stands for an array of a writable dataset, so that all its users see a change; null if nobody
  /// has it.
  std::shared_ptr<EditableArray> FindObject(const std::string& path) const;
  void SetObject(const std::string& path, const std::shared_ptr<EditableArray>& array);
  /// Arrays that the driver made by itself, as grid mappings of others: who creates one of that name replaces it.
  void AddHelper(const std::string& path);
  /// Whether it was one; it is none any more.
  bool TakeHelper(const std::string& path);
  /// Removes a node and all below it, with the data of these that wait to be written: what stands for them is of no use
  /// any more. Throws what zarr::Hierarchy::Delete throws.
  void DeleteNode(const std::string& path);
  /// Stores all that waits, then moves a node and all below it: what stands for them goes on at the new path. Throws
  /// what Flush and zarr::Hierarchy::Rename throw.
  void RenameNode(std::string from, std::string to);
  /// After a node has been removed otherwise than by DeleteNode: what that does besides.
  void Forget(std::string_view path);
  /// What anyone holds of a writable dataset's groups, arrays, dimensions and attributes.
  LiveObjects& live_objects() { return live_objects_; }

  /// Dimensions that were created in a group, whether an array has them or not.
  std::vector<CreatedDimension> CreatedDimensions(const std::string& group) const;
  void AddDimension(const std::string& group, const CreatedDimension& dimension);
  void ResizeDimension(const std::string& full_name, std::uint64_t old_size, std::uint64_t size);
  void RenameDimension(const std::string& full_name, std::uint64_t size, const std::string& name);

 private:
  void SaveAll();
  bool IsGone(std::string_view path) const;
  /// In a catch block.
  void NoteFailure() noexcept;
  CreatedDimension* FindCreated(const std::string& full_name, std::uint64_t size);

  std::shared_ptr<zarr::Hierarchy> hierarchy_;
  OpenOptions options_;
  std::string root_array_name_;
  bool is_folder_;
  std::shared_ptr<GDALPamMultiDim> pam_;
  std::mutex mutex_;
  std::unordered_set<std::string> absent_[2];  // what LookFor did not find, in the store and in what it lists
  std::unordered_set<std::string> warned_;
  std::unordered_set<std::string> noted_;  // what TakeNote was given

  const bool writable_;
  std::atomic<bool> kept_ = false;
  std::atomic<bool> abandoned_ = false;
  std::atomic<bool> flush_failed_ = false;   // the last one
  std::atomic<bool> finish_failed_ = false;  // for good: what is not complete cannot become so
  mutable std::mutex failure_mutex_;
  std::exception_ptr failure_;  // the first one of a change
  WriterPool writers_;
  const std::unique_ptr<ChunkPlans> chunk_plans_;
  mutable std::mutex objects_mutex_;
  std::unordered_map<std::string, std::weak_ptr<EditableArray>> objects_;
  std::unordered_set<std::string> helpers_;
  std::unordered_map<std::string, std::vector<CreatedDimension>> dimensions_;  // by group
  LiveObjects live_objects_;
};

/// The path of the group that holds a node: "a" for "a/b", "" for "a".
std::string ParentPath(std::string_view path);
/// The node's own name: "b" for "a/b".
std::string NodeName(std::string_view path);
/// "/a/b" for "a/b".
std::string GdalFullName(std::string_view path);
/// Whether a name can be that of a node: one step of a path.
bool IsNodeName(std::string_view name);

}  // namespace gdal_zarr
