// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/store_root.h"

#include "zarrlib/hierarchy/node_documents.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"

namespace zarr {

const NodeFormat& StoreRoot::GetFormat(const NodeDocuments& documents, std::string_view path) const {
  for (const NodeFormat* other : formats) {
    if (other->FindKind(documents, path)) return *other;
  }
  return *format;
}

void CheckWritable(const Store& store, const NodeFormat& root) {
  if (!store.info().writes) throw Error(ErrorKind::kReadOnly, store.name(), "", "", "the store takes no writes");
  const std::string_view reason = root.read_only();
  if (!reason.empty()) throw Error(ErrorKind::kReadOnly, store.name(), "", "", std::string(reason));
}

void CheckChangeable(const ArrayMetadata& metadata) {
  if (!metadata.read_only.empty()) metadata.document.Fail(ErrorKind::kReadOnly, metadata.read_only);
}

std::string GetLockKey(const Store& store, const NodeDocuments& documents, const NodeFormat& format,
                       std::string_view path) {
  if (format.version() != ZarrFormat::kV2) return JoinKey(path, format.node_documents().front());
  if (format.FindKind(documents, path) == NodeKind::kArray) return JoinKey(path, kV2Array);
  // A root that is described only by consolidated metadata does not have another document.
  const bool has_group = !path.empty() || store.Exists(kV2Group);
  return JoinKey(path, has_group ? kV2Group : kV2Consolidated);
}

}  // namespace zarr
