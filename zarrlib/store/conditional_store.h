// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "zarrlib/store/forwarding_store.h"
#include "zarrlib/store/store_locks.h"

namespace zarr {

/// Makes changes of values safe between processes in a remote store that has no locks, but whose server compares and
/// replaces a value in one step (`WriteIfSame`).
///
/// A caller that changes a part of a value locks the value (store_locks.h), reads it with Freshness::kNow, and writes
/// it, in any kind of store. Here, the lock excludes the threads of this process only, but while it is held, this store
/// notes what was read, and `Write` replaces only that state. If another process has changed the value in between,
/// `Write` throws ChangedMeanwhile, and the caller repeats the change (RepeatWhileOutrun). A value that was not read is
/// replaced without a condition: the caller knows all of it.
///
/// Removals have no conditions. A caller that has read a value and finds it empty writes an empty value instead.
///
/// If the server turns out to ignore conditions, values are replaced without them, and `locks()->fault()` tells so.
/// Thread-safe.
class ConditionalStore final : public ForwardingStore {
 public:
  explicit ConditionalStore(std::shared_ptr<Store> store);
  ~ConditionalStore() override;

  bool Read(const ReadRequest& request) const override;
  bool Write(std::string_view key, ByteSpan value, WriteIf condition) override;
  bool WriteIfSame(std::string_view key, ByteSpan value, const VersionStamp* known) override;
  void EraseAll(std::span<const std::string> keys) override;
  StoreLocks* locks() const override;

 private:
  class States;
  class Locks;

  /// Like the store's WriteIfSame; without a condition if there are none after all.
  bool WriteIfPossible(std::string_view key, ByteSpan value, const VersionStamp* known);
  [[noreturn]] void FailChanged(std::string_view key) const;

  const std::shared_ptr<States> states_;
  const std::unique_ptr<Locks> locks_;
};

}  // namespace zarr
