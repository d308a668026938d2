// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "autotest/cpp/support/store_texts.h"
#include "zarrlib/store/icechunk/commit/session.h"
#include "zarrlib/store/icechunk/icechunk_store.h"
#include "zarrlib/store/memory_store.h"

namespace zarr::test {

/// Too long for a manifest.
inline const std::string kLong(600, 'x');

inline std::shared_ptr<IcechunkSession> Begin(const std::shared_ptr<Store>& folder, bool is_new = false) {
  const auto repository = std::make_shared<const Repository>(folder);
  CommitOptions options{"main", std::nullopt, 2, "message", "author"};
  if (!is_new) options.base = repository->FindSnapshot({.branch = "main"});
  return std::make_shared<IcechunkSession>("test", folder, repository, options, ChunkOptions());
}

inline void Put(Store* store, std::string_view key, std::string_view value) {
  store->Set(key, AsBytes(value));
}

/// A repository with a group and an array.
inline std::shared_ptr<MemoryStore> MakeRepository() {
  auto folder = std::make_shared<MemoryStore>("repository");
  const auto session = Begin(folder, true);
  Put(session.get(), "zarr.json", kGroup);
  Put(session.get(), "g/zarr.json", kGroup);
  Put(session.get(), "g/a/zarr.json", kArray);
  Put(session.get(), "g/a/c/0/0", "short");
  Put(session.get(), "g/a/c/1/1", kLong);
  session->Finish();
  return folder;
}

inline std::string ReadMain(const std::shared_ptr<MemoryStore>& folder, std::string_view key) {
  const auto repository = std::make_shared<const Repository>(folder);
  return Get(IcechunkStore("test", repository, repository->FindSnapshot({}), ChunkOptions()), key);
}

}  // namespace zarr::test
