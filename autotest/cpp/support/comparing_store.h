// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "zarrlib/store/forwarding_store.h"
#include "zarrlib/store/memory_store.h"

namespace zarr::test {

/// A remote store in memory whose server compares and replaces values in one step.
class ComparingStore final : public ForwardingStore {
 public:
  ComparingStore() : ForwardingStore(std::make_shared<MemoryStore>()) {}

  StoreInfo info() const override {
    StoreInfo info = inner().info();
    info.concurrency = 4;
    return info;
  }
  bool Write(std::string_view key, ByteSpan value, WriteIf condition) override {
    Interrupt(key);
    return inner().Write(key, value, condition);
  }
  bool WriteIfSame(std::string_view key, ByteSpan value, const VersionStamp* known) override {
    Interrupt(key);
    if (ignores_conditions) throw Error(ErrorKind::kUnsupported, name(), "", "", "the server ignores conditions");
    return inner().WriteIfSame(key, value, known);
  }
  StoreFolders* folders() const override { return nullptr; }

  /// Calls `change` once, before the next write of a key.
  void BeforeWriteOf(std::string key, std::function<void()> change) {
    key_ = std::move(key);
    change_ = std::move(change);
  }
  bool was_interrupted() const { return !change_; }

  bool ignores_conditions = false;

 private:
  void Interrupt(std::string_view key) {
    if (change_ && key == key_) std::exchange(change_, nullptr)();
  }

  std::string key_;
  std::function<void()> change_;
};

/// The store as another process sees it: its locks do not exclude those of this process.
class OtherProcess final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
  std::string identity() const override { return "other process, " + inner().identity(); }
};

}  // namespace zarr::test
