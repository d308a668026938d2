// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/editing/documents_first.h"

#include "zarrlib/metadata/document_names.h"
#include "zarrlib/store/store_locks.h"

namespace zarr {

class DocumentsFirst::Locks final : public StoreLocks {
 public:
  Locks(const Store& store, const Put& put) : store_(store), put_(put) {}

  LockResult Lock(std::string_view document, std::string_view value, bool waits) const override {
    // A caller that waits here holds no lock of another value.
    if (!value.empty() && !IsDocumentKey(value)) put_(waits);
    return inner().Lock(document, value, waits);
  }
  std::unique_ptr<StoreLock> LockFolder(std::string_view prefix) const override { return inner().LockFolder(prefix); }
  std::shared_ptr<void> TryHold(std::string_view key) const override { return inner().TryHold(key); }
  void ExpectAbsent(std::string_view key) const override { inner().ExpectAbsent(key); }
  std::string fault() const override { return inner().fault(); }

 private:
  const StoreLocks& inner() const { return *store_.locks(); }

  const Store& store_;
  const Put& put_;
};

DocumentsFirst::DocumentsFirst(std::shared_ptr<Store> inner)
    : ForwardingStore(std::move(inner)), locks_(std::make_unique<Locks>(this->inner(), put_)) {}

DocumentsFirst::~DocumentsFirst() = default;

bool DocumentsFirst::Write(std::string_view key, ByteSpan value, WriteIf condition) {
  if (!IsDocumentKey(key)) put_(false);
  return inner().Write(key, value, condition);
}

bool DocumentsFirst::WriteIfSame(std::string_view key, ByteSpan value, const VersionStamp* known) {
  if (!IsDocumentKey(key)) put_(false);
  return inner().WriteIfSame(key, value, known);
}

StoreLocks* DocumentsFirst::locks() const {
  return inner().locks() ? locks_.get() : nullptr;
}

}  // namespace zarr
