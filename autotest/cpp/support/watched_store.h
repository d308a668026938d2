// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "autotest/cpp/support/forwarding_folders.h"
#include "zarrlib/store/filesystem_store.h"
#include "zarrlib/store/forwarding_store.h"

namespace zarr::test {

/// A folder that calls `before` ahead of each change, and exchanges folders only if it is told to.
class WatchedStore final : public ForwardingStore {
 public:
  WatchedStore(const std::string& folder, bool exchanges, std::function<void()> before)
      : ForwardingStore(std::make_shared<FilesystemStore>(folder)),
        before_(std::move(before)),
        folders_(*inner().folders(), exchanges, before_) {}

  bool Write(std::string_view key, ByteSpan value, WriteIf condition) override {
    before_();
    return ForwardingStore::Write(key, value, condition);
  }
  void EraseAll(std::span<const std::string> keys) override {
    before_();
    ForwardingStore::EraseAll(keys);
  }
  StoreFolders* folders() const override { return &folders_; }

 private:
  class WatchedFolders final : public ForwardingFolders {
   public:
    WatchedFolders(StoreFolders& inner, bool exchanges, const std::function<void()>& before)
        : ForwardingFolders(inner), exchanges_(exchanges), before_(before) {}
    Leftovers EraseChosen(std::string_view prefix, const Chooser& choose) override {
      before_();
      return inner().EraseChosen(prefix, choose);
    }
    void Rename(std::string_view from, std::string_view to) override {
      before_();
      inner().Rename(from, to);
    }
    bool Exchange(std::string_view first, std::string_view second) override {
      before_();
      return exchanges_ && inner().Exchange(first, second);
    }

   private:
    const bool exchanges_;
    const std::function<void()>& before_;
  };

  const std::function<void()> before_;
  mutable WatchedFolders folders_;
};

}  // namespace zarr::test
