// SPDX-License-Identifier: MIT
#include "driver/stores/icechunk/open_repository.h"

#include <utility>

#include "driver/gdal/repository_name.h"
#include "driver/stores/icechunk/virtual_chunk_files.h"
#include "driver/stores/request_log.h"
#include "driver/stores/store_factory.h"
#include "driver/stores/vsi/vsi_conditions.h"
#include "driver/stores/vsi/vsi_store.h"
#include "zarrlib/base/error.h"
#include "zarrlib/store/icechunk/commit/session.h"
#include "zarrlib/store/icechunk/icechunk_store.h"

namespace gdal_zarr {
namespace {

std::shared_ptr<VirtualChunkFiles> MakeFiles(const RepositoryName& parts,
                                             std::shared_ptr<const zarr::Repository> repository,
                                             std::shared_ptr<RequestLog> log) {
  return std::make_shared<VirtualChunkFiles>(
      parts.path, std::move(log), [repository = std::move(repository)] { return repository->ReadContainers(); });
}

std::shared_ptr<zarr::Store> Open(const std::string& name, const RepositoryName& parts,
                                  const std::shared_ptr<const zarr::Repository>& repository,
                                  std::shared_ptr<RequestLog> log) {
  auto files = MakeFiles(parts, repository, std::move(log));
  const zarr::ObjectId snapshot = repository->FindSnapshot(parts.version);
  return std::make_shared<zarr::IcechunkStore>(name, repository, snapshot,
                                               zarr::ChunkOptions{std::move(files), !parts.ignore_timestamp_etag});
}

std::shared_ptr<zarr::Store> OpenAs(const std::string& name, const RepositoryName& parts) {
  const auto log = std::make_shared<RequestLog>(name);
  std::shared_ptr<const zarr::Store> folder;
  if (LeadsToNetwork(parts.path) && parts.path.find("/vsizip/") == std::string::npos) {
    folder = std::make_shared<VsiStore>(parts.path, log);  // so that all requests are counted together
  } else {
    folder = MakeStore(parts.path);
  }
  return Open(name, parts, std::make_shared<const zarr::Repository>(std::move(folder)), log);
}

std::shared_ptr<zarr::Store> MakeFolderToCommit(const std::string& path, bool sync) {
  std::shared_ptr<zarr::Store> folder = MakeStore(path, sync);
  if (folder->info().writes && (TakesConditions(path) || !LeadsToNetwork(path))) return folder;
  throw zarr::Error(
      zarr::ErrorKind::kReadOnly, path, "", "",
      "Icechunk repositories are changed in local folders, on S3, on Azure and on Google Cloud Storage only");
}

std::shared_ptr<zarr::Store> MakeSession(const std::string& name, const RepositoryName& parts,
                                         std::shared_ptr<zarr::Store> folder,
                                         std::shared_ptr<const zarr::Repository> repository,
                                         zarr::CommitOptions commit) {
  zarr::ChunkOptions chunks{MakeFiles(parts, repository, std::make_shared<RequestLog>(name)),
                            !parts.ignore_timestamp_etag};
  return std::make_shared<zarr::IcechunkSession>(name, std::move(folder), std::move(repository), std::move(commit),
                                                 std::move(chunks));
}

}  // namespace

std::shared_ptr<zarr::Store> OpenRepository(const std::string& name) {
  return OpenAs(name, ParseRepositoryName(name));
}

std::shared_ptr<zarr::Store> OpenRepositoryFolder(const std::string& folder) {
  return OpenAs(folder, {folder, {}, false});
}

std::shared_ptr<zarr::Store> OpenRepository(const std::string& name,
                                            const std::shared_ptr<const zarr::Repository>& repository) {
  return Open(name, ParseRepositoryName(name), repository, std::make_shared<RequestLog>(name));
}

std::shared_ptr<zarr::Store> OpenRepositoryForUpdate(const std::string& name, const CommitNote& note) {
  RepositoryName parts = ParseRepositoryName(name);
  const zarr::RepositoryVersion& version = parts.version;
  if (!version.tag.empty() || !version.snapshot.empty() || version.as_of) {
    throw zarr::Error(zarr::ErrorKind::kReadOnly, parts.path, "", "",
                      "only the last state of a branch can be changed: name a branch instead (BRANCH=<name>)");
  }
  const std::shared_ptr<zarr::Store> folder = MakeFolderToCommit(parts.path, false);
  const auto repository = std::make_shared<const zarr::Repository>(folder, zarr::Freshness::kNow);
  const zarr::Repository::Branch branch = repository->FindLast(version.branch);
  zarr::CommitOptions commit{branch.name, branch.last, repository->info() ? 2 : 1, note.message, note.author};
  return MakeSession(name, parts, folder, repository, std::move(commit));
}

std::shared_ptr<zarr::Store> MakeRepositoryFolder(const std::string& folder, bool sync) {
  std::shared_ptr<zarr::Store> store = MakeFolderToCommit(folder, sync);
  if (!zarr::Repository::IsIn(*store)) return store;
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument, folder, "", "", "there is an Icechunk repository already");
}

std::shared_ptr<zarr::Store> MakeRepository(const std::string& folder, const CommitNote& note, bool sync) {
  const std::shared_ptr<zarr::Store> store = MakeRepositoryFolder(folder, sync);
  const std::string name = MakeRepositoryName(folder, "");
  zarr::CommitOptions commit{"main", std::nullopt, 2, note.message, note.author};
  return MakeSession(name, ParseRepositoryName(name), store, std::make_shared<const zarr::Repository>(store),
                     std::move(commit));
}

bool HoldsRepository(const std::string& folder) {
  try {
    return zarr::Repository::IsIn(*MakeStore(folder));
  } catch (const zarr::Error&) {
    return false;
  }
}

}  // namespace gdal_zarr
