// SPDX-License-Identifier: MIT
#include "driver/dataset/shared_resource.h"

#include <optional>
#include <type_traits>
#include <utility>

#include "driver/dataset/chunk_plans.h"
#include "driver/dataset/editable_array.h"
#include "driver/dataset/leftovers.h"
#include "driver/dataset/pam_files.h"
#include "driver/gdal/dataset_name.h"
#include "driver/gdal/gdal_error.h"
#include "driver/stores/kerchunk/reference_name.h"
#include "zarrlib/hierarchy/editing/waiting_changes.h"
#include "zarrlib/json/json_changes.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/store/store_locks.h"

namespace gdal_zarr {
namespace {

/// Whether GDAL's data about arrays are kept in a side file. GDAL would add files to an archive, and overwrite foreign
/// files.
bool UsesSideFiles(const std::string& pam_file) {
  if (!CPLTestBool(CPLGetConfigOption("GDAL_PAM_ENABLED", "YES")) || !MayHaveSideFiles(pam_file)) return false;
  const std::string file = pam_file + ".aux.xml";
  VSIStatBufL status;
  return VSIStatL(file.c_str(), &status) == 0 ? !IsForeignSideFile(file) : CanSaveSideFiles(pam_file);
}

}  // namespace

SharedResource::SharedResource(std::shared_ptr<zarr::Hierarchy> hierarchy, const OpenOptions& options, bool writable)
    : hierarchy_(std::move(hierarchy)),
      editable_(writable ? hierarchy_->editable() : nullptr),
      open_note_(*hierarchy_),
      options_(options),
      is_folder_(!NamesReferences(hierarchy_->store()->name())),
      writable_(writable),
      chunk_plans_(std::make_unique<ChunkPlans>()) {
  writers_.SetPolicy({options_.store_empty_chunks, options_.refuse_partial_writes});
  for (const std::string& warning : hierarchy_->warnings())
    CPLError(CE_Warning, CPLE_AppDefined, "%s", warning.c_str());
  const std::string pam_file = hierarchy_->store()->name() + "/pam";
  if (is_folder_ && UsesSideFiles(pam_file)) pam_ = std::make_shared<GDALPamMultiDim>(pam_file);
  if (hierarchy_->Probe("") == zarr::NodeKind::kArray) root_array_name_ = GetBaseName(hierarchy_->store()->name());
}

void SharedResource::WarnOnce(const std::string& text) {
  const CPLErr type = CPLGetLastErrorType();
  const CPLErrorNum number = CPLGetLastErrorNo();
  const std::string message = CPLGetLastErrorMsg();
  warned_.Warn(text);
  // GDAL's strict copying takes the last error for that of a setter, whatever it is of.
  if (writable_) CPLErrorSetState(type, number, message.c_str());
}

void SharedResource::Tolerate(const zarr::Error& error) {
  if (error.kind() == zarr::ErrorKind::kIo) throw error;
  // A server or a proxy may have sent less than there is. Errors in the text of a document have a JSON Pointer.
  const bool is_damaged = error.kind() == zarr::ErrorKind::kCorrupt && error.pointer().empty();
  if (is_damaged && hierarchy_->store()->info().is_on_network()) {
    throw zarr::Error(zarr::ErrorKind::kIo, error.store(), error.key(), "", error.message());
  }
  if (error.kind() != zarr::ErrorKind::kNotFound) WarnOnce(error.what());
}

FoundNode SharedResource::LookFor(std::string_view path, bool beside_consolidated) {
  std::unordered_set<std::string>& absent = absent_[beside_consolidated ? 0 : 1];
  const std::string key(path);
  {
    const std::lock_guard lock(mutex_);
    if (absent.contains(key)) return {};
  }
  try {
    if (!hierarchy_->consolidated() && hierarchy_->store()->info().is_on_network()) {
      // Whether a group is there instead would take another request.
      if (auto array = hierarchy_->FindArray(path)) return {std::move(array)};
    } else {
      const auto kind = beside_consolidated ? hierarchy_->Probe(path) : hierarchy_->ProbeListed(path);
      if (kind == zarr::NodeKind::kArray) return {OpenArray(path)};
    }
  } catch (const zarr::Error& error) {
    Tolerate(error);
    return {nullptr, error.kind() != zarr::ErrorKind::kNotFound};
  }
  const std::lock_guard lock(mutex_);
  absent.insert(key);
  return {};
}

zarr::JsonNode SharedResource::FindGroupAttributes(std::string_view path) {
  try {
    if (hierarchy_->consolidated() && hierarchy_->ProbeListed(path) != zarr::NodeKind::kGroup) return {};
    return hierarchy_->OpenGroup(path).attributes;
  } catch (const zarr::Error& error) {
    Tolerate(error);
    return {};
  }
}

bool SharedResource::TakeNote(const std::string& warning) {
  const std::lock_guard lock(mutex_);
  return noted_.insert(warning).second;
}

std::optional<std::string> SharedResource::FindUpwards(std::string group, const std::string& name) {
  if (!IsNodeName(name) || !root_array_name_.empty()) return std::nullopt;
  for (;; group = GetParentPath(group)) {
    std::string path = zarr::JoinKey(group, name);
    const FoundNode found = LookFor(path);
    if (found.array) return path;
    if (found.broken || group.empty()) return std::nullopt;
  }
}

const NodePlace* SharedResource::FindAbove() {
  above_found_.Run([this] {
    if (find_above_) above_ = find_above_();
  });
  return above_ ? &*above_ : nullptr;
}

SharedResource::~SharedResource() {
  if (!writable_ || abandoned_) return;
  // After a failure that has been reported, the final attempt must not report another one.
  std::optional<ErrorCollector> unheard;
  if (flush_failed_ || finish_failed_ || failure_) unheard.emplace();
  Guard(
      0, [this] { return Finish(), 0; }, Activity::kWriting);
}

void SharedResource::CheckWritable() const {
  if (writable_) return;
  throw zarr::Error(zarr::ErrorKind::kReadOnly, hierarchy_->store()->name(), "", "",
                    "the dataset is not open in update mode");
}

zarr::EditableHierarchy& SharedResource::Change() {
  CheckWritable();
  const std::lock_guard lock(mutex_);
  for (auto& absent : absent_) absent.clear();
  return *editable_;
}

void SharedResource::ChangeAttributesLater(const std::string& path,
                                           const std::function<void(zarr::JsonChanges&)>& add) {
  CheckWritable();
  editable_->CheckWritable();  // an archive that is complete, for instance
  editable_->waiting().ChangeAttributes(path, add);
}

void SharedResource::SaveAll() {
  // A failing array or attribute does not keep the others, or the consolidated metadata, from being saved.
  std::optional<zarr::Error> first;
  const auto attempt = [&first](const auto& store) {
    try {
      store();
    } catch (const zarr::Error& error) {
      if (!first) first = error;
    }
  };
  attempt([this] { live_objects_.SavePending(); });
  attempt([this] { editable_->waiting().PutAttributes(); });
  attempt([this] { writers_.FlushAll(); });
  editable_->WriteConsolidated();
  const zarr::StoreLocks* const locks = hierarchy_->store()->locks();
  const std::string fault = locks ? locks->fault() : std::string();
  if (!fault.empty()) WarnOnce(fault + "; what other processes write to the store at the same time may get lost");
  if (first) throw *first;
}

void SharedResource::Flush() {
  try {
    Attempt([this] { SaveAll(); });
    flush_failed_ = false;
  } catch (...) {
    flush_failed_ = true;
    throw;
  }
}

void SharedResource::Finish() {
  Flush();
  try {
    CheckComplete();
    if (kept_) hierarchy_->store()->Finish();
    CheckChunkPlans(*chunk_plans_);
  } catch (...) {
    finish_failed_ = true;
    throw;
  }
}

void SharedResource::NoteFailure() noexcept {
  try {
    throw;
  } catch (const zarr::Error& error) {
    // Errors of other kinds reject a request: the caller gets them, and nothing had to be saved.
    const bool is_lost = error.kind() == zarr::ErrorKind::kIo || error.kind() == zarr::ErrorKind::kCorrupt ||
                         error.kind() == zarr::ErrorKind::kLimitExceeded;
    if (!is_lost) return;
  } catch (...) {
    // Such as std::bad_alloc.
  }
  const std::lock_guard lock(failure_mutex_);
  if (!failure_) failure_ = std::current_exception();
}

void SharedResource::CheckComplete() const {
  std::exception_ptr failure;
  {
    const std::lock_guard lock(failure_mutex_);
    failure = failure_;
  }
  if (failure) std::rethrow_exception(failure);
}

void SharedResource::CheckMade() const {
  if (kept_) CheckComplete();
}

std::shared_ptr<EditableArray> SharedResource::FindObject(const std::string& path) const {
  const std::lock_guard lock(objects_mutex_);
  const auto object = objects_.find(path);
  return object == objects_.end() ? nullptr : object->second.lock();
}

void SharedResource::SetObject(const std::string& path, const std::shared_ptr<EditableArray>& array) {
  const std::lock_guard lock(objects_mutex_);
  objects_[path] = array;
  own_coordinates_.erase(path);  // the user may change them
}

void SharedResource::NoteOwnCoordinates(const std::string& path, std::vector<double> values) {
  if (!is_on_network() || FindObject(path)) return;
  const std::lock_guard lock(objects_mutex_);
  own_coordinates_[path] = std::move(values);
}

std::optional<std::vector<double>> SharedResource::FindOwnCoordinates(const std::string& path) const {
  const std::lock_guard lock(objects_mutex_);
  const auto own = own_coordinates_.find(path);
  return own == own_coordinates_.end() ? std::nullopt : std::optional(own->second);
}

void SharedResource::AddHelper(const std::string& path) {
  const std::lock_guard lock(objects_mutex_);
  helpers_.insert(path);
}

bool SharedResource::TakeHelper(const std::string& path) {
  const std::lock_guard lock(objects_mutex_);
  return helpers_.erase(path) > 0;
}

bool SharedResource::CopyGroup(const std::function<bool()>& copy) {
  ++copied_groups_;
  const bool copied = copy();
  if (--copied_groups_ > 0) return copied;
  const FailureWatch failures;
  ends_copy_ = true;
  for (const auto& change : std::exchange(after_copy_, {})) {
    Guard(
        false, [&] { return change(), true; }, Activity::kWriting);
  }
  ends_copy_ = false;
  return copied && !failures.failed();
}

bool SharedResource::AfterCopy(std::function<void()> change) {
  if (copied_groups_ == 0) return false;
  after_copy_.push_back(std::move(change));
  return true;
}

bool SharedResource::HidesHelper(const std::string& path) const {
  if (copied_groups_ == 0) return false;
  const std::lock_guard lock(objects_mutex_);
  return helpers_.contains(path);
}

bool SharedResource::IsGone(std::string_view path) const {
  try {
    return !hierarchy_->Probe(path);
  } catch (const zarr::Error&) {
    return false;
  }
}

bool SharedResource::IsThere(std::string_view path) const {
  try {
    return hierarchy_->Probe(path).has_value();
  } catch (const zarr::Error&) {
    return false;
  }
}

void SharedResource::DeleteNode(const std::string& path) {
  zarr::EditableHierarchy& hierarchy = Change();
  try {
    WarnOfLeftovers(hierarchy.store()->name(), hierarchy.Delete(path));
  } catch (...) {
    // A removal that failed half-way may have removed the node itself.
    if (IsGone(path)) Forget(path);
    throw;
  }
  Forget(path);
}

void SharedResource::Forget(std::string_view path) {
  const auto is_below = [path](const auto& entry) { return IsAtOrBelow(entry.first, path); };
  writers_.Drop(path);
  chunk_plans_->RemoveBelow(path);
  {
    const std::lock_guard lock(objects_mutex_);
    std::erase_if(objects_, is_below);
    std::erase_if(dimensions_, is_below);
    std::erase_if(own_coordinates_, is_below);
    std::erase_if(helpers_, [path](const std::string& helper) { return IsAtOrBelow(helper, path); });
  }
  dimension_sources_.Forget();
  live_objects_.Delete(path);
}

void SharedResource::RenameNode(std::string_view old_path, std::string_view new_path) {
  const std::string from(old_path);  // the caller's text may belong to one of the objects that are moved
  const std::string to(new_path);
  Flush();
  zarr::EditableHierarchy& hierarchy = Change();
  try {
    WarnOfLeftovers(hierarchy.store()->name(), hierarchy.Rename(from, to));
  } catch (...) {
    // The node may have moved before the failure. What is written then must not go to the old path.
    if (from != to && IsGone(from) && IsThere(to)) FollowRename(from, to);
    throw;
  }
  if (from != to) FollowRename(from, to);
}

void SharedResource::FollowRename(std::string_view from, std::string_view to) {
  const auto move = [&](const auto& map) {
    std::remove_cvref_t<decltype(map)> moved;
    for (const auto& [path, value] : map) {
      const auto moved_path = GetMovedPath(path, from, to);
      moved_path ? moved.insert_or_assign(*moved_path, value) : moved.emplace(path, value);
    }
    return moved;
  };
  writers_.Move(from, to);
  chunk_plans_->Move(from, to);
  {
    const std::lock_guard lock(objects_mutex_);
    auto objects = move(objects_);
    auto own_coordinates = move(own_coordinates_);
    auto dimensions = move(dimensions_);
    std::unordered_set<std::string> helpers;
    for (const std::string& helper : helpers_) helpers.insert(GetMovedPath(helper, from, to).value_or(helper));
    objects_ = std::move(objects);
    own_coordinates_ = std::move(own_coordinates);
    dimensions_ = std::move(dimensions);
    helpers_ = std::move(helpers);
  }
  dimension_sources_.Forget();
  live_objects_.Move(from, to);
}

std::vector<CreatedDimension> SharedResource::GetCreatedDimensions(const std::string& group) const {
  const std::lock_guard lock(objects_mutex_);
  const auto dimensions = dimensions_.find(group);
  return dimensions == dimensions_.end() ? std::vector<CreatedDimension>() : dimensions->second.list;
}

bool SharedResource::HasCreatedDimension(const std::string& group, const std::string& name) const {
  const std::lock_guard lock(objects_mutex_);
  const auto dimensions = dimensions_.find(group);
  return dimensions != dimensions_.end() && dimensions->second.names.contains(name);
}

void SharedResource::AddDimension(const std::string& group, const CreatedDimension& dimension) {
  const std::lock_guard lock(objects_mutex_);
  CreatedDimensions& dimensions = dimensions_[group];
  dimensions.list.push_back(dimension);
  dimensions.names.insert(dimension.name);
}

CreatedDimension* SharedResource::FindCreated(const std::string& full_name, std::uint64_t size) {
  const std::string path = full_name.substr(1);
  const std::string name = GetNodeName(path);
  for (CreatedDimension& dimension : dimensions_[GetParentPath(path)].list) {
    if (dimension.name == name && dimension.size == size) return &dimension;
  }
  return nullptr;
}

void SharedResource::ResizeDimension(const std::string& full_name, std::uint64_t old_size, std::uint64_t size) {
  const std::lock_guard lock(objects_mutex_);
  if (CreatedDimension* dimension = FindCreated(full_name, old_size)) dimension->size = size;
}

void SharedResource::RenameDimension(const std::string& full_name, std::uint64_t size, const std::string& name) {
  dimension_sources_.Forget();
  const std::lock_guard lock(objects_mutex_);
  CreatedDimension* dimension = FindCreated(full_name, size);
  if (!dimension) return;
  std::unordered_set<std::string>& names = dimensions_[GetParentPath(full_name.substr(1))].names;
  names.erase(dimension->name);
  names.insert(name);
  dimension->name = name;
}

std::string GetParentPath(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? std::string_view() : path.substr(0, slash));
}

std::string GetNodeName(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

std::string MakeGdalFullName(std::string_view path) {
  return "/" + std::string(path);
}

bool IsNodeName(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos;
}

std::function<zarr::JsonNode(const zarr::JsonNode&)> MakeAttributesEdit(const zarr::JsonNode& before,
                                                                        const zarr::JsonNode& after) {
  const auto make_object = [](const zarr::JsonNode& node) {
    return node.IsNull() ? zarr::JsonNode::MakeObject({}) : node;
  };
  return [from = make_object(before), to = make_object(after)](const zarr::JsonNode& stored) {
    return ApplyDifference(stored, from, to);
  };
}

std::optional<NodePlace> FindUpwardsAndAbove(const std::shared_ptr<SharedResource>& resource, const std::string& group,
                                             const std::string& name) {
  if (auto path = resource->FindUpwards(group, name)) return NodePlace{resource, std::move(*path)};
  const NodePlace* above = resource->FindAbove();
  auto path = above ? above->resource->FindUpwards(GetParentPath(above->path), name) : std::nullopt;
  return path ? std::optional(NodePlace{above->resource, std::move(*path)}) : std::nullopt;
}

}  // namespace gdal_zarr
