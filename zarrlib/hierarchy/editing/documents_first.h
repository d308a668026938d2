// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <utility>

#include "zarrlib/store/forwarding_store.h"

namespace zarr {

/// The store of a hierarchy whose documents may wait. They are put before a value that is no document: so a process
/// that is stopped leaves no chunks without metadata, which would be in the way of its next attempt. Thread-safe.
class DocumentsFirst final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;

  /// Sets what puts the documents. Writing a value throws what it throws. To be called before the store is used.
  void SetPut(std::function<void()> put) { put_ = std::move(put); }

  bool Write(std::string_view key, ByteSpan value, WriteIf condition) override;

 private:
  std::function<void()> put_ = [] {};
};

}  // namespace zarr
