// SPDX-License-Identifier: MIT
#include "zarrlib/store/files/new_file.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "zarrlib/base/system/file_names.h"
#include "zarrlib/base/system/locks.h"
#include "zarrlib/store/files/paths.h"
#include "zarrlib/store/store.h"

namespace zarr {

namespace {

std::string MakePathIn(const std::string& folder) {
  return folder + "/" + MakeTemporaryName();
}

bool AreOnOneFileSystem(const std::string& a, const std::string& b) {
  const auto first = GetStatus(a, Links::kFollow);
  const auto second = GetStatus(b, Links::kFollow);
  return first && second && first->identity.volume == second->identity.volume;
}

}  // namespace

NewFile::NewFile(std::string folder, std::string temporary_folder, Kind kind)
    : folder_(std::move(folder)), temporary_folder_(std::move(temporary_folder)) {
  try {
    if (kind == Kind::kFirstInFolder) MakeFolder();
    if (kind == Kind::kNamed || !OpenUnnamed()) OpenNamed();
  } catch (...) {
    RemoveEmptyFolders(made_folders_);
    throw;
  }
}

NewFile::~NewFile() {
  if (!name_.empty()) RemoveFile(name_);
  if (!is_complete_) RemoveEmptyFolders(made_folders_);
}

void NewFile::MakeFolder() {
  made_folders_.reserve(made_folders_.size() + std::count(folder_.begin(), folder_.end(), '/') + 1);
  for (std::string& folder : MakeFolders(folder_)) made_folders_.push_back(std::move(folder));
}

bool NewFile::OpenUnnamed() {
  file_ = MakeUnnamedFile(folder_);
  if (!file_.is_open() && errno == ENOENT) {
    MakeFolder();
    file_ = MakeUnnamedFile(folder_);
  }
  return file_.is_open();
}

void NewFile::OpenNamed() {
  if (temporary_folder_ != folder_) {
    // Two folders can be compared only if both exist.
    MakeFolder();
    if (AreOnOneFileSystem(temporary_folder_, folder_) && OpenNamedIn(temporary_folder_)) return;
  }
  if (!RetryInFolder([&] { return OpenNamedIn(folder_); })) ThrowSystemError("create a file");
}

/// Another writer may remove the folder while it is empty.
template <typename Function>
bool NewFile::RetryInFolder(const Function& function) {
  constexpr int kTries = 10;
  for (int i = 0; !function(); ++i) {
    if (errno != ENOENT || i == kTries) return false;
    MakeFolder();
  }
  return true;
}

bool NewFile::OpenNamedIn(const std::string& folder) {
  while (true) {
    std::string name = MakePathIn(folder);
    file_ = MakeFile(name);
    if (!file_.is_open() && errno != EEXIST) return false;
    if (!file_.is_open()) continue;
    // A process that removes abandoned files may have considered the file abandoned before it was locked.
    LockFile(file_, true);
    const auto status = GetStatus(file_);
    if (status && status->names == 0) continue;
    name_ = std::move(name);
    return true;
  }
}

void NewFile::Write(ByteSpan value) {
  if (!Append(file_, value)) ThrowSystemError("write");
}

void NewFile::Sync() {
  if (!zarr::Sync(file_)) ThrowSystemError("force to the disk");
}

bool NewFile::Become(const std::string& path) {
  Finish();
  if (name_.empty()) {
    is_complete_ = GiveName(file_, path);
    if (is_complete_) return true;
    // A link cannot replace a file; only a named file can.
    if (errno != EEXIST || !TakeTemporaryName()) return false;
  }
  InheritFrom(path, file_);
  if (!RetryInFolder([&] { return Rename(name_, path); })) ThrowSystemError("put the new file in place");
  name_.clear();
  is_complete_ = true;
  return true;
}

std::optional<bool> NewFile::AddName(const std::string& path) {
  Finish();
  is_complete_ = RetryInFolder([&] { return name_.empty() ? GiveName(file_, path) : zarr::AddName(name_, path); });
  if (is_complete_) return true;
  if (errno == EEXIST) return false;
  if (name_.empty() || errno == ENOTSUP) return std::nullopt;
  ThrowSystemError("put the new file in place");
}

void NewFile::Finish() const {
  if (!FinishWrites(file_)) ThrowSystemError("write");
}

bool NewFile::TakeTemporaryName() {
  LockFile(file_, true);
  return TakeTemporaryNameIn(temporary_folder_) || (temporary_folder_ != folder_ && TakeTemporaryNameIn(folder_));
}

bool NewFile::TakeTemporaryNameIn(const std::string& folder) {
  std::string name = MakePathIn(folder);
  while (!GiveName(file_, name)) {
    if (errno != EEXIST) return false;
    name = MakePathIn(folder);
  }
  name_ = std::move(name);
  return true;
}

}  // namespace zarr
