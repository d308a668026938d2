// SPDX-License-Identifier: MIT
#include "driver/dataset/parts/node_finder.h"

#include <utility>

#include "driver/dataset/node_paths.h"
#include "zarrlib/metadata/node_path.h"

namespace gdal_zarr {

void NodeFinder::Tolerate(const zarr::Error& error) {
  if (error.kind() == zarr::ErrorKind::kIo) throw error;
  // A server or a proxy may have sent truncated data. Errors in the content of a document have a JSON Pointer.
  const bool is_damaged = error.kind() == zarr::ErrorKind::kCorrupt && error.pointer().empty();
  if (is_damaged && hierarchy_.store()->info().is_on_network()) {
    throw zarr::Error(zarr::ErrorKind::kIo, error.store(), error.key(), "", error.message());
  }
  if (error.kind() != zarr::ErrorKind::kNotFound) warn_(error.what());
}

FoundNode NodeFinder::LookFor(std::string_view path, bool beside_consolidated) {
  const int i = beside_consolidated ? 0 : 1;
  const std::string key(path);
  const std::uint64_t changes = hierarchy_.changes();
  if (IsAbsent(i, key)) return {};
  try {
    if (!hierarchy_.consolidated() && hierarchy_.store()->info().is_on_network()) {
      // Checking whether it is a group would take another request.
      if (auto array = hierarchy_.FindArray(path)) return {std::move(array)};
    } else {
      const auto kind = beside_consolidated ? hierarchy_.Probe(path) : hierarchy_.ProbeListed(path);
      if (kind == zarr::NodeKind::kArray) return {hierarchy_.OpenArray(path)};
    }
  } catch (const zarr::Error& error) {
    Tolerate(error);
    return {nullptr, error.kind() != zarr::ErrorKind::kNotFound};
  }
  NoteAbsent(i, key, changes);
  return {};
}

bool NodeFinder::IsAbsent(int i, const std::string& key) {
  const std::lock_guard lock(mutex_);
  return changes_ == hierarchy_.changes() && absent_[i].contains(key);
}

void NodeFinder::NoteAbsent(int i, const std::string& key, std::uint64_t changes) {
  const std::lock_guard lock(mutex_);
  if (changes < changes_) return;  // others have been found since, after a change
  if (changes > std::exchange(changes_, changes)) {
    for (auto& absent : absent_) absent.clear();
  }
  absent_[i].insert(key);
}

zarr::JsonNode NodeFinder::FindGroupAttributes(std::string_view path) {
  try {
    if (hierarchy_.consolidated() && hierarchy_.ProbeListed(path) != zarr::NodeKind::kGroup) return {};
    return hierarchy_.OpenGroup(path).attributes;
  } catch (const zarr::Error& error) {
    Tolerate(error);
    return {};
  }
}

std::optional<std::string> NodeFinder::FindUpwards(std::string group, const std::string& name) {
  if (hierarchy_.Probe("") == zarr::NodeKind::kArray) return std::nullopt;
  if (name.find('/') != name.npos) {
    auto path = ResolveNodePath(group, name);
    return path && LookFor(*path).array ? path : std::nullopt;
  }
  if (!IsNodeName(name)) return std::nullopt;
  for (;; group = GetParentPath(group)) {
    std::string path = zarr::JoinKey(group, name);
    const FoundNode found = LookFor(path);
    if (found.array) return path;
    if (found.broken || group.empty()) return std::nullopt;
  }
}

const NodePlace* NodeFinder::FindAbove() {
  above_found_.Run([this] {
    if (find_above_) above_ = find_above_();
  });
  return above_ ? &*above_ : nullptr;
}

}  // namespace gdal_zarr
