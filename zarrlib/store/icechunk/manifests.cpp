// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/manifests.h"

#include <algorithm>
#include <mutex>
#include <string>

#include "zarrlib/base/error.h"
#include "zarrlib/base/once.h"
#include "zarrlib/store/files/scratch_bytes.h"
#include "zarrlib/store/icechunk/object_file.h"

namespace zarr {
namespace {

/// A file of another manifest would hide the chunks: it has no references of the array.
void CheckId(const Manifest& manifest, const ObjectId& id) {
  if (manifest.id() == id) return;
  throw Error(ErrorKind::kCorrupt,
              FormatExpectedGot("the manifest " + FormatObjectId(id), "the manifest " + FormatObjectId(manifest.id())));
}

}  // namespace

struct Manifests::Slot {
  Once read;
  std::shared_ptr<const Manifest> manifest;  // set once; null while it is being read
  std::uint64_t memory = 0;                  // of a manifest that was read
  std::uint64_t last_use = 0;
};

std::shared_ptr<const Manifest> Manifests::Get(const ObjectId& id) const {
  std::shared_ptr<Slot> slot;
  {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Slot>& known = slots_[id];
    if (!known) known = std::make_shared<Slot>();
    known->last_use = ++uses_;
    slot = known;
  }
  slot->read.Run([&] {
    const std::string key = "manifests/" + FormatObjectId(id);
    std::shared_ptr<const Manifest> manifest;
    const auto parse = [&](ScratchBytes* payload) {
      manifest = std::make_shared<const Manifest>(payload->Map(), [&] { payload->DropPages(); });
      CheckId(*manifest, id);
    };
    if (!ReadManifestObject(*repository_, key, parse)) FailMissingObject(*repository_, key);
    slot->manifest = std::move(manifest);
    const std::lock_guard lock(mutex_);
    slot->memory = slot->manifest->memory();
    MakeRoom();
  });
  return slot->manifest;
}

/// The mutex must be held. Readers of a manifest that is removed keep it.
void Manifests::MakeRoom() const {
  std::uint64_t memory = 0;
  for (const auto& [id, slot] : slots_) memory += slot->memory;
  while (memory > kMaxMemory) {
    auto oldest = slots_.end();
    for (auto slot = slots_.begin(); slot != slots_.end(); ++slot) {
      if (slot->second->memory == 0 || slot->second->last_use == uses_) continue;
      if (oldest == slots_.end() || slot->second->last_use < oldest->second->last_use) oldest = slot;
    }
    if (oldest == slots_.end()) return;
    memory -= oldest->second->memory;
    slots_.erase(oldest);
  }
}

}  // namespace zarr
