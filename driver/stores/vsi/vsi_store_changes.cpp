// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "driver/stores/answer_watch.h"
#include "driver/stores/network_listing.h"
#include "driver/stores/vsi/vsi_absence.h"
#include "driver/stores/vsi/vsi_conditions.h"
#include "driver/stores/vsi/vsi_store_call.h"
#include "driver/stores/vsi/vsi_upload.h"
#include "zarrlib/store/files/paths.h"

namespace gdal_zarr {
namespace {

/// Returns the prefix of the innermost folder that contains all keys.
std::string FindCommonFolder(const std::vector<std::string>& keys) {
  std::string_view common = keys.front();
  for (const std::string& key : keys) {
    const auto end = std::ranges::mismatch(common, key).in1;
    common = common.substr(0, static_cast<std::size_t>(end - common.begin()));
  }
  return std::string(common.substr(0, common.rfind('/') + 1));
}

}  // namespace

void VsiStore::CheckWritable(std::string_view key) const {
  zarr::CheckKey(key);
  if (IsImpossible(key)) {
    throw zarr::Error(zarr::ErrorKind::kInvalidArgument, root_, std::string(key), "",
                      "a name in memory cannot have \"\\\"");
  }
  if (writing_ != Writing::kNone) return;
  throw zarr::Error(
      zarr::ErrorKind::kReadOnly, root_, std::string(key), "",
      root_.starts_with("/vsizip/") ? "an archive is written once, as a whole" : "GDAL cannot write there");
}

/// GDAL lists files in memory only if their folders were created. On disk, files need their folders.
void VsiStore::MakeFolder(const std::string& folder) const {
  {
    const std::lock_guard lock(folders_mutex_);
    if (folders_.contains(folder)) return;
  }
  // Another process may create the same folder at the same time; GDAL then reports failure.
  for (int i = 0; i < 10 && VSIMkdirRecursive(folder.c_str(), 0777) != 0; ++i) {
  }
  const std::lock_guard lock(folders_mutex_);
  folders_.insert(folder);
}

VSILFILE* VsiStore::CreateNewFile(const std::string& path) const {
  const std::string folder = path.substr(0, path.rfind('/'));
  if (writing_ == Writing::kRename) MakeFolder(folder);
  VSILFILE* file = VSIFOpenExL(path.c_str(), "wb", TRUE);
  if (file || writing_ != Writing::kRename) return file;
  // Another process may have removed the folder since.
  {
    const std::lock_guard lock(folders_mutex_);
    folders_.erase(folder);
  }
  MakeFolder(folder);
  return VSIFOpenExL(path.c_str(), "wb", TRUE);
}

void VsiStore::WriteFile(const Call& call, const std::string& path, zarr::ByteSpan value) const {
  bool created = false;
  bool written = false;
  {
    std::optional<AnswerWatch> watch;
    if (kind_ == Kind::kNetwork) watch.emplace(path);
    VSILFILE* file = CreateNewFile(path);
    created = file != nullptr;
    written = created && (value.empty() || VSIFWriteL(value.data(), 1, value.size(), file) == value.size());
    // Data that could not be flushed to disk, or sent to a server, fails here.
    written = created && VSIFCloseL(file) == 0 && written;
  }
  if (!created) call.FailIo("cannot be created");
  if (!written || call.errors().failed()) call.FailIo("cannot be written");
}

bool VsiStore::Write(std::string_view key, zarr::ByteSpan value, zarr::WriteIf condition) {
  CheckWritable(key);
  if (condition == zarr::WriteIf::kAbsent && Exists(key)) return false;
  const bool is_small = value.size() <= GetMostInOneRequest(root_);
  if (condition == zarr::WriteIf::kAbsent && TakesConditions(root_) && is_small)
    return WriteIfSame(key, value, nullptr);
  Put(key, value);
  return true;
}

void VsiStore::Put(std::string_view key, zarr::ByteSpan value) {
  const Call call(*this, key);
  const std::string path = call.path();
  if (writing_ == Writing::kInPlace && CanUploadInParts(path, value.size())) {
    if (!UploadInParts(path, value)) call.FailIo("cannot be written: its upload in parts failed");
  } else if (writing_ == Writing::kInPlace) {
    WriteFile(call, path, value);
  } else {
    const std::string temporary = path.substr(0, path.rfind('/') + 1) + zarr::MakeTemporaryName();
    try {
      WriteFile(call, temporary, value);
      if (VSIRename(temporary.c_str(), path.c_str()) != 0) call.FailIo("cannot be put in place");
    } catch (...) {
      VSIUnlink(temporary.c_str());
      throw;
    }
  }
  ++GetVersion(path);
  ForgetAbsence();
}

/// GDAL caches that the root did not exist before, and the list of its parent folder.
void VsiStore::ForgetAbsence() {
  if (kind_ != Kind::kNetwork) return;
  NoteChangeOnNetwork();
  forgotten_.Run([this] { ForgetFolderOf(root_); });
}

void VsiStore::EraseAll(std::span<const std::string> keys) {
  std::vector<std::string> objects;
  for (const std::string& key : keys) {
    if (zarr::IsFolderKey(key)) {
      EraseFolder(key);
      continue;
    }
    CheckWritable(key);
    IsInObjectStore(root_) ? objects.push_back(key) : EraseFile(key);
  }
  EraseObjects(objects);
}

void VsiStore::EraseFile(const std::string& key) {
  if (!Exists(key)) return;
  const Call call(*this, key);
  if (VSIUnlink(call.path()) != 0) call.FailIo("cannot be removed");
  ++GetVersion(call.path());
  ForgetAbsence();
}

/// Some of GDAL's file systems remove a folder even if it is not empty.
void VsiStore::EraseFolder(const std::string& prefix) {
  if (writing_ != Writing::kRename) return;
  const auto listing = List(prefix);
  if (!listing || !listing->empty()) return;
  const std::string folder = MakePath(prefix.substr(0, prefix.size() - 1));
  const ErrorCollector quiet;
  VSIRmdir(folder.c_str());
  const std::lock_guard lock(folders_mutex_);
  folders_.erase(folder);
}

void VsiStore::EraseObjects(std::span<const std::string> keys) {
  constexpr std::size_t kMostAtOnce = 1000;
  for (; !keys.empty(); keys = keys.subspan(std::min(kMostAtOnce, keys.size()))) {
    const Call call(*this, "");
    std::vector<std::string> paths;
    for (const std::string& key : keys.first(std::min(kMostAtOnce, keys.size()))) paths.push_back(MakePath(key));
    std::vector<bool> erased;
    {
      const AnswerWatch watch(root_);
      erased = UnlinkObjects(paths);
    }
    ForgetAbsence();
    for (const std::string& path : paths) ++GetVersion(path);
    std::vector<std::string> doubtful;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      if (!erased[i]) doubtful.push_back(keys[i]);
    }
    if (const auto left = FindLeft(doubtful)) {
      call.Fail(zarr::ErrorKind::kIo, WithReason(*left + " cannot be removed", call.errors()));
    }
  }
}

std::optional<std::string> VsiStore::FindLeft(const std::vector<std::string>& keys) const {
  if (keys.size() > 1) {
    // The folder may contain many other objects.
    constexpr std::size_t kMostForOne = 10;
    const std::string prefix = FindCommonFolder(keys);
    if (const auto listed = ListBelow(prefix, std::max<std::size_t>(1000, kMostForOne * keys.size()))) {
      const std::unordered_set<std::string> names(listed->keys.begin(), listed->keys.end());
      const auto is_left = [&](const std::string& key) { return names.contains(key.substr(prefix.size())); };
      const auto left = std::ranges::find_if(keys, is_left);
      return left == keys.end() ? std::nullopt : std::optional(*left);
    }
  }
  const auto left = std::ranges::find_if(keys, [this](const std::string& key) { return Exists(key); });
  return left == keys.end() ? std::nullopt : std::optional(*left);
}

}  // namespace gdal_zarr
