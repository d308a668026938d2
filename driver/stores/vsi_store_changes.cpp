// SPDX-License-Identifier: MIT
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "driver/stores/network_listing.h"
#include "driver/stores/vsi_store_call.h"
#include "zarrlib/store/posix_file.h"

namespace gdal_zarr {
void VsiStore::CheckWritable(std::string_view key) const {
  zarr::CheckKey(key);
  if (writing_ != Writing::kNone) return;
  throw zarr::Error(
      zarr::ErrorKind::kReadOnly, root_, std::string(key), "",
      root_.starts_with("/vsizip/") ? "an archive is written once, as a whole" : "GDAL cannot write there");
}

/// GDAL lists files in memory only if their folders were made. On a disk, files need their folders.
void VsiStore::MakeFolder(const std::string& folder) const {
  {
    const std::lock_guard lock(folders_mutex_);
    if (folders_.contains(folder)) return;
  }
  // Another process may make the same folder at the same time; GDAL then reports failure.
  for (int i = 0; i < 10 && VSIMkdirRecursive(folder.c_str(), 0777) != 0; ++i) {
  }
  const std::lock_guard lock(folders_mutex_);
  folders_.insert(folder);
}

void VsiStore::WriteFile(const Call& call, const std::string& path, zarr::ByteSpan value) const {
  const std::string folder = path.substr(0, path.rfind('/'));
  if (writing_ == Writing::kRename) MakeFolder(folder);
  VSILFILE* file = VSIFOpenExL(path.c_str(), "wb", TRUE);
  if (!file && writing_ == Writing::kRename) {
    // Another process may have removed the folder since.
    {
      const std::lock_guard lock(folders_mutex_);
      folders_.erase(folder);
    }
    MakeFolder(folder);
    file = VSIFOpenExL(path.c_str(), "wb", TRUE);
  }
  if (!file) call.FailIo("cannot be created");
  const bool written = value.empty() || VSIFWriteL(value.data(), 1, value.size(), file) == value.size();
  // Data that could not be flushed to a disk, or sent to a server, fail here.
  const bool closed = VSIFCloseL(file) == 0;
  if (!written || !closed || call.errors().failed()) call.FailIo("cannot be written");
}

void VsiStore::Set(std::string_view key, zarr::ByteSpan value) {
  CheckWritable(key);
  const Call call(*this, key);
  const std::string path = call.path();
  if (writing_ == Writing::kInPlace) {
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

/// GDAL remembers that there was nothing at the root before, and a list of what is beside it.
void VsiStore::ForgetAbsence() {
  if (kind_ != Kind::kNetwork) return;
  NoteChangeOnNetwork();
  forgotten_.Run([this] { VSICurlPartialClearCache(root_.substr(0, root_.rfind('/')).c_str()); });
}

void VsiStore::Erase(std::string_view key) {
  CheckWritable(key);
  if (IsInObjectStore(root_)) {
    const std::string keys[] = {std::string(key)};
    return EraseAll(keys);
  }
  if (!Exists(key)) return;
  const Call call(*this, key);
  if (VSIUnlink(call.path()) != 0) call.FailIo("cannot be removed");
  ++GetVersion(call.path());
  ForgetAbsence();
}

void VsiStore::EraseAll(std::span<const std::string> keys) {
  if (!IsInObjectStore(root_)) return Store::EraseAll(keys);
  constexpr std::size_t kMostAtOnce = 1000;
  for (; !keys.empty(); keys = keys.subspan(std::min(kMostAtOnce, keys.size()))) {
    const Call call(*this, "");
    std::vector<std::string> paths;
    for (const std::string& key : keys.first(std::min(kMostAtOnce, keys.size()))) paths.push_back(MakePath(key));
    const std::vector<bool> erased = UnlinkObjects(paths);
    ForgetAbsence();
    for (const std::string& path : paths) ++GetVersion(path);
    for (std::size_t i = 0; i < paths.size(); ++i) {
      if (erased[i] || !Exists(keys[i])) continue;
      call.Fail(zarr::ErrorKind::kIo, WithReason(keys[i] + " cannot be removed", call.errors()));
    }
  }
}

/// The listing is in the order of the names, so that the folders of an object are mostly those of the one before.
zarr::Store::Leftovers VsiStore::EraseObjects(std::string_view prefix, const zarr::Chooser& choose) {
  zarr::CheckPrefix(prefix);
  const std::string_view folder = prefix.substr(0, prefix.empty() ? 0 : prefix.size() - 1);
  const Call call(*this, folder);
  const auto objects = ListOnNetwork(call.path(), true);
  if (!objects) call.Fail(zarr::ErrorKind::kUnsupported, "the store cannot list what is to be removed");
  can_list_ = true;
  Leftovers leftovers;
  std::unordered_map<std::string, zarr::Choice> folders;
  std::vector<std::string> erased;
  for (const ListedEntry& object : *objects) {
    if (object.is_folder) continue;
    const std::string path = std::string(prefix) + object.name;
    zarr::Choice choice = zarr::Choice::kEnter;
    std::size_t end = path.find('/', prefix.size());
    for (; end != path.npos && choice == zarr::Choice::kEnter; end = path.find('/', end + 1)) {
      const auto [known, is_new] = folders.try_emplace(path.substr(0, end), choice);
      if (is_new) known->second = choose(known->first, zarr::EntryKind::kFolder);
      choice = known->second;
      // The folder itself is what is left.
      if (is_new && choice == zarr::Choice::kKeep) zarr::AddLeftovers({1, {known->first}}, &leftovers);
    }
    if (choice != zarr::Choice::kEnter) continue;
    choice = choose(path, zarr::EntryKind::kValue);
    if (choice == zarr::Choice::kErase) erased.push_back(path);
    if (choice == zarr::Choice::kKeep) zarr::AddLeftovers({1, {path}}, &leftovers);
  }
  EraseAll(erased);
  return leftovers;
}

zarr::Store::Leftovers VsiStore::EraseChosen(std::string_view prefix, const zarr::Chooser& choose) {
  if (IsInObjectStore(root_)) return EraseObjects(prefix, choose);
  Leftovers leftovers = Store::EraseChosen(prefix, choose);
  if (writing_ != Writing::kRename || prefix.empty()) return leftovers;
  // Some of GDAL's file systems remove a folder even if it is not empty.
  const auto entries = ListEntries(prefix);
  if (!entries || !entries->empty()) return leftovers;
  const std::string folder = MakePath(prefix.substr(0, prefix.size() - 1));
  const ErrorCollector quiet;
  VSIRmdir(folder.c_str());
  const std::lock_guard lock(folders_mutex_);
  folders_.erase(folder);
  return leftovers;
}

}  // namespace gdal_zarr
