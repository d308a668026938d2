// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "zarrlib/store/forwarding_store.h"

namespace zarr {

/// The store of a hierarchy with pending documents. They are written before any value that is not a document, so that a
/// stopped process does not leave chunks without metadata, which would obstruct its next attempt. Thread-safe.
class DocumentsFirst final : public ForwardingStore {
 public:
  using Put = std::function<void(bool waits)>;

  explicit DocumentsFirst(std::shared_ptr<Store> inner);
  ~DocumentsFirst() override;

  /// Sets the function that writes the documents; if `waits` is false, it may leave them pending while another thread
  /// changes a document. Writing or locking a value throws its errors. Call this before the store is used.
  void SetPut(Put put) { put_ = std::move(put); }

  bool Write(std::string_view key, ByteSpan value, WriteIf condition) override;
  bool WriteIfSame(std::string_view key, ByteSpan value, const VersionStamp* known) override;
  StoreLocks* locks() const override;

 private:
  /// A document also has to be there before the locks of its values, which other processes find by it.
  class Locks;

  Put put_ = [](bool) {};
  std::unique_ptr<Locks> locks_;
};

}  // namespace zarr
