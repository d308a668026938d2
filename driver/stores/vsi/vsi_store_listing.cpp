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
#include "zarrlib/store/files/paths.h"

namespace gdal_zarr {
namespace {

/// For a symbolic link, GDAL returns the type of the link rather than of its target.
bool IsFolder(const VSIDIREntry& entry, const std::string& parent, const std::string& name) {
  if (VSI_ISDIR(entry.nMode)) return true;
  if (VSI_ISREG(entry.nMode)) return false;
  VSIStatBufL status;
  return VSIStatExL((parent + "/" + name).c_str(), &status, VSI_STAT_EXISTS_FLAG | VSI_STAT_NATURE_FLAG) == 0 &&
         VSI_ISDIR(status.st_mode);
}

/// Returns the status in the message of a failed request, or 0 if there is none.
int FindStatus(const zarr::Error& error) {
  constexpr std::string_view kBefore = "HTTP response code: ";
  const std::size_t at = error.message().find(kBefore);
  return at == std::string::npos ? 0 : std::atoi(error.message().c_str() + at + kBefore.size());
}

/// Throws the error of a request for a folder's page, which was sent like a request for a value.
[[noreturn]] void FailToList(const zarr::Error& error) {
  constexpr std::string_view kOfValue = "cannot be opened: ";
  std::string message = error.message();
  if (message.starts_with(kOfValue)) message.erase(0, kOfValue.size());
  throw zarr::Error(error.kind(), error.store(), error.key(), "", "cannot be listed: " + message);
}

zarr::Listing MakeListing(const std::vector<ListedEntry>& entries) {
  zarr::Listing listing;
  for (const ListedEntry& entry : entries) {
    if (entry.name.starts_with(zarr::kTemporaryPrefix)) continue;
    (entry.is_folder ? listing.prefixes : listing.keys).push_back(entry.name);
  }
  std::sort(listing.keys.begin(), listing.keys.end());
  std::sort(listing.prefixes.begin(), listing.prefixes.end());
  return listing;
}

}  // namespace

std::optional<zarr::Listing> VsiStore::List(std::string_view prefix, const zarr::ListOptions& options) const {
  zarr::CheckPrefix(prefix);
  if (IsImpossible(prefix)) return zarr::Listing{};
  if (options.below) return ListBelow(prefix, options.most);
  return options.only.empty() ? ListFolder(prefix) : ListOne(prefix, options.only);
}

std::optional<zarr::Listing> VsiStore::ListFolder(std::string_view prefix) const {
  if (kind_ == Kind::kNetwork) return ListNetworkFolder(prefix);
  const std::string_view folder = prefix.substr(0, prefix.empty() ? 0 : prefix.size() - 1);
  const Call call(*this, folder);
  if (kind_ == Kind::kLocal && zarr::LeadsBack(root_, folder)) return zarr::Listing{};
  static const char* const kOptions[] = {"NAME_AND_TYPE_ONLY=YES", nullptr};
  errno = 0;
  const std::unique_ptr<VSIDIR, decltype(&VSICloseDir)> dir(VSIOpenDir(call.path(), 0, kOptions), VSICloseDir);
  const int error_number = errno;
  if (!dir) {
    // A file has no children.
    const bool failed = kind_ == Kind::kLocal ? !zarr::MeansAbsent(error_number)
                                              : call.errors().failed() || LookAgain(call.path()) == Presence::kFailed;
    if (failed) call.FailIo("cannot be listed");
    return zarr::Listing{};
  }
  zarr::Listing listing;
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

std::optional<zarr::Listing> VsiStore::ListNetworkFolder(std::string_view prefix) const {
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

std::optional<zarr::Listing> VsiStore::ListBelow(std::string_view prefix, std::size_t most) const {
  if (!IsInObjectStore(root_)) return std::nullopt;
  const Call call(*this, prefix.substr(0, prefix.empty() ? 0 : prefix.size() - 1));
  // Without a limit, a failure is an error.
  const bool wants_all = most == SIZE_MAX;
  auto objects = wants_all ? ListOnNetwork(call.path(), true) : ListAllOnNetwork(call.path(), most);
  if (!objects) return std::nullopt;
  if (wants_all) can_list_ = true;
  zarr::Listing listing;
  for (ListedEntry& object : *objects) {
    if (!object.is_folder) listing.keys.push_back(std::move(object.name));
  }
  std::sort(listing.keys.begin(), listing.keys.end());
  return listing;
}

std::optional<zarr::Listing> VsiStore::ListOne(std::string_view prefix, std::string_view name) const {
  if (!IsInObjectStore(root_)) return std::nullopt;
  const Call call(*this, prefix.substr(0, prefix.empty() ? 0 : prefix.size() - 1));
  const auto entries = ListOnNetwork(call.path(), false, std::string(name));
  if (!entries && can_list_) call.FailIo("cannot be listed");
  if (!entries) return std::nullopt;
  can_list_ = true;
  zarr::Listing listing;
  for (const ListedEntry& entry : *entries) {
    if (entry.name == name) (entry.is_folder ? listing.prefixes : listing.keys).push_back(entry.name);
  }
  return listing;
}

}  // namespace gdal_zarr
