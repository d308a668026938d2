// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "autotest/cpp/support/forwarding_folders.h"
#include "zarrlib/store/forwarding_store.h"

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
class FaultStore final : public ForwardingStore {
 public:
  /// `number` counts from 1 on; with 0 no call goes wrong.
  FaultStore(std::shared_ptr<Store> store, Fault fault, int number)
      : ForwardingStore(std::move(store)), fault_(fault), number_(number) {
    if (inner().folders()) folders_ = std::make_unique<FaultFolders>(*inner().folders(), *this);
  }

  /// Whether the call was made that was to go wrong.
  bool happened() const { return happened_; }

  bool Read(const ReadRequest& request) const override {
    using Part = ReadRequest::Part;
    const auto read = [&] { return inner().Read(request); };
    if (request.part == Part::kPresence || request.part == Part::kStamp) return Call(request.key, read);
    return ReadAndSpoil(request.key, read, [&] {
      request.part == Part::kRanges ? Spoil(request.key, request.buffers) : Spoil(request.value);
    });
  }
  std::optional<Listing> List(std::string_view prefix, const ListOptions& options) const override {
    return Call(prefix, [&] { return inner().List(prefix, options); });
  }
  bool Write(std::string_view key, ByteSpan value, WriteIf condition) override {
    return Change(key, [&] { return inner().Write(key, value, condition); });
  }
  void EraseAll(std::span<const std::string> keys) override {
    for (const std::string& key : keys) {
      Change(key, [&] { inner().EraseAll({&key, 1}); });
    }
  }
  StoreFolders* folders() const override { return folders_.get(); }

 private:
  class FaultFolders final : public ForwardingFolders {
   public:
    FaultFolders(StoreFolders& inner, const FaultStore& store) : ForwardingFolders(inner), store_(store) {}

    std::unique_ptr<OpenedValue> Open(std::string_view) const override { return nullptr; }
    std::vector<StoreEntry> ListEntries(std::string_view prefix) const override {
      return store_.Call(prefix, [&] { return inner().ListEntries(prefix); });
    }
    std::optional<std::vector<std::string>> ListNames(std::string_view, std::size_t) const override {
      return std::nullopt;
    }
    std::optional<EntryKind> GetKind(std::string_view path) const override {
      return store_.Call(path, [&] { return inner().GetKind(path); });
    }
    Leftovers EraseChosen(std::string_view prefix, const Chooser& choose) override {
      return inner().EraseChosen(prefix, [&](std::string_view path, EntryKind kind) {
        const Choice choice = choose(path, kind);
        if (choice == Choice::kErase) store_.Change(path, [] {});
        return choice;
      });
    }
    void EraseAbandoned() override {
      store_.Change("", [&] { inner().EraseAbandoned(); });
    }
    void Rename(std::string_view from, std::string_view to) override {
      store_.CallAs(Kind::kMove, from, [&] { inner().Rename(from, to); });
    }
    bool Exchange(std::string_view first, std::string_view second) override {
      return store_.Change(first, [&] { return inner().Exchange(first, second); });
    }

   private:
    const FaultStore& store_;
  };

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
  bool ReadAndSpoil(std::string_view key, const Function& function, const Spoiler& spoil) const {
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

  const Fault fault_;
  const int number_;
  mutable std::atomic<int> calls_ = 0;
  mutable std::atomic<bool> happened_ = false;
  std::unique_ptr<FaultFolders> folders_;
};

}  // namespace zarr::test
