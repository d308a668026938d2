// SPDX-License-Identifier: MIT
#include "driver/dataset/shared_resource.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "driver/dataset/chunk_plans.h"
#include "driver/dataset/editable_array.h"
#include "driver/dataset/leftovers.h"
#include "driver/dataset/pam_files.h"
#include "driver/dataset/parts/pam_entries.h"
#include "driver/gdal/dataset_name.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/repository_name.h"
#include "driver/stores/kerchunk/reference_name.h"
#include "driver/stores/store_root.h"
#include "zarrlib/hierarchy/editing/waiting_changes.h"
#include "zarrlib/json/json_changes.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/store/store_locks.h"

namespace gdal_zarr {
namespace {

/// Returns true if GDAL's data about arrays is kept in a PAM file. GDAL would add files to an archive, and overwrite
/// foreign files.
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
      is_folder_(!NamesRepository(hierarchy_->store()->name()) && !NamesReferences(hierarchy_->store()->name())),
      writable_(writable),
      finder_(*hierarchy_, [this](const std::string& text) { WarnOnce(text); }) {
  edits_.writers.SetPolicy({options_.store_empty_chunks, options_.refuse_partial_writes});
  edits_.stale.SetRefresh(options_.refresh_overviews);
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
  // GDAL's strict copying attributes the last error to the setter that was called, whatever its origin.
  if (writable_) CPLErrorSetState(type, number, message.c_str());
}

bool SharedResource::TakeNote(const std::string& warning) {
  const std::lock_guard lock(noted_mutex_);
  return noted_.insert(warning).second;
}

SharedResource::~SharedResource() {
  if (!writable_ || edits_.saving.abandoned()) return;
  // If a failure has been reported, the final attempt must not report another one.
  std::optional<ErrorCollector> unheard;
  if (edits_.saving.HasFailed()) unheard.emplace();
  Guard(
      0, [this] { return Finish(), 0; }, Activity::kWriting);
  const bool is_stale = edits_.stale.refresh() && Guard(true, [this] { return !edits_.stale.TakeChanged().empty(); });
  if (is_stale) {
    CPLError(CE_Warning, CPLE_AppDefined,
             "%s: overviews are stale: their arrays were written to after the dataset had been closed, when overviews "
             "are refreshed",
             hierarchy_->store()->name().c_str());
  }
}

void SharedResource::CheckWritable() const {
  if (writable_) return;
  throw zarr::Error(zarr::ErrorKind::kReadOnly, hierarchy_->store()->name(), "", "",
                    "the dataset is not open in update mode");
}

zarr::EditableHierarchy& SharedResource::Change() {
  CheckWritable();
  return *editable_;
}

void SharedResource::ChangeAttributesLater(const std::string& path,
                                           const std::function<void(zarr::JsonChanges&)>& add) {
  CheckWritable();
  editable_->CheckWritable();  // fails for a complete archive, for instance
  editable_->waiting().ChangeAttributes(path, add);
}

void SharedResource::SaveAll() {
  // The failure of one array or attribute does not prevent saving the rest, including the consolidated metadata.
  std::optional<zarr::Error> first;
  const auto attempt = [&first](const auto& store) {
    try {
      store();
    } catch (const zarr::Error& error) {
      if (!first) first = error;
    }
  };
  attempt([this] { edits_.live_objects.SavePending(); });
  attempt([this] { editable_->waiting().PutAttributes(); });
  attempt([this] {
    edits_.writers.FlushAll();
    edits_.stale.Settle(*editable_);
  });
  attempt([this] { editable_->WriteConsolidated(); });
  TellAbove();
  const zarr::StoreLocks* const locks = hierarchy_->store()->locks();
  const std::string fault = locks ? locks->fault() : std::string();
  if (!fault.empty()) WarnOnce(fault + "; what other processes write to the store at the same time may get lost");
  if (first) throw *first;
}

void SharedResource::TellAbove() {
  const std::lock_guard lock(above_mutex_);
  if (!is_folder_ || edits_.has_none_above) return;
  try {
    std::vector<std::string>& nodes = edits_.untold_above;
    std::ranges::move(editable_->waiting().TakeChanged(), std::back_inserter(nodes));
    if (nodes.empty()) return;
    edits_.has_none_above = !UpdateConsolidatedAbove(hierarchy_->store()->name(), *hierarchy_, nodes);
    nodes.clear();
  } catch (const std::exception& error) {
    WarnOnce(std::string(error.what()) + "; consolidated metadata above " + hierarchy_->store()->name() +
             " do not have its changes");
  }
}

void SharedResource::Flush() {
  ++edits_.flushes;
  try {
    edits_.saving.Attempt([this] { SaveAll(); });
    edits_.saving.SetFlushFailed(false);
  } catch (...) {
    edits_.saving.SetFlushFailed(true);
    throw;
  }
}

void SharedResource::Finish() {
  Flush();
  try {
    edits_.saving.CheckComplete();
    if (edits_.saving.may_finish()) hierarchy_->store()->Finish();
    CheckChunkPlans(edits_.chunk_plans);
  } catch (...) {
    edits_.saving.SetFinishFailed();
    throw;
  }
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
  const std::vector<std::string> arrays = pam_ ? ListArrays(hierarchy, path) : std::vector<std::string>();
  const auto forget = [&] {
    edits_.Forget(path);
    if (pam_) RemovePamEntries(*pam_, arrays);
  };
  try {
    WarnOfLeftovers(hierarchy.store()->name(), hierarchy.Delete(path));
  } catch (...) {
    // A removal that failed partway may have removed the node itself.
    if (IsGone(path)) forget();
    throw;
  }
  forget();
}

void SharedResource::RenameNode(std::string_view old_path, std::string_view new_path) {
  const std::string from(old_path);  // the caller's string may belong to an object that is moved
  const std::string to(new_path);
  Flush();
  zarr::EditableHierarchy& hierarchy = Change();
  const std::vector<std::string> arrays = pam_ ? ListArrays(hierarchy, from) : std::vector<std::string>();
  const auto move = [&] {
    edits_.Move(from, to);
    if (pam_) MovePamEntries(*pam_, arrays, from, to);
  };
  try {
    WarnOfLeftovers(hierarchy.store()->name(), hierarchy.Rename(from, to));
  } catch (...) {
    // The node may have moved before the failure. Later writes must not go to the old path.
    if (from != to && IsGone(from) && IsThere(to)) move();
    throw;
  }
  if (from != to) move();
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
  if (auto path = resource->finder().FindUpwards(group, name)) return NodePlace{resource, std::move(*path)};
  const NodePlace* above = resource->finder().FindAbove();
  auto path = above ? above->resource->finder().FindUpwards(GetParentPath(above->path), name) : std::nullopt;
  return path ? std::optional(NodePlace{above->resource, std::move(*path)}) : std::nullopt;
}

}  // namespace gdal_zarr
