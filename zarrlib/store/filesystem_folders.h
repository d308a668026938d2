// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <utility>

#include "zarrlib/store/filesystem_root.h"
#include "zarrlib/store/store_folders.h"

namespace zarr {

class FilesystemFolders final : public StoreFolders {
 public:
  explicit FilesystemFolders(std::shared_ptr<const FilesystemRoot> root) : root_(std::move(root)) {}

  std::unique_ptr<OpenedValue> Open(std::string_view key) const override;
  std::vector<StoreEntry> ListEntries(std::string_view prefix) const override;
  std::optional<std::vector<std::string>> ListNames(std::string_view prefix, std::size_t most) const override;
  std::optional<EntryKind> GetKind(std::string_view path) const override;
  std::optional<FolderPlace> FindFolder(std::string_view path) const override;
  Leftovers EraseChosen(std::string_view prefix, const Chooser& choose) override;
  void EraseAbandoned() override;
  void Rename(std::string_view from, std::string_view to) override;
  bool Exchange(std::string_view first, std::string_view second) override;

 private:
  /// Returns true if an existing folder is outside the store.
  bool LeadsOut(const std::string& folder) const;

  const std::shared_ptr<const FilesystemRoot> root_;
};

}  // namespace zarr
