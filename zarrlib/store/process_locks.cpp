// SPDX-License-Identifier: MIT
#include "zarrlib/store/process_locks.h"

#include <condition_variable>
#include <mutex>
#include <set>
#include <unordered_map>

#include "zarrlib/base/await.h"
#include "zarrlib/base/fork_safety.h"
#include "zarrlib/base/system/process_id.h"

namespace zarr {
namespace {

/// The locks of one node.
struct NodeLocks {
  bool all = false;               // all values are locked
  std::size_t waits_for_all = 0;  // number of threads; while it is not 0, no thread gets a lock of one value
  std::set<std::string, std::less<>> values;
};

/// The locks of the process. Never destroyed, because threads may outlive static objects.
class ProcessLocks {
 public:
  static ProcessLocks& Get() {
    static auto* const locks = new ProcessLocks;
    return *locks;
  }

  bool Acquire(const std::string& node, std::string_view value, bool waits) {
    std::unique_lock lock(mutex_);
    ForgetLocksOfParent();
    if (value.empty()) return AcquireAll(node, waits, &lock);
    const auto is_free = [&] {
      return !nodes_[node].all && nodes_[node].waits_for_all == 0 && !nodes_[node].values.contains(value);
    };
    if (!waits && !is_free()) return false;
    Await(&released_, &lock, is_free);
    nodes_[node].values.emplace(value);
    return true;
  }

  void Release(const std::string& node, std::string_view value) {
    {
      const std::lock_guard lock(mutex_);
      const auto found = nodes_.find(node);
      if (found == nodes_.end()) return;  // this is a child of the process that has the lock
      NodeLocks& locks = found->second;
      if (value.empty()) {
        locks.all = false;
      } else if (const auto place = locks.values.find(value); place != locks.values.end()) {
        locks.values.erase(place);
      }
      if (!locks.all && locks.values.empty() && locks.waits_for_all == 0) nodes_.erase(found);
    }
    released_.notify_all();
  }

 private:
  ProcessLocks() { HoldWhileForking(&mutex_); }

  bool AcquireAll(const std::string& node, bool waits, std::unique_lock<std::mutex>* lock) {
    const auto is_free = [&] { return !nodes_[node].all && nodes_[node].values.empty(); };
    if (!waits && !is_free()) return false;
    ++nodes_[node].waits_for_all;
    Await(&released_, lock, is_free);
    --nodes_[node].waits_for_all;
    nodes_[node].all = true;
    return true;
  }

  /// The child of a fork has none of the threads that hold locks.
  void ForgetLocksOfParent() {
    if (process_ == GetProcessId()) return;
    process_ = GetProcessId();
    nodes_.clear();
  }

  std::mutex mutex_;
  std::condition_variable released_;
  std::unordered_map<std::string, NodeLocks> nodes_;
  long process_ = GetProcessId();
};

class ProcessLock final : public StoreLock {
 public:
  ProcessLock(const std::string& node, std::string_view value, bool waits)
      : node_(node), value_(value), held_(ProcessLocks::Get().Acquire(node_, value_, waits)) {}
  ~ProcessLock() override {
    if (held_) ProcessLocks::Get().Release(node_, value_);
  }
  bool held() const { return held_; }

 private:
  const std::string node_;
  const std::string value_;
  const bool held_;
};

}  // namespace

std::unique_ptr<StoreLock> LockInProcess(const std::string& node, std::string_view value, bool waits) {
  auto lock = std::make_unique<ProcessLock>(node, value, waits);
  if (!lock->held()) return nullptr;
  return lock;
}

}  // namespace zarr
