// SPDX-License-Identifier: MIT
#include "driver/plugin/repository_lists.h"

#include <cpl_error.h>
#include <cpl_json.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "driver/gdal/dataset_name.h"
#include "driver/gdal/repository_name.h"
#include "driver/stores/store_factory.h"
#include "zarrlib/base/error.h"
#include "zarrlib/base/text.h"
#include "zarrlib/store/icechunk/iso_time.h"
#include "zarrlib/store/icechunk/object_file.h"
#include "zarrlib/store/icechunk/repository.h"

namespace gdal_zarr {
namespace {

/// A remote repo info file is recognized by its name, since only opening it would tell more.
std::string GetFolder(const std::string& path) {
  if (!EndsWithDocument(path, zarr::kIcechunkRepoInfo)) return path;
  return path.substr(0, path.size() - zarr::kIcechunkRepoInfo.size() - 1);
}

RepositoryName ParseNameOfRepository(const std::string& name) {
  const std::string of_url = FindNameOfUrl(name);
  const std::string store = ParseDatasetName(of_url.empty() ? name : of_url).store;
  RepositoryName parts = NamesRepository(store) ? ParseRepositoryName(store) : RepositoryName{store, {}, false};
  parts.path = GetFolder(parts.path);
  return parts;
}

zarr::Repository ReadRepository(const RepositoryName& name) {
  zarr::Repository repository(MakeStore(name.path), zarr::Freshness::kNow);
  repository.CheckExists();
  return repository;
}

/// Formats a time as GDAL does: with milliseconds, unless they are zero.
std::string FormatTimestamp(std::uint64_t microseconds) {
  const std::uint64_t milliseconds = (microseconds + 500) / 1000;
  std::string text = zarr::FormatIsoTime(milliseconds * 1000);
  const std::uint64_t fraction = milliseconds % 1000;
  if (fraction != 0) text.insert(text.size() - 1, "." + zarr::FormatDigits(static_cast<std::int64_t>(fraction), 3));
  return text;
}

void AddCommit(const zarr::Commit& commit, CPLJSONObject* object) {
  object->Add("commit_message", commit.message);
  if (commit.time != 0) object->Add("timestamp", FormatTimestamp(commit.time));
}

std::string ListRefsAsJson(const std::string& name, bool is_tag) {
  const zarr::Repository repository = ReadRepository(ParseNameOfRepository(name));
  const auto refs = is_tag ? repository.ListTags() : repository.ListBranches();
  if (!refs) {
    throw zarr::Error(zarr::ErrorKind::kUnsupported, repository.folder().name(), "", "",
                      std::string("the ") + (is_tag ? "tags" : "branches") +
                          " of a repository of format 1 are the names of folders, and folders cannot be listed here");
  }
  CPLJSONArray list;
  for (const std::string& ref : *refs) {
    CPLJSONObject item;
    item.Add("name", ref);
    try {
      const zarr::RepositoryVersion version =
          is_tag ? zarr::RepositoryVersion{.tag = ref} : zarr::RepositoryVersion{.branch = ref};
      for (const auto& commit : repository.ListCommits(repository.FindSnapshot(version), 1)) AddCommit(commit, &item);
    } catch (const zarr::Error& error) {
      CPLError(CE_Warning, CPLE_AppDefined, "%s", error.what());
    }
    list.Add(item);
  }
  return list.Format(CPLJSONObject::PrettyFormat::Pretty) + "\n";
}

}  // namespace

std::string ListBranchesAsJson(const std::string& name) {
  return ListRefsAsJson(name, false);
}

std::string ListTagsAsJson(const std::string& name) {
  return ListRefsAsJson(name, true);
}

std::string ListSnapshotsAsJson(const std::string& name, const SnapshotRange& range) {
  RepositoryName parts = ParseNameOfRepository(name);
  if (!range.branch.empty() || !range.tag.empty()) parts.version = {.branch = range.branch, .tag = range.tag};
  const zarr::Repository repository = ReadRepository(parts);
  CPLJSONArray list;
  for (const zarr::Commit& commit : repository.ListCommits(repository.FindSnapshot(parts.version), range.most)) {
    CPLJSONObject item;
    item.Add("id", zarr::FormatObjectId(commit.id));
    AddCommit(commit, &item);
    if (!commit.author.empty()) item.Add("author", commit.author);
    list.Add(item);
  }
  return list.Format(CPLJSONObject::PrettyFormat::Pretty) + "\n";
}

}  // namespace gdal_zarr
