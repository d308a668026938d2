// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "zarrlib/store/store.h"

namespace zarr::test {

/// What goes wrong with one call of a store, and which calls are counted for it.
enum class Fault {
  kFails,        ///< Any call: nothing is done, and the call throws Error(io).
  kDelays,       ///< Any call takes a millisecond.
  kLosesAnswer,  ///< A change is made, and the call throws Error(io) all the same.
  kStaysBroken,  ///< A change fails, and so do all later calls, as on a disk that is gone or in a process that ends.
  kVanishes,     ///< A move finds nothing at its source, and throws Error(not_found).
  kShortens,     ///< A read gives the first half of the value, without an error.
  kGarbles,      ///< A read gives other bytes, without an error.
};

inline constexpr Fault kFaults[] = {Fault::kFails,    Fault::kDelays,   Fault::kLosesAnswer, Fault::kStaysBroken,
                                    Fault::kVanishes, Fault::kShortens, Fault::kGarbles};

inline std::string_view GetName(Fault fault) {
  constexpr std::string_view kNames[] = {"fails",    "delays",   "loses its answer", "stays broken",
                                         "vanishes", "shortens", "garbles"};
  return kNames[static_cast<std::size_t>(fault)];
}

/// Passes all calls to another store, and lets the n-th of them go wrong. Of a removal of many values, each is a call.
/// Locks are no calls. Thread-safe.
class FaultStore final : public Store {
 public:
  /// `number` counts from 1 on; with 0 no call goes wrong.
  FaultStore(std::shared_ptr<Store> store, Fault fault, int number)
      : store_(std::move(store)), fault_(fault), number_(number) {}

  /// Whether the call was made that was to go wrong.
  bool happened() const { return happened_; }

  std::string name() const override { return store_->name(); }
  std::string identity() const override { return store_->identity(); }
  StoreCapabilities capabilities() const override { return store_->capabilities(); }

  // --- reading ---------------------------------------------------------------------------------------------------

  bool Get(std::string_view key, Bytes* value, VersionStamp* stamp, std::uint64_t max_size) const override {
    return Read(
        key, [&] { return store_->Get(key, value, stamp, max_size); }, [&] { Spoil(value); });
  }
  bool GetRanges(std::string_view key, std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers,
                 VersionStamp* stamp) const override {
    return Read(
        key, [&] { return store_->GetRanges(key, ranges, buffers, stamp); }, [&] { Spoil(key, buffers); });
  }
  bool GetSuffix(std::string_view key, std::uint64_t length, Bytes* value, VersionStamp* stamp) const override {
    return Read(
        key, [&] { return store_->GetSuffix(key, length, value, stamp); }, [&] { Spoil(value); });
  }
  bool Exists(std::string_view key) const override {
    return Call(key, [&] { return store_->Exists(key); });
  }
  bool GetStamp(std::string_view key, VersionStamp* stamp) const override {
    return Call(key, [&] { return store_->GetStamp(key, stamp); });
  }
  std::optional<Listing> List(std::string_view prefix) const override {
    return Call(prefix, [&] { return store_->List(prefix); });
  }
  std::optional<std::vector<Entry>> ListEntries(std::string_view prefix) const override {
    return Call(prefix, [&] { return store_->ListEntries(prefix); });
  }
  std::optional<EntryKind> GetEntryKind(std::string_view path) const override {
    return Call(path, [&] { return store_->GetEntryKind(path); });
  }
  bool LeadsOut(std::string_view prefix) const override { return store_->LeadsOut(prefix); }
  std::optional<LinkedFolder> FindLinkedFolder(std::string_view path) const override {
    return store_->FindLinkedFolder(path);
  }

  // --- changing --------------------------------------------------------------------------------------------------

  void Set(std::string_view key, ByteSpan value) override {
    Change(key, [&] { store_->Set(key, value); });
  }
  bool SetIfAbsent(std::string_view key, ByteSpan value) override {
    return Change(key, [&] { return store_->SetIfAbsent(key, value); });
  }
  void Erase(std::string_view key) override {
    Change(key, [&] { store_->Erase(key); });
  }
  Leftovers EraseChosen(std::string_view prefix, const Chooser& choose) override {
    return store_->EraseChosen(prefix, [&](std::string_view path, EntryKind kind) {
      const Choice choice = choose(path, kind);
      if (choice == Choice::kErase) Change(path, [] {});
      return choice;
    });
  }
  void RenamePrefix(std::string_view from, std::string_view to) override {
    CallAs(Kind::kMove, from, [&] { store_->RenamePrefix(from, to); });
  }
  bool ExchangePrefixes(std::string_view first, std::string_view second) override {
    return Change(first, [&] { return store_->ExchangePrefixes(first, second); });
  }
  void EraseAbandoned() override {
    Change("", [&] { store_->EraseAbandoned(); });
  }

  // --- locks -----------------------------------------------------------------------------------------------------

  std::shared_ptr<void> TryHold(std::string_view key) const override { return store_->TryHold(key); }
  LockResult Lock(std::string_view document, std::string_view value, bool waits) const override {
    return store_->Lock(document, value, waits);
  }
  std::unique_ptr<StoreLock> LockFolder(std::string_view prefix) const override { return store_->LockFolder(prefix); }

 private:
  enum class Kind { kRead, kLook, kChange, kMove };

  bool Counts(Kind kind) const {
    if (fault_ == Fault::kFails || fault_ == Fault::kDelays) return true;
    if (fault_ == Fault::kVanishes) return kind == Kind::kMove;
    if (fault_ == Fault::kShortens || fault_ == Fault::kGarbles) return kind == Kind::kRead;
    return kind == Kind::kChange || kind == Kind::kMove;
  }
  /// Whether this call goes wrong.
  bool GoesWrong(Kind kind) const {
    if (happened_ && fault_ == Fault::kStaysBroken) return true;
    if (number_ == 0 || !Counts(kind) || ++calls_ != number_) return false;
    happened_ = true;
    return true;
  }
  [[noreturn]] void Fail(std::string_view key) const {
    const ErrorKind kind = fault_ == Fault::kVanishes ? ErrorKind::kNotFound : ErrorKind::kIo;
    throw Error(kind, name(), std::string(key), "", "this call was to fail");
  }

  template <typename Function>
  auto CallAs(Kind kind, std::string_view key, const Function& function) const -> decltype(function()) {
    if (!GoesWrong(kind)) return function();
    if (fault_ == Fault::kDelays) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return function();
    }
    if (fault_ == Fault::kLosesAnswer) function();
    Fail(key);
  }
  template <typename Function>
  auto Call(std::string_view key, const Function& function) const -> decltype(function()) {
    return CallAs(Kind::kLook, key, function);
  }
  template <typename Function>
  auto Change(std::string_view key, const Function& function) const -> decltype(function()) {
    return CallAs(Kind::kChange, key, function);
  }
  /// Spoils what was read if this is the call for it.
  template <typename Function, typename Spoiler>
  bool Read(std::string_view key, const Function& function, const Spoiler& spoil) const {
    if (fault_ != Fault::kShortens && fault_ != Fault::kGarbles) return CallAs(Kind::kRead, key, function);
    const bool found = function();
    if (found && GoesWrong(Kind::kRead)) spoil();
    return found;
  }
  void Spoil(Bytes* value) const { fault_ == Fault::kShortens ? value->resize(value->size() / 2) : Garble(*value); }
  /// There is no shorter answer to a request for ranges: a store that gets one throws.
  void Spoil(std::string_view key, std::span<const MutableByteSpan> buffers) const {
    if (fault_ == Fault::kShortens) Fail(key);
    for (const MutableByteSpan buffer : buffers) Garble(buffer);
  }
  static void Garble(MutableByteSpan bytes) {
    for (std::byte& byte : bytes) byte ^= std::byte{0xa5};
  }

  const std::shared_ptr<Store> store_;
  const Fault fault_;
  const int number_;
  mutable std::atomic<int> calls_ = 0;
  mutable std::atomic<bool> happened_ = false;
};

}  // namespace zarr::test
