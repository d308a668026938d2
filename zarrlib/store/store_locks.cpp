// SPDX-License-Identifier: MIT
#include "zarrlib/store/store_locks.h"

#include "zarrlib/store/process_locks.h"

namespace zarr {

bool HasConditions(const Store& store) {
  return store.locks() && store.info().is_on_network();
}

LockResult Lock(const Store& store, std::string_view document, std::string_view value, bool waits) {
  if (const StoreLocks* const locks = store.locks()) return locks->Lock(document, value, waits);
  return {LockInProcess(store.identity() + "/" + std::string(document), value, waits), true, std::nullopt};
}

std::unique_ptr<StoreLock> LockFolder(const Store& store, std::string_view prefix) {
  CheckPrefix(prefix);
  if (const StoreLocks* const locks = store.locks()) return locks->LockFolder(prefix);
  return LockInProcess(store.identity() + "/" + std::string(prefix), "", true);
}

std::shared_ptr<void> TryHold(const Store& store, std::string_view key) {
  if (const StoreLocks* const locks = store.locks()) return locks->TryHold(key);
  return std::make_shared<int>();
}

std::vector<LockResult> LockAll(const Store& store, const std::vector<std::string>& documents) {
  std::vector<LockResult> locks(documents.size());
  for (std::size_t first = 0;;) {
    if (!documents.empty()) locks[first] = Lock(store, documents[first], "");
    std::size_t busy = documents.size();
    for (std::size_t i = 0; i < documents.size() && busy == documents.size(); ++i) {
      if (i != first) locks[i] = Lock(store, documents[i], "", false);
      if (!locks[i].lock) busy = i;
    }
    if (busy == documents.size()) return locks;
    for (LockResult& lock : locks) lock.lock.reset();
    first = busy;
  }
}

}  // namespace zarr
