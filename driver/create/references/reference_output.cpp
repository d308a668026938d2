// SPDX-License-Identifier: MIT
#include "driver/create/references/reference_output.h"

#include <cpl_vsi.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "driver/create/let_go.h"
#include "driver/create/removal.h"
#include "driver/create/whole_store.h"
#include "driver/stores/kerchunk/reference_target.h"
#include "driver/stores/store_factory.h"
#include "driver/stores/temporary_folder.h"
#include "driver/stores/vsi/vsi_store.h"
#include "zarrlib/base/error.h"
#include "zarrlib/store/store.h"
#include "zarrlib/store/store_folders.h"

namespace gdal_zarr {
namespace {

struct FilePlace {
  std::string folder;
  std::string name;
};

FilePlace Split(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return {path.substr(0, slash), path.substr(slash + 1)};
}

std::string MakeTemporaryPath(const std::string& path) {
  if (LeadsToNetwork(path)) return GetFolderForTemporaryFiles() + "/" + zarr::MakeTemporaryName();
  return path.substr(0, path.rfind('/') + 1) + zarr::MakeTemporaryName();  // npos + 1 is 0
}

void AddKeys(const zarr::Store& folder, const std::string& prefix, std::vector<std::string>* keys) {
  const auto entries = zarr::ListEntries(folder, prefix);
  for (const zarr::StoreEntry& entry : *entries) {
    const std::string path = prefix + entry.name;
    entry.kind == zarr::EntryKind::kFolder ? AddKeys(folder, path + "/", keys) : keys->push_back(path);
  }
}

zarr::Bytes ReadBack(const zarr::Store& folder, const std::string& key) {
  zarr::Bytes bytes;
  if (folder.Get(key, &bytes)) return bytes;
  throw zarr::Error(zarr::ErrorKind::kIo, folder.name(), key, "", "the file cannot be read back");
}

void SendFile(const std::string& from, const std::string& to) {
  const FilePlace source = Split(from);
  const FilePlace target = Split(to);
  MakeStore(target.folder)->Set(target.name, ReadBack(*MakeStore(source.folder), source.name));
}

/// Sends the file `last` when all others are there.
void SendFolder(const std::string& from, const std::string& to, const std::string& last) {
  const std::shared_ptr<zarr::Store> source = MakeStore(from);
  const std::shared_ptr<zarr::Store> target = MakeStore(to);
  std::vector<std::string> keys;
  AddKeys(*source, "", &keys);
  std::erase(keys, last);
  for (const std::string& key : keys) target->Set(key, ReadBack(*source, key));
  if (target->Write(last, ReadBack(*source, last), zarr::WriteIf::kAbsent)) return;
  throw zarr::Error(zarr::ErrorKind::kIo, to, last, "", "another process has made this file in the meantime");
}

void Rename(const std::string& from, const std::string& to) {
  errno = 0;
  if (VSIRename(from.c_str(), to.c_str()) == 0) return;
  throw zarr::Error(
      zarr::ErrorKind::kIo, to, "", "",
      "the references cannot get this name" + (errno == 0 ? "" : ": " + std::generic_category().message(errno)));
}

}  // namespace

ReferenceOutput::ReferenceOutput(std::string path, std::string last)
    : final_(std::move(path)), last_(std::move(last)), written_(MakeTemporaryPath(final_)) {
  if (LeadsToNetwork(final_)) CheckTakesWrites(*MakeStore(Split(final_).folder));
}

ReferenceOutput::~ReferenceOutput() {
  VSIStatBufL status;
  if (VSIStatL(written_.c_str(), &status) != 0) return;
  VSI_ISDIR(status.st_mode) ? VSIRmdirRecursive(written_.c_str()) : VSIUnlink(written_.c_str());
}

void ReferenceOutput::PutInPlace() {
  const bool is_remote = LeadsToNetwork(final_);
  if (!is_remote) MakeRoom(final_);
  const WholeStore old = FindWholeStore(final_, WholeStoreUse::kReplace);
  // Renaming and sending replace a file in one step.
  if (old.kind != WholeStore::Kind::kReferences) RemoveWholeStore(old);
  if (is_remote) return last_.empty() ? SendFile(written_, final_) : SendFolder(written_, final_, last_);
  VSIStatBufL status;
  if (old.kind == WholeStore::Kind::kAbsent && VSIStatL(final_.c_str(), &status) == 0) VSIRmdir(final_.c_str());
  Rename(written_, final_);
}

ReferenceUrls::ReferenceUrls(const std::string& references) {
  if (references.empty()) return;
  folder_ = MakeReferenceUrl(references);
  folder_.resize(folder_.rfind('/') + 1);  // npos + 1 is 0
}

const std::string& ReferenceUrls::Get(const std::string& path) {
  if (path == path_ && !url_.empty()) return url_;
  path_ = path;
  url_ = MakeReferenceUrl(path);
  if (!url_.starts_with(folder_)) {
    throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                      zarr::FormatExpectedGot("a source in the folder " + folder_ + ", with RELATIVE=YES", url_));
  }
  url_.erase(0, folder_.size());
  return url_;
}

}  // namespace gdal_zarr
