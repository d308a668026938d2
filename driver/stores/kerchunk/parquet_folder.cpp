// SPDX-License-Identifier: MIT
#include "driver/stores/kerchunk/parquet_folder.h"

#include <memory>
#include <set>
#include <string_view>

#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/document_names.h"

namespace gdal_zarr {
namespace {

/// Returns true for a name such as "refs.12.parq".
bool IsRecordFile(std::string_view name) {
  constexpr std::string_view kPrefix = "refs.";
  constexpr std::string_view kSuffix = ".parq";
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix) || name.size() <= kPrefix.size() + kSuffix.size()) {
    return false;
  }
  name = name.substr(kPrefix.size(), name.size() - kPrefix.size() - kSuffix.size());
  return name.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Returns the folder of a path, with a "/" at its end, or "".
std::string_view GetFolder(std::string_view path) {
  return path.substr(0, path.rfind('/') + 1);  // npos + 1 is 0
}

std::set<std::string, std::less<>> ListArrayFolders(const zarr::Store& folder) {
  const std::string key(zarr::kV2Consolidated);
  const auto text = folder.GetText(key, zarr::GetLimit(zarr::Limit::kText));
  const zarr::JsonNode document = zarr::JsonNode::Parse(text.value_or(""), folder.name(), key);
  document.At("record_size").AsUint64();
  std::set<std::string, std::less<>> folders;
  for (const auto& [name, content] : document.At("metadata").GetMembers()) {
    if (zarr::IsKey(name)) folders.emplace(GetFolder(name));
  }
  return folders;
}

}  // namespace

zarr::Chooser MakeParquetChooser(const zarr::Store& folder) {
  const auto folders = std::make_shared<const std::set<std::string, std::less<>>>(ListArrayFolders(folder));
  return [folders](std::string_view path, zarr::EntryKind kind) {
    if (kind == zarr::EntryKind::kFolder) {
      const std::string prefix = std::string(path) + "/";
      const auto below = folders->lower_bound(prefix);
      const bool is_ours = below != folders->end() && below->starts_with(prefix);
      return is_ours ? zarr::Choice::kEnter : zarr::Choice::kKeep;
    }
    const std::string_view of = GetFolder(path);
    const bool is_ours =
        path == zarr::kV2Consolidated || (folders->contains(of) && IsRecordFile(path.substr(of.size())));
    return is_ours && kind == zarr::EntryKind::kValue ? zarr::Choice::kErase : zarr::Choice::kKeep;
  };
}

std::optional<std::string> FindForeign(const zarr::Store& folder, const zarr::Chooser& choose,
                                       const std::string& prefix) {
  const auto entries = zarr::ListEntries(folder, prefix);
  if (!entries) return std::nullopt;
  for (const zarr::StoreEntry& entry : *entries) {
    const std::string path = prefix + entry.name;
    const zarr::Choice choice = choose(path, entry.kind);
    if (choice == zarr::Choice::kKeep) return path;
    if (choice != zarr::Choice::kEnter) continue;
    if (auto foreign = FindForeign(folder, choose, path + "/")) return foreign;
  }
  return std::nullopt;
}

}  // namespace gdal_zarr
