#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "driver/driver_core.h"
#include "zarrlib/array/hierarchy.h"

namespace gdal_zarr {

/// What the groups, arrays and dimensions of one dataset share: its hierarchy, and what was found there. They own it,
/// and so outlive the dataset. Thread-safe.
///
/// Paths are zarrlib's ("" is the root, "a/b" below it). GDAL calls them "/" and "/a/b"; only the array that is a
/// store's root has a name of its own, `root_array_name()`.
class NodeContext {
 public:
  explicit NodeContext(std::shared_ptr<zarr::Hierarchy> hierarchy, const OpenOptions& options = {});

  const zarr::Hierarchy& hierarchy() const { return *hierarchy_; }
  const std::shared_ptr<zarr::Hierarchy>& shared_hierarchy() const { return hierarchy_; }
  /// The name of the array that is the store's root; "" if that is a group.
  const std::string& root_array_name() const { return root_array_name_; }

  const OpenOptions& options() const { return options_; }

  /// What GDAL keeps of the store's arrays in a side file; null where such a file is not looked for.
  const std::shared_ptr<GDALPamMultiDim>& pam() const { return pam_; }

  std::shared_ptr<const zarr::Array> OpenArray(std::string_view path) const { return hierarchy_->OpenArray(path); }
  /// As OpenArray, but null for what is no array, or cannot be opened. A path is tried once only. Consolidated metadata
  /// are taken at their word: what they do not have costs no request.
  std::shared_ptr<const zarr::Array> FindArray(std::string_view path);
  /// The path of the array of that name in a group, else in the nearest one above it that has one, up to the root.
  std::optional<std::string> FindUpwards(std::string group, const std::string& name);

 private:
  std::shared_ptr<zarr::Hierarchy> hierarchy_;
  OpenOptions options_;
  std::string root_array_name_;
  std::shared_ptr<GDALPamMultiDim> pam_;
  std::mutex mutex_;
  std::unordered_map<std::string, bool> is_array_;  // what FindArray found
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
