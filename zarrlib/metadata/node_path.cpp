// SPDX-License-Identifier: MIT
#include "zarrlib/metadata/node_path.h"

#include <algorithm>
#include <iterator>

#include "zarrlib/metadata/document_names.h"

namespace zarr {

std::string_view ParentPath(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string_view NodeName(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::pair<std::string_view, std::string_view> SplitKey(std::string_view key) {
  return {ParentPath(key), NodeName(key)};
}

std::string MakeDocumentKey(std::string_view path, std::string_view name) {
  const bool is_draft = name == kV3DraftArray || name == kV3DraftGroup;
  std::string key(is_draft ? kV3DraftMetadataRoot : std::string_view());
  if (!key.empty() && !path.empty()) key += '/';
  key.append(path);
  if (!key.empty() && !is_draft) key += '/';
  return key.append(name);
}

bool IsNewNodeName(std::string_view name) {
  const bool dots = name.find_first_not_of('.') == std::string_view::npos;
  const bool document =
      std::find(std::begin(kNodeDocuments), std::end(kNodeDocuments), name) != std::end(kNodeDocuments);
  return !dots && !document && name != kV2Consolidated && name != kV0Array && name != kV0Attributes;
}

bool IsReservedNodeName(std::string_view name) {
  return name.starts_with("__");
}

}  // namespace zarr
