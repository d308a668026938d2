// SPDX-License-Identifier: MIT
#include "zarrlib/store/conditional_store.h"

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "zarrlib/base/fork_safety.h"
#include "zarrlib/store/process_locks.h"
#include "zarrlib/store/repeated_change.h"

namespace zarr {
namespace {

/// Returns the prefix of a key's folder: "a/b/" for "a/b/c".
std::string_view GetFolder(std::string_view key) {
  return key.substr(0, key.rfind('/') + 1);
}

std::size_t ComputeDigest(ByteSpan value) {
  return std::hash<std::string_view>()(AsText(value));
}

/// What the holder of a lock knows of the state of a value.
struct KnownState {
  std::optional<VersionStamp> stamp;   // nullopt if the value was absent
  std::optional<std::size_t> written;  // the digest of the value, if it was written since it was read
  bool changed = false;                // others have changed it, or may have, since it was first read
};

bool AreSame(const std::optional<VersionStamp>& a, const std::optional<VersionStamp>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->condition.empty() || b->condition.empty() ? *a == *b : a->condition == b->condition;
}

}  // namespace

/// The states of values that are locked. Thread-safe.
class ConditionalStore::States {
 public:
  /// `place` is a key, or a folder's prefix.
  void Begin(bool is_folder, const std::string& place) {
    const std::lock_guard lock(mutex_);
    (is_folder ? folders_ : values_).insert(place);
  }

  void End(bool is_folder, const std::string& place) {
    const std::lock_guard lock(mutex_);
    auto& places = is_folder ? folders_ : values_;
    if (const auto found = places.find(place); found != places.end()) places.erase(found);
    if (!is_folder) {
      if (!Covers(place)) known_.erase(place);
      return;
    }
    std::erase_if(known_, [&](const auto& one) { return one.first.starts_with(place) && !Covers(one.first); });
  }

  bool IsLocked(std::string_view key) const {
    const std::lock_guard lock(mutex_);
    return Covers(key);
  }

  void NoteRead(std::string_view key, std::optional<VersionStamp> stamp) {
    const std::lock_guard lock(mutex_);
    if (!Covers(key)) return;
    const auto [place, is_first] = known_.try_emplace(std::string(key));
    KnownState& known = place->second;
    if (!is_first && !known.written && !AreSame(known.stamp, stamp)) known.changed = true;
    if (is_first || known.written) known.stamp = std::move(stamp);
    known.written.reset();
  }

  void NoteWritten(std::string_view key, std::size_t digest) {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(key);
    if (found != known_.end()) found->second = {std::nullopt, digest, false};
  }

  void NoteDoubt(std::string_view key) {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(key);
    if (found != known_.end()) found->second.changed = true;
  }

  std::optional<KnownState> Find(std::string_view key) const {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(key);
    return found == known_.end() ? std::nullopt : std::optional(found->second);
  }

  void Forget(std::string_view key) {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(key);
    if (found != known_.end()) known_.erase(found);
  }

  void NoteFault(const std::string& fault) {
    const std::lock_guard lock(mutex_);
    if (fault_.empty()) fault_ = fault;
  }

  std::string fault() const {
    const std::lock_guard lock(mutex_);
    return fault_;
  }

 private:
  bool Covers(std::string_view key) const {
    if (values_.contains(key)) return true;
    for (std::string_view folder = GetFolder(key);; folder = GetFolder(folder.substr(0, folder.size() - 1))) {
      if (folders_.contains(folder)) return true;
      if (folder.empty()) return false;
    }
  }

  mutable ForkSafeMutex mutex_;
  std::multiset<std::string, std::less<>> values_;   // that are locked
  std::multiset<std::string, std::less<>> folders_;  // all of whose values are locked
  std::map<std::string, KnownState, std::less<>> known_;
  std::string fault_;
};

class ConditionalStore::Locks final : public StoreLocks {
 public:
  Locks(const Store& store, std::shared_ptr<States> states) : store_(store), states_(std::move(states)) {}

  LockResult Lock(std::string_view document, std::string_view value, bool waits) const override {
    auto lock = LockInProcess(store_.identity() + "/" + std::string(document), value, waits);
    if (!lock) return {nullptr, true, std::nullopt};
    const bool is_folder = value.empty();
    const std::string place(is_folder ? GetFolder(document) : value);
    return {std::make_unique<Held>(std::move(lock), states_, is_folder, place), true, std::nullopt};
  }

  std::unique_ptr<StoreLock> LockFolder(std::string_view prefix) const override {
    return LockInProcess(store_.identity() + "/" + std::string(prefix), "", true);
  }

  std::shared_ptr<void> TryHold(std::string_view) const override { return std::make_shared<int>(); }
  void ExpectAbsent(std::string_view key) const override { states_->NoteRead(key, std::nullopt); }
  std::string fault() const override { return states_->fault(); }

 private:
  class Held final : public StoreLock {
   public:
    Held(std::unique_ptr<StoreLock> lock, std::shared_ptr<States> states, bool is_folder, std::string place)
        : lock_(std::move(lock)), states_(std::move(states)), is_folder_(is_folder), place_(std::move(place)) {
      states_->Begin(is_folder_, place_);
    }
    ~Held() override { states_->End(is_folder_, place_); }

   private:
    const std::unique_ptr<StoreLock> lock_;
    const std::shared_ptr<States> states_;
    const bool is_folder_;
    const std::string place_;
  };

  const Store& store_;
  const std::shared_ptr<States> states_;
};

ConditionalStore::ConditionalStore(std::shared_ptr<Store> store)
    : ForwardingStore(std::move(store)),
      states_(std::make_shared<States>()),
      locks_(std::make_unique<Locks>(inner(), states_)) {}

ConditionalStore::~ConditionalStore() = default;

StoreLocks* ConditionalStore::locks() const {
  return locks_.get();
}

bool ConditionalStore::Read(const ReadRequest& request) const {
  const bool is_noted = request.freshness == Freshness::kNow && request.part != ReadRequest::Part::kPresence;
  if (!is_noted || !states_->IsLocked(request.key)) return inner().Read(request);
  VersionStamp stamp;
  ReadRequest noted = request;
  if (!noted.stamp) noted.stamp = &stamp;
  const bool is_there = inner().Read(noted);
  states_->NoteRead(request.key, is_there ? std::optional(*noted.stamp) : std::nullopt);
  return is_there;
}

bool ConditionalStore::Write(std::string_view key, ByteSpan value, WriteIf condition) {
  if (condition == WriteIf::kAbsent) return !inner().Exists(key) && WriteIfSame(key, value, nullptr);
  auto known = states_->Find(key);
  if (!known) return inner().Write(key, value, condition);
  if (known->written) {
    // What the server calls the state that was written here is not known.
    Bytes present;
    if (!Get(key, &present, nullptr, UINT64_MAX, Freshness::kNow) || ComputeDigest(present) != *known->written)
      FailChanged(key);
    known = states_->Find(key);
  }
  if (!known || known->changed) FailChanged(key);
  try {
    if (!WriteIfPossible(key, value, known->stamp ? &*known->stamp : nullptr)) FailChanged(key);
  } catch (...) {
    states_->NoteDoubt(key);  // the request may have been carried out
    throw;
  }
  states_->NoteWritten(key, ComputeDigest(value));
  return true;
}

bool ConditionalStore::WriteIfSame(std::string_view key, ByteSpan value, const VersionStamp* known) {
  states_->Forget(key);
  return WriteIfPossible(key, value, known);
}

bool ConditionalStore::WriteIfPossible(std::string_view key, ByteSpan value, const VersionStamp* known) {
  try {
    return inner().WriteIfSame(key, value, known);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kUnsupported) throw;
    states_->NoteFault(error.what());
  }
  return inner().Write(key, value, WriteIf::kAlways);
}

void ConditionalStore::EraseAll(std::span<const std::string> keys) {
  inner().EraseAll(keys);
  for (const std::string& key : keys) states_->Forget(key);
}

void ConditionalStore::FailChanged(std::string_view key) const {
  states_->Forget(key);
  throw ChangedMeanwhile(name(), std::string(key));
}

}  // namespace zarr
