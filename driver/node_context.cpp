#include "driver/node_context.h"

#include <optional>
#include <utility>

#include "driver/dataset_name.h"
#include "driver/side_files.h"

namespace gdal_zarr {

NodeContext::NodeContext(std::shared_ptr<zarr::Hierarchy> hierarchy, const OpenOptions& options)
    : hierarchy_(std::move(hierarchy)), options_(options) {
  const std::string pam_file = hierarchy_->store()->name() + "/pam";
  if (MayHaveSideFiles(pam_file)) pam_ = std::make_shared<GDALPamMultiDim>(pam_file);
  if (hierarchy_->Probe("") == zarr::NodeKind::kArray) root_array_name_ = BaseName(hierarchy_->store()->name());
}

std::shared_ptr<const zarr::Array> NodeContext::FindArray(std::string_view path) {
  const std::string key(path);
  {
    const std::lock_guard lock(mutex_);
    const auto found = is_array_.find(key);
    if (found != is_array_.end() && !found->second) return nullptr;
  }
  std::shared_ptr<const zarr::Array> array;
  try {
    if (hierarchy_->ProbeListed(path) == zarr::NodeKind::kArray) array = OpenArray(path);
  } catch (const zarr::Error&) {
    // What is looked for here is only an embellishment of another array.
  }
  const std::lock_guard lock(mutex_);
  is_array_[key] = array != nullptr;
  return array;
}

std::optional<std::string> NodeContext::FindUpwards(std::string group, const std::string& name) {
  if (!IsNodeName(name) || !root_array_name_.empty()) return std::nullopt;
  for (;; group = ParentPath(group)) {
    std::string path = zarr::JoinKey(group, name);
    if (FindArray(path)) return path;
    if (group.empty()) return std::nullopt;
  }
}

std::string ParentPath(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? std::string_view() : path.substr(0, slash));
}

std::string NodeName(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

std::string GdalFullName(std::string_view path) {
  return "/" + std::string(path);
}

bool IsNodeName(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos;
}

}  // namespace gdal_zarr
