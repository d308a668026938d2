// SPDX-License-Identifier: MIT
#include "driver/stores/network_listing.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>

#include "driver/stores/network_settings.h"

namespace gdal_zarr {
namespace {

/// The categories of the debug messages of GDAL's object stores.
constexpr std::string_view kCategories[] = {"S3: ", "GS: ", "AZURE: ", "ADLS: ", "OSS: ", "SWIFT: "};

/// Notes whether GDAL raises an error on this thread, or a debug message of an object store.
class MessageWatch {
 public:
  MessageWatch() : debug_("CPL_DEBUG", "ON", false) { CPLPushErrorHandlerEx(&MessageWatch::Note, this); }
  ~MessageWatch() { CPLPopErrorHandler(); }
  MessageWatch(const MessageWatch&) = delete;
  MessageWatch& operator=(const MessageWatch&) = delete;

  bool noted() const { return noted_; }

 private:
  static void CPL_STDCALL Note(CPLErr level, CPLErrorNum, const char* message) {
    auto* self = static_cast<MessageWatch*>(CPLGetErrorHandlerUserData());
    const std::string_view text(message);
    // There may be a time before the category.
    const auto is_of = [&](std::string_view category) { return text.find(category) != text.npos; };
    self->noted_ = self->noted_ || level >= CE_Warning || std::ranges::any_of(kCategories, is_of);
  }

  bool noted_ = false;
  CPLConfigOptionSetter debug_;
};

/// How many changes this process has made on a network.
std::atomic<std::uint64_t> changes = 0;

/// A folder that was empty.
struct EmptyPlace {
  std::string path;
  std::string settings;
  std::uint64_t changes = 0;
  std::chrono::steady_clock::time_point seen;

  bool IsStill(const EmptyPlace& now) const {
    constexpr std::chrono::milliseconds kMoment{500};
    return path == now.path && settings == now.settings && changes == now.changes && now.seen - seen < kMoment;
  }
};

/// Returns nothing if GDAL said anything while it listed.
std::optional<std::vector<ListedEntry>> ListOnce(const std::string& path, bool recursive, const std::string& start,
                                                 std::size_t most = SIZE_MAX) {
  CPLStringList options;
  options.SetNameValue("NAME_AND_TYPE_ONLY", "YES");
  options.SetNameValue("CACHE_ENTRIES", "NO");
  if (!start.empty()) options.SetNameValue("PREFIX", start.c_str());
  // Objects in an archive are there, too.
  const CPLConfigOptionSetter all_classes("CPL_VSIL_CURL_IGNORE_STORAGE_CLASSES", "", false);
  const CPLConfigOptionSetter glacier("CPL_VSIL_CURL_IGNORE_GLACIER_STORAGE", "NO", false);
  const MessageWatch watch;
  const std::unique_ptr<VSIDIR, decltype(&VSICloseDir)> dir(
      VSIOpenDir(path.c_str(), recursive ? -1 : 0, options.List()), VSICloseDir);
  std::vector<ListedEntry> entries;
  while (const VSIDIREntry* entry = dir ? VSIGetNextDirEntry(dir.get()) : nullptr) {
    ListedEntry listed{entry->pszName, VSI_ISDIR(entry->nMode) != 0};
    while (listed.name.ends_with('/')) listed.name.pop_back();
    if (entries.size() == most) return std::nullopt;
    if (!listed.name.empty()) entries.push_back(std::move(listed));
  }
  if (watch.noted()) return std::nullopt;
  return entries;
}

}  // namespace

std::optional<std::vector<ListedEntry>> ListNewPlace(const std::string& path) {
  thread_local EmptyPlace known;
  EmptyPlace place{path, MakeDigestOfSettings(path), changes, std::chrono::steady_clock::now()};
  if (known.IsStill(place)) return std::vector<ListedEntry>();
  auto entries = ListOnNetwork(path, false);
  if (entries && entries->empty()) known = std::move(place);
  return entries;
}

void NoteChangeOnNetwork() {
  ++changes;
}

std::vector<bool> UnlinkObjects(const std::vector<std::string>& paths) {
  CPLStringList list;
  for (const std::string& path : paths) list.AddString(path.c_str());
  const std::unique_ptr<int, decltype(&VSIFree)> results(VSIUnlinkBatch(list.List()), VSIFree);
  std::vector<bool> erased(paths.size());
  for (std::size_t i = 0; results && i < paths.size(); ++i) erased[i] = results.get()[i] != 0;
  return erased;
}

bool IsInObjectStore(const std::string& path) {
  constexpr std::string_view kPrefixes[] = {"/vsis3/", "/vsigs/", "/vsiaz/", "/vsiadls/", "/vsioss/", "/vsiswift/"};
  return std::ranges::any_of(kPrefixes, [&](std::string_view prefix) { return path.starts_with(prefix); });
}

std::optional<std::vector<ListedEntry>> ListOnNetwork(const std::string& path, bool recursive,
                                                      const std::string& start) {
  if (auto entries = ListOnce(path, recursive, start)) return entries;
  return ListOnce(path, recursive, start);
}

std::optional<std::vector<ListedEntry>> ListAllOnNetwork(const std::string& path, std::size_t most) {
  return ListOnce(path, true, "", most);
}

}  // namespace gdal_zarr
