#include "driver/node_context.h"

#include <optional>
#include <utility>

#include "driver/dataset_name.h"
#include "driver/gdal_error.h"
#include "driver/md_array.h"
#include "driver/reference_name.h"
#include "driver/side_files.h"

namespace gdal_zarr {
namespace {

/// Where GDAL keeps things for arrays that can be kept there, or were before. It would add to an archive.
bool UsesSideFiles(const std::string& pam_file) {
  if (!MayHaveSideFiles(pam_file)) return false;
  VSIStatBufL status;
  return CanSaveSideFiles(pam_file) || VSIStatL((pam_file + ".aux.xml").c_str(), &status) == 0;
}

}  // namespace

NodeContext::NodeContext(std::shared_ptr<zarr::Hierarchy> hierarchy, const OpenOptions& options, bool writable)
    : hierarchy_(std::move(hierarchy)),
      options_(options),
      is_folder_(!NamesReferences(hierarchy_->store()->name())),
      writable_(writable) {
  for (const std::string& warning : hierarchy_->warnings())
    CPLError(CE_Warning, CPLE_AppDefined, "%s", warning.c_str());
  const std::string pam_file = hierarchy_->store()->name() + "/pam";
  if (is_folder_ && UsesSideFiles(pam_file)) pam_ = std::make_shared<GDALPamMultiDim>(pam_file);
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

NodeContext::~NodeContext() {
  if (!writable_) return;
  // Once storing has failed, nothing gets better: that has been reported.
  std::optional<ErrorCollector> unheard;
  if (flush_failed_ || finish_failed_) unheard.emplace();
  Guard(
      0, [this] { return Finish(), 0; }, Activity::kWriting);
}

void NodeContext::CheckWritable() const {
  if (writable_) return;
  throw zarr::Error(zarr::ErrorKind::kReadOnly, hierarchy_->store()->name(), "", "",
                    "the dataset was not opened for update");
}

zarr::Hierarchy& NodeContext::Change() {
  CheckWritable();
  const std::lock_guard lock(mutex_);
  is_array_.clear();
  return *hierarchy_;
}

void NodeContext::Flush() {
  const auto store = [this] {
    try {
      writers_.FlushAll();
    } catch (const zarr::Error&) {
      // An array whose data cannot be stored does not take the consolidated metadata of all with it.
      hierarchy_->WriteConsolidated();
      throw;
    }
    hierarchy_->WriteConsolidated();
  };
  try {
    store();
    flush_failed_ = false;
  } catch (...) {
    flush_failed_ = true;
    throw;
  }
}

void NodeContext::Finish() {
  Flush();
  try {
    if (kept_) hierarchy_->store()->Finish();
  } catch (...) {
    finish_failed_ = true;
    throw;
  }
}

std::shared_ptr<MDArray> NodeContext::FindObject(const std::string& path) const {
  const std::lock_guard lock(objects_mutex_);
  const auto object = objects_.find(path);
  return object == objects_.end() ? nullptr : object->second.lock();
}

void NodeContext::SetObject(const std::string& path, const std::shared_ptr<MDArray>& array) {
  const std::lock_guard lock(objects_mutex_);
  objects_[path] = array;
}

void NodeContext::AddHelper(const std::string& path) {
  const std::lock_guard lock(objects_mutex_);
  helpers_.insert(path);
}

bool NodeContext::TakeHelper(const std::string& path) {
  const std::lock_guard lock(objects_mutex_);
  return helpers_.erase(path) > 0;
}

void NodeContext::Forget(std::string_view path) {
  const auto is_below = [path](const auto& entry) {
    return entry.first == path || entry.first.starts_with(std::string(path) + "/");
  };
  writers_.Drop(path);
  const std::lock_guard lock(objects_mutex_);
  std::erase_if(objects_, is_below);
  std::erase_if(dimensions_, is_below);
}

std::vector<CreatedDimension> NodeContext::CreatedDimensions(const std::string& group) const {
  const std::lock_guard lock(objects_mutex_);
  const auto dimensions = dimensions_.find(group);
  return dimensions == dimensions_.end() ? std::vector<CreatedDimension>() : dimensions->second;
}

void NodeContext::AddDimension(const std::string& group, const CreatedDimension& dimension) {
  const std::lock_guard lock(objects_mutex_);
  dimensions_[group].push_back(dimension);
}

CreatedDimension* NodeContext::FindCreated(const std::string& full_name, std::uint64_t size) {
  const std::string path = full_name.substr(1);
  const std::string name = NodeName(path);
  for (CreatedDimension& dimension : dimensions_[ParentPath(path)]) {
    if (dimension.name == name && dimension.size == size) return &dimension;
  }
  return nullptr;
}

void NodeContext::ResizeDimension(const std::string& full_name, std::uint64_t old_size, std::uint64_t size) {
  const std::lock_guard lock(objects_mutex_);
  if (CreatedDimension* dimension = FindCreated(full_name, old_size)) dimension->size = size;
}

void NodeContext::RenameDimension(const std::string& full_name, std::uint64_t size, const std::string& name) {
  const std::lock_guard lock(objects_mutex_);
  if (CreatedDimension* dimension = FindCreated(full_name, size)) dimension->name = name;
}

void NodeContext::AddHeld(Dimension* dimension) {
  const std::lock_guard lock(objects_mutex_);
  held_.insert(dimension);
}

void NodeContext::RemoveHeld(Dimension* dimension) {
  const std::lock_guard lock(objects_mutex_);
  held_.erase(dimension);
}

void NodeContext::ForEachDimension(const std::function<void(Dimension&)>& function) {
  const std::lock_guard lock(objects_mutex_);
  for (Dimension* dimension : held_) function(*dimension);
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
