// SPDX-License-Identifier: MIT
#include <chrono>
#include <filesystem>
#include <system_error>

#include "zarrlib/metadata/document_names.h"
#include "zarrlib/store/files/folder_names.h"
#include "zarrlib/store/files/path_text.h"
#include "zarrlib/store/temporary_names.h"
#include "zarrlib/tools/check/checks.h"
#include "zarrlib/tools/copy/copy_marker.h"
#include "zarrlib/tools/reshard/reshard_folder.h"

namespace zarr::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::hours kLongAgo{1};

class Leftovers {
 public:
  Leftovers(const Store& store, bool remove, Findings* findings)
      : store_(store), root_(ToPath(store.name())), remove_(remove), findings_(findings) {}

  /// Walks through the folders; does not follow links.
  void Look(const std::string& prefix) const {
    std::error_code error;
    for (const std::string& name : ListNames(ToText(root_ / ToPath(prefix)), &error)) {
      const fs::directory_entry entry(root_ / ToPath(prefix) / ToPath(name), error);
      const fs::file_status status = entry.symlink_status(error);
      if (fs::is_directory(status)) {
        if (prefix.empty() && name == kCopyFolder) {
          NameCopy();
        } else if (name.starts_with(kReshardPrefix)) {
          NameReshard(prefix, name);
        } else {
          Look(prefix + name + "/");
        }
      } else if (fs::is_regular_file(status) && IsOwnTemporaryName(name)) {
        NameFile(prefix + name, entry);
      } else if (fs::is_regular_file(status) && prefix.empty() && IsOwnRemovalName(name)) {
        findings_->Add(StoreRule("removal-interrupted"), name,
                       "nodes are being removed, or that was interrupted; opening the store for update "
                       "completes it");
      }
    }
  }

 private:
  void NameCopy() const {
    if (!CopyMarker::Exists(store_)) return;
    findings_->Add(StoreRule("copy-interrupted"), kCopyFolder,
                   "a copy to this store is at work, or was interrupted: the same zarrkit copy completes it");
  }

  void NameReshard(const std::string& prefix, const std::string& name) const {
    const std::string array = prefix + name.substr(kReshardPrefix.size());
    const std::string next = "; zarrkit reshard of /" + array;
    if (store_.Exists(JoinKey(array, kV3Document)) || store_.Exists(JoinKey(array, kV2Array))) {
      return findings_->Add(
          StoreRule("reshard-interrupted"), prefix + name,
          "a reshard is at work here, or was interrupted: the array is whole" + next + " removes this first");
    }
    findings_->Add(StoreRule("reshard-displaced"), prefix + name,
                   "an interrupted reshard has left the array here" + next + " puts it in its place");
  }

  void NameFile(const std::string& key, const fs::directory_entry& entry) const {
    std::error_code error;
    const auto age = fs::file_time_type::clock::now() - entry.last_write_time(error);
    if (error) return;  // the file no longer exists: its writer was still running
    if (!remove_ || age < kLongAgo) {
      const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(age).count();
      return findings_->Add(
          StoreRule("temporary-file"), key,
          "a temporary file, " + std::to_string(minutes) + " minutes old: its writer is at work, or was killed");
    }
    if (fs::remove(entry.path(), error) && !error) {
      findings_->AddDone("removed", key);
    } else if (error) {
      findings_->Add(StoreRule("temporary-file-stays"),
                     Error(ErrorKind::kIo, store_.name(), key, "", "cannot be removed: " + error.message()));
    }
  }

  const Store& store_;
  const fs::path root_;
  const bool remove_;
  Findings* findings_;
};

}  // namespace

void CheckLeftovers(const Store& store, const std::string& path, bool remove, Findings* findings) {
  Leftovers(store, remove, findings).Look(path.empty() ? "" : path + "/");
}

}  // namespace zarr::tools
