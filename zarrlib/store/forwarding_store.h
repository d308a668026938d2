// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <utility>

#include "zarrlib/store/store.h"

namespace zarr {

/// A store that forwards all calls to another store: the base class of stores that override only some functions. A
/// subclass that caches information about keys must override all functions that change them, and `folders`.
class ForwardingStore : public Store {
 public:
  explicit ForwardingStore(std::shared_ptr<Store> inner) : Store(inner->name()), inner_(std::move(inner)) {}

  std::string identity() const override { return inner_->identity(); }
  StoreInfo info() const override { return inner_->info(); }
  bool Read(const ReadRequest& request) const override { return inner_->Read(request); }
  std::optional<Listing> List(std::string_view prefix, const ListOptions& options) const override {
    return inner_->List(prefix, options);
  }
  bool Write(std::string_view key, ByteSpan value, WriteIf condition) override {
    return inner_->Write(key, value, condition);
  }
  bool WriteIfSame(std::string_view key, ByteSpan value, const VersionStamp* known) override {
    return inner_->WriteIfSame(key, value, known);
  }
  void EraseAll(std::span<const std::string> keys) override { inner_->EraseAll(keys); }
  void Finish() override { inner_->Finish(); }
  StoreFolders* folders() const override { return inner_->folders(); }
  StoreLocks* locks() const override { return inner_->locks(); }
  const StoreRequests* requests() const override { return inner_->requests(); }

 protected:
  Store& inner() const { return *inner_; }

 private:
  const std::shared_ptr<Store> inner_;
};

}  // namespace zarr
