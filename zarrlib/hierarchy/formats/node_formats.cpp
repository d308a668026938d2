// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/formats/node_formats.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "zarrlib/metadata/consolidated.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/metadata/v3_draft.h"
#include "zarrlib/store/store_folders.h"
#include "zarrlib/store/store_requests.h"

namespace zarr {
namespace {

/// A document of a format other than the one used to read the node.
struct Other {
  std::string key;
  std::string format;
};

/// Returns false if a single look shows that a value is absent.
bool MayExist(const Store& store, const std::string& key) {
  const StoreFolders* const folders = store.folders();
  return !folders || folders->GetKind(key);
}

bool Exists(const Store& store, const std::string& key) {
  return MayExist(store, key) && store.Exists(key);
}

std::optional<Bytes> FetchText(const Store& store, const std::string& key) {
  Bytes text;
  if (!MayExist(store, key) || !store.Get(key, &text, nullptr, GetLimit(Limit::kText))) return std::nullopt;
  return text;
}

/// Returns the consolidated metadata of a group; null if there are none, or if they are unusable.
std::shared_ptr<ConsolidatedMetadata> FetchConsolidated(const Store& store, const std::string& key, bool v3) {
  auto text = FetchText(store, key);
  if (!text) return nullptr;
  try {
    if (v3) return ParseRootOfV3(*std::move(text), store.name(), key).consolidated;
    if (IsOfParquetReferences(AsText(*text))) return nullptr;
    return ConsolidatedMetadata::FromTextOfV2(*std::move(text), store.name(), key);
  } catch (const Error&) {
    return nullptr;
  }
}

/// Searches the consolidated metadata of the root and of the groups above the node for the node.
std::optional<Other> FindConsolidated(const Store& store, std::string_view path, bool v3) {
  std::string_view group = path;
  while (true) {
    const std::string key = JoinKey(group, v3 ? kV3Document : kV2Consolidated);
    if (const auto consolidated = FetchConsolidated(store, key, v3)) {
      const std::string_view rest = path.substr(group.empty() || group == path ? group.size() : group.size() + 1);
      const auto has = [&](std::string_view name) { return consolidated->Has(JoinKey(rest, name)); };
      if (v3 ? has(kV3Document) : has(kV2Array) || has(kV2Group)) return Other{key, v3 ? "v3" : "v2"};
    }
    if (group.empty()) return std::nullopt;
    const std::size_t slash = group.rfind('/');
    group = group.substr(0, slash == std::string_view::npos ? 0 : slash);
  }
}

std::optional<Other> FindV3(const Store& store, std::string_view path) {
  if (Exists(store, JoinKey(path, kV3Document))) return Other{JoinKey(path, kV3Document), "v3"};
  return FindConsolidated(store, path, true);
}

std::optional<Other> FindV2(const Store& store, std::string_view path) {
  for (const std::string_view name : {kV2Array, kV2Group}) {
    if (Exists(store, JoinKey(path, name))) return Other{JoinKey(path, name), "v2"};
  }
  return FindConsolidated(store, path, false);
}

/// In a remote store, sends all requests at once.
void PrefetchOthers(const Store& store, std::string_view path, ZarrFormat format) {
  std::vector<std::string> keys;
  if (format == ZarrFormat::kV3) {
    for (const std::string_view name : {kV2Array, kV2Group}) keys.push_back(JoinKey(path, name));
  }
  const std::string_view holder = format == ZarrFormat::kV3 ? kV2Consolidated : kV3Document;
  for (std::string_view group = path; format >= ZarrFormat::kV2; group = ParentPath(group)) {
    keys.push_back(JoinKey(group, holder));
    if (group.empty()) break;
  }
  if (format >= ZarrFormat::kV2) keys.push_back(JoinKey(path, kV1Array));
  Prefetch(store, keys, {});
}

std::optional<Other> FindOther(const Store& store, std::string_view path, ZarrFormat format) {
  PrefetchOthers(store, path, format);
  std::optional<Other> other;
  if (format == ZarrFormat::kV3) other = FindV2(store, path);
  if (format == ZarrFormat::kV2) other = FindV3(store, path);
  const std::string v1 = JoinKey(path, kV1Array);
  if (!other && format >= ZarrFormat::kV2 && MayExist(store, v1) && FetchV1(store, path)) other = {v1, "v1"};
  return other;
}

}  // namespace

void CheckOneFormat(const Store& store, std::string_view path, ZarrFormat format) {
  const auto other = FindOther(store, path, format);
  if (!other) return;
  const std::string own = "v" + std::to_string(static_cast<int>(format));
  const std::string newest = "v" + std::to_string(std::max(static_cast<int>(format), other->format[1] - '0'));
  throw Error(ErrorKind::kUnsupported, store.name(), other->key, "",
              "these are metadata of " + other->format + " for \"/" + std::string(path) + "\", which has some of " +
                  own + " too; a change in one format would make the other one wrong. Remove either before: zarrkit " +
                  "migrate STORE --to " + newest + " --delete-old removes the older ones");
}

bool HoldsV3Draft(const Store& store) {
  const auto text = store.GetText(kV3Document, GetLimit(Limit::kText));
  // Other documents, which may be large, are not parsed.
  if (!text || text->find("http") == std::string::npos) return false;
  try {
    return IsEntryPointV3Draft(JsonNode::Parse(*text, store.name(), kV3Document));
  } catch (const Error&) {
    return false;
  }
}

std::optional<std::string> FindDifference(const ArrayMetadata& first, const ArrayMetadata& second) {
  const auto differ = [](std::string_view what, const std::string& a, const std::string& b) {
    return std::string(what) + " " + a + ", " + b;
  };
  const auto key_of = [](const ArrayMetadata& array) {
    return array.chunk_key_encoding.Format(Shape(array.shape.size(), 1));
  };
  const auto type_of = [](const ArrayMetadata& array) { return array.data_type.name; };
  const Shape chunks[] = {first.chunk_grid.max_chunk_shape(), second.chunk_grid.max_chunk_shape()};
  if (first.shape != second.shape) return differ("shape", ToString(first.shape), ToString(second.shape));
  if (chunks[0] != chunks[1]) return differ("chunks", ToString(chunks[0]), ToString(chunks[1]));
  if (key_of(first) != key_of(second)) return differ("chunk keys such as", key_of(first), key_of(second));
  if (first.data_type != second.data_type) return differ("data type", type_of(first), type_of(second));
  if (first.fill_value.bytes != second.fill_value.bytes) return "fill values that are not equal";
  return std::nullopt;
}

std::optional<JsonNode> FetchV1(const Store& store, std::string_view path) {
  const std::string key = JoinKey(path, kV1Array);
  try {
    const auto text = store.GetText(key);
    if (!text) return std::nullopt;
    JsonNode meta = JsonNode::Parse(*text, store.name(), key);
    if (LooksLikeV1(meta)) return meta;
  } catch (const Error& error) {
    const auto kind = GetEntryKind(store, key);
    const bool is_folder = kind == EntryKind::kFolder || kind == EntryKind::kLink;
    const bool is_text = error.kind() == ErrorKind::kCorrupt || error.kind() == ErrorKind::kLimitExceeded;
    if (!is_text && !(error.kind() == ErrorKind::kIo && is_folder)) throw;
  }
  return std::nullopt;
}

}  // namespace zarr
