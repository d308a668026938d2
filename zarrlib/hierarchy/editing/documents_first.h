// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <utility>

#include "zarrlib/store/forwarding_store.h"

namespace zarr {

/// The store of a hierarchy with pending documents. They are written before any value that is not a document, so that a
/// stopped process does not leave chunks without metadata, which would obstruct its next attempt. Thread-safe.
class DocumentsFirst final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;

  /// Sets the function that writes the documents before the value with a key. Writing a value throws its errors. Call
  /// this before the store is used.
  void SetPut(std::function<void(std::string_view key)> put) { put_ = std::move(put); }

  bool Write(std::string_view key, ByteSpan value, WriteIf condition) override;
  bool WriteIfSame(std::string_view key, ByteSpan value, const VersionStamp* known) override;

 private:
  std::function<void(std::string_view key)> put_ = [](std::string_view) {};
};

}  // namespace zarr
