// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/repo_info.h"

#include <functional>

#include "zarrlib/base/error.h"
#include "zarrlib/store/icechunk/flat/flat_buffer.h"
#include "zarrlib/store/icechunk/flat/flat_schemas.h"
#include "zarrlib/store/icechunk/flat/flex_buffer.h"

namespace zarr {
namespace {

constexpr int kLastRepositoryVersion = 2;
constexpr std::uint64_t kMaxName = 4096;

[[noreturn]] void FailInRepoInfo(const std::string& message) {
  throw Error(ErrorKind::kCorrupt, message);
}

/// Returns the snapshots of a repository in the order of the file, in which others refer to them by their indices.
std::vector<ObjectId> ReadIds(const FlatVector& snapshots) {
  std::vector<ObjectId> ids;
  for (std::size_t i = 0; i < snapshots.size; ++i) {
    ids.push_back(
        ReadId<ObjectId>(FlatTable::OpenItem(snapshots, i).GetStruct(of_snapshot_info::kId, ObjectId().size(), "id")));
  }
  return ids;
}

const ObjectId& GetSnapshot(const std::vector<ObjectId>& ids, std::int64_t index) {
  if (index >= 0 && static_cast<std::uint64_t>(index) < ids.size()) return ids[static_cast<std::size_t>(index)];
  FailInRepoInfo("the repo info file refers to snapshot " + std::to_string(index) + " of " +
                 std::to_string(ids.size()));
}

/// Returns the author in the metadata of a commit; "" if there is none.
std::string ReadAuthor(const FlatTable& commit, std::uint64_t* text_left) {
  const auto items = commit.FindVector(of_snapshot_info::kMetadata, 4);
  for (std::size_t i = 0; items && i < items->size; ++i) {
    const FlatTable item = FlatTable::OpenItem(*items, i);
    const auto value = item.FindText(of_item::kName) == kAuthorItem ? item.FindBytes(of_item::kValue) : std::nullopt;
    const auto text = value ? FlexValue::OpenRoot(*value).FindText() : std::nullopt;
    if (!text) continue;
    if (text->size() > *text_left) FailInRepoInfo("the commits of the repo info file share their authors");
    *text_left -= text->size();
    return std::string(*text);
  }
  return "";
}

std::vector<ObjectId> ReadExpired(const FlatTable& commit, std::uint64_t* bytes_left) {
  std::vector<ObjectId> ids;
  const auto items = commit.FindVector(of_snapshot_info::kPrunedLogs, ObjectId().size());
  if (!items) return ids;
  if (items->bytes().size() > *bytes_left) FailInRepoInfo("the commits of the repo info file share what has expired");
  *bytes_left -= items->bytes().size();
  for (std::size_t i = 0; i < items->size; ++i) ids.push_back(ReadId<ObjectId>(items->item(i)));
  return ids;
}

std::map<ObjectId, Commit> ReadCommits(const FlatVector& snapshots, const std::vector<ObjectId>& ids) {
  std::map<ObjectId, Commit> commits;
  std::uint64_t text_left = snapshots.buffer.size();  // so that messages that share their bytes do not multiply them
  for (std::size_t i = 0; i < snapshots.size; ++i) {
    const FlatTable table = FlatTable::OpenItem(snapshots, i);
    Commit commit{ids[i], std::nullopt, table.GetNumber<std::uint64_t>(of_snapshot_info::kFlushedAt), {}};
    const auto parent = table.GetNumber<std::int32_t>(of_snapshot_info::kParentOffset);
    if (parent != -1) commit.parent = GetSnapshot(ids, parent);
    const std::string_view message = table.GetText(of_snapshot_info::kMessage, "message");
    if (message.size() > text_left) FailInRepoInfo("the commits of the repo info file share their messages");
    text_left -= message.size();
    commit.message = message;
    commit.author = ReadAuthor(table, &text_left);
    commit.expired = ReadExpired(table, &text_left);
    if (!commits.emplace(ids[i], std::move(commit)).second) {
      FailInRepoInfo("the repo info file has the snapshot " + FormatObjectId(ids[i]) + " twice");
    }
  }
  return commits;
}

std::map<std::string, ObjectId, std::less<>> ReadRefs(const FlatVector& refs, const std::vector<ObjectId>& ids) {
  std::map<std::string, ObjectId, std::less<>> result;
  for (std::size_t i = 0; i < refs.size; ++i) {
    const FlatTable ref = FlatTable::OpenItem(refs, i);
    const std::string_view name = ref.GetText(of_ref::kName, "name");
    const auto index = ref.GetNumber<std::uint32_t>(of_ref::kSnapshotIndex);
    if (!result.emplace(name, GetSnapshot(ids, index)).second) {
      FailInRepoInfo("the repo info file has the name \"" + std::string(name) + "\" twice");
    }
  }
  return result;
}

}  // namespace

RepoInfo ParseRepoInfo(ByteSpan payload) {
  const FlatTable repo = FlatTable::OpenRoot(payload);
  const auto version = int{repo.GetNumber<std::uint8_t>(of_repo::kSpecVersion)};
  if (version > kLastRepositoryVersion) {
    throw Error(ErrorKind::kUnsupported,
                FormatExpectedGot("version 1 or 2 of Icechunk's format", std::to_string(version)));
  }
  RepoInfo info;
  const FlatVector snapshots = repo.GetTables(of_repo::kSnapshots, "snapshots");
  const std::vector<ObjectId> ids = ReadIds(snapshots);
  info.commits = ReadCommits(snapshots, ids);
  info.branches = ReadRefs(repo.GetTables(of_repo::kBranches, "branches"), ids);
  info.tags = ReadRefs(repo.GetTables(of_repo::kTags, "tags"), ids);
  const FlatVector deleted = repo.GetTables(of_repo::kDeletedTags, "deleted_tags");
  for (std::size_t i = 0; i < deleted.size; ++i) {
    const std::string_view name = deleted.text(i);
    if (name.size() > kMaxName)
      FailInRepoInfo(FormatExpectedGot("a name of at most 4096 bytes", std::to_string(name.size())));
    info.deleted_tags.emplace(name);
  }
  if (const auto config = repo.FindBytes(of_repo::kConfig)) info.containers = ReadContainers(*config);
  return info;
}

}  // namespace zarr
