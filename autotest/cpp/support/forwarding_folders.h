// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/store/store_folders.h"

namespace zarr::test {

/// Hands all calls on to other folders, for tests that do a few things otherwise.
class ForwardingFolders : public StoreFolders {
 public:
  explicit ForwardingFolders(StoreFolders& inner) : inner_(inner) {}

  std::unique_ptr<OpenedValue> Open(std::string_view key) const override { return inner_.Open(key); }
  std::vector<StoreEntry> ListEntries(std::string_view prefix) const override { return inner_.ListEntries(prefix); }
  std::optional<std::vector<std::string>> ListNames(std::string_view prefix, std::size_t most) const override {
    return inner_.ListNames(prefix, most);
  }
  std::optional<EntryKind> GetKind(std::string_view path) const override { return inner_.GetKind(path); }
  std::optional<FolderPlace> FindFolder(std::string_view path) const override { return inner_.FindFolder(path); }
  Leftovers EraseChosen(std::string_view prefix, const Chooser& choose) override {
    return inner_.EraseChosen(prefix, choose);
  }
  void EraseAbandoned() override { inner_.EraseAbandoned(); }
  void Rename(std::string_view from, std::string_view to) override { inner_.Rename(from, to); }
  bool Exchange(std::string_view first, std::string_view second) override { return inner_.Exchange(first, second); }

 protected:
  StoreFolders& inner() const { return inner_; }

 private:
  StoreFolders& inner_;
};

}  // namespace zarr::test
