// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>

#include "driver/stores/network_listing.h"
#include "driver/stores/vsi_absence.h"
#include "driver/stores/vsi_store_call.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/store/posix_file.h"

namespace gdal_zarr {
namespace {

/// For a symbolic link, GDAL gives the type of the link and not of its target.
bool IsFolder(const VSIDIREntry& entry, const std::string& parent, const std::string& name) {
  if (VSI_ISDIR(entry.nMode)) return true;
  if (VSI_ISREG(entry.nMode)) return false;
  VSIStatBufL status;
  return VSIStatExL((parent + "/" + name).c_str(), &status, VSI_STAT_EXISTS_FLAG | VSI_STAT_NATURE_FLAG) == 0 &&
         VSI_ISDIR(status.st_mode);
}

}  // namespace

std::optional<zarr::Store::Listing> VsiStore::List(std::string_view prefix) const {
  zarr::CheckPrefix(prefix);
  const std::string_view folder = prefix.substr(0, prefix.empty() ? 0 : prefix.size() - 1);
  const Call call(*this, folder);
  if (IsInObjectStore(root_)) return ListObjects(call);
  if (kind_ == Kind::kLocal && zarr::LeadsBack(root_, folder)) return Listing{};
  static const char* const kOptions[] = {"NAME_AND_TYPE_ONLY=YES", nullptr};
  errno = 0;
  const std::unique_ptr<VSIDIR, decltype(&VSICloseDir)> dir(VSIOpenDir(call.path(), 0, kOptions), VSICloseDir);
  const int error_number = errno;
  if (!dir) {
    if (kind_ == Kind::kNetwork) return std::nullopt;
    // Nothing lies under a file.
    const bool failed = kind_ == Kind::kLocal ? !zarr::MeansAbsent(error_number)
                                              : call.errors().failed() || LookAgain(call.path()) == Presence::kFailed;
    if (failed) call.FailIo("cannot be listed");
    return Listing{};
  }
  Listing listing;
  while (const VSIDIREntry* entry = VSIGetNextDirEntry(dir.get())) {
    std::string name = entry->pszName;
    while (name.ends_with('/')) name.pop_back();
    if (name.empty() || name == "." || name == ".." || name.starts_with(zarr::kTemporaryPrefix)) continue;
    (IsFolder(*entry, call.path(), name) ? listing.prefixes : listing.keys).push_back(std::move(name));
  }
  // Of a web server's page that GDAL cannot read as a list, it makes a folder without entries.
  const bool tells_nothing = listing.keys.empty() && listing.prefixes.empty();
  if (kind_ == Kind::kNetwork && (tells_nothing || call.errors().failed())) return std::nullopt;
  can_list_ = true;
  std::sort(listing.keys.begin(), listing.keys.end());
  std::sort(listing.prefixes.begin(), listing.prefixes.end());
  return listing;
}

std::optional<zarr::Store::Listing> VsiStore::ListObjects(const Call& call) const {
  const bool is_root = call.path() == root_;
  const auto entries = is_root ? ListNewPlace(root_) : ListOnNetwork(call.path(), false);
  if (!entries && can_list_) call.FailIo("cannot be listed");
  if (!entries) return std::nullopt;
  can_list_ = true;
  Listing listing;
  for (const ListedEntry& entry : *entries) {
    if (entry.name.starts_with(zarr::kTemporaryPrefix)) continue;
    (entry.is_folder ? listing.prefixes : listing.keys).push_back(entry.name);
  }
  std::sort(listing.keys.begin(), listing.keys.end());
  std::sort(listing.prefixes.begin(), listing.prefixes.end());
  return listing;
}

std::optional<std::vector<std::string>> VsiStore::ListKeysBelow(std::string_view prefix, std::size_t most) const {
  zarr::CheckPrefix(prefix);
  if (!IsInObjectStore(root_)) return std::nullopt;
  const Call call(*this, prefix.substr(0, prefix.empty() ? 0 : prefix.size() - 1));
  auto objects = ListAllOnNetwork(call.path(), most);
  if (!objects) return std::nullopt;
  std::vector<std::string> keys;
  for (ListedEntry& object : *objects) {
    if (!object.is_folder) keys.push_back(std::move(object.name));
  }
  return keys;
}

std::optional<zarr::EntryKind> VsiStore::GetEntryKind(std::string_view path) const {
  if (!IsInObjectStore(root_)) return Store::GetEntryKind(path);
  const auto [folder, name] = zarr::SplitKey(path);
  const Call call(*this, folder);
  const auto entries = ListOnNetwork(call.path(), false, std::string(name));
  if (!entries && can_list_) call.FailIo("cannot be listed");
  if (!entries) return Store::GetEntryKind(path);
  can_list_ = true;
  std::optional<zarr::EntryKind> kind;
  for (const ListedEntry& entry : *entries) {
    if (entry.name == name && entry.is_folder) return zarr::EntryKind::kFolder;
    if (entry.name == name) kind = zarr::EntryKind::kValue;
  }
  return kind;
}

}  // namespace gdal_zarr
