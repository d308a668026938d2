// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/editing/documents_first.h"

#include "zarrlib/metadata/document_names.h"

namespace zarr {

bool DocumentsFirst::Write(std::string_view key, ByteSpan value, WriteIf condition) {
  if (!IsDocumentKey(key)) put_(key);
  return inner().Write(key, value, condition);
}

bool DocumentsFirst::WriteIfSame(std::string_view key, ByteSpan value, const VersionStamp* known) {
  if (!IsDocumentKey(key)) put_(key);
  return inner().WriteIfSame(key, value, known);
}

}  // namespace zarr
