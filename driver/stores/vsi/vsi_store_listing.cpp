// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <utility>

#include "driver/stores/http/http_value.h"
#include "driver/stores/index_page.h"
#include "driver/stores/network_listing.h"
#include "driver/stores/vsi/vsi_absence.h"
#include "driver/stores/vsi/vsi_store_call.h"
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

/// The status in the message of a request that failed; 0 if there is none.
int FindStatus(const zarr::Error& error) {
  constexpr std::string_view kBefore = "HTTP response code: ";
  const std::size_t at = error.message().find(kBefore);
  return at == std::string::npos ? 0 : std::atoi(error.message().c_str() + at + kBefore.size());
}

/// Throws the error of a request for a folder's page, which was sent as one for a value.
[[noreturn]] void FailToList(const zarr::Error& error) {
  constexpr std::string_view kOfValue = "cannot be opened: ";
  std::string message = error.message();
  if (message.starts_with(kOfValue)) message.erase(0, kOfValue.size());
  throw zarr::Error(error.kind(), error.store(), error.key(), "", "cannot be listed: " + message);
}

zarr::Store::Listing MakeListing(const std::vector<ListedEntry>& entries) {
  zarr::Store::Listing listing;
  for (const ListedEntry& entry : entries) {
    if (entry.name.starts_with(zarr::kTemporaryPrefix)) continue;
    (entry.is_folder ? listing.prefixes : listing.keys).push_back(entry.name);
  }
  std::sort(listing.keys.begin(), listing.keys.end());
  std::sort(listing.prefixes.begin(), listing.prefixes.end());
  return listing;
}

}  // namespace

std::optional<zarr::Store::Listing> VsiStore::List(std::string_view prefix) const {
  zarr::CheckPrefix(prefix);
  if (kind_ == Kind::kNetwork) return ListNetworkFolder(prefix);
  const std::string_view folder = prefix.substr(0, prefix.empty() ? 0 : prefix.size() - 1);
  const Call call(*this, folder);
  if (kind_ == Kind::kLocal && zarr::LeadsBack(root_, folder)) return Listing{};
  static const char* const kOptions[] = {"NAME_AND_TYPE_ONLY=YES", nullptr};
  errno = 0;
  const std::unique_ptr<VSIDIR, decltype(&VSICloseDir)> dir(VSIOpenDir(call.path(), 0, kOptions), VSICloseDir);
  const int error_number = errno;
  if (!dir) {
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
  std::sort(listing.keys.begin(), listing.keys.end());
  std::sort(listing.prefixes.begin(), listing.prefixes.end());
  return listing;
}

std::optional<zarr::Store::Listing> VsiStore::ListNetworkFolder(std::string_view prefix) const {
  if (on_web_ && root_.starts_with("/vsicurl/")) {
    const auto entries = ListPage(prefix);
    return entries ? std::optional(MakeListing(*entries)) : std::nullopt;
  }
  const Call call(*this, prefix.substr(0, prefix.empty() ? 0 : prefix.size() - 1));
  const bool is_new_place = prefix.empty() && IsInObjectStore(root_);
  const auto entries = is_new_place ? ListNewPlace(root_) : ListOnNetwork(call.path(), false);
  if (!entries && can_list_ && IsInObjectStore(root_)) call.FailIo("cannot be listed");
  if (!entries) return std::nullopt;
  can_list_ = true;
  return MakeListing(*entries);
}

std::optional<std::vector<ListedEntry>> VsiStore::ListPage(std::string_view prefix) const {
  const ErrorCollector quiet;
  auto address = MakeAddress(prefix);
  if (!address) return std::nullopt;
  const std::string url = address->url;
  zarr::Bytes page;
  try {
    const HttpValue value(*CurlLibrary::Get(), std::move(*address));
    if (!value.Get(&page, nullptr, zarr::GetLimit(zarr::Limit::kText))) return std::nullopt;
  } catch (const zarr::Error& error) {
    if (error.kind() == zarr::ErrorKind::kLimitExceeded || MeansNoListing(FindStatus(error))) return std::nullopt;
    FailToList(error);
  }
  auto entries = ParseIndexPage(zarr::AsText(page), url);
  if (entries) can_list_ = true;
  return entries;
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
