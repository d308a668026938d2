// SPDX-License-Identifier: MIT
#include "driver/stores/icechunk/open_repository.h"

#include <utility>

#include "driver/gdal/repository_name.h"
#include "driver/stores/icechunk/virtual_chunk_files.h"
#include "driver/stores/request_log.h"
#include "driver/stores/store_factory.h"
#include "driver/stores/vsi/vsi_store.h"
#include "zarrlib/base/error.h"
#include "zarrlib/store/icechunk/icechunk_store.h"

namespace gdal_zarr {
namespace {

std::shared_ptr<zarr::Store> Open(const std::string& name, const RepositoryName& parts,
                                  const std::shared_ptr<const zarr::Repository>& repository,
                                  std::shared_ptr<RequestLog> log) {
  auto files = std::make_shared<VirtualChunkFiles>(parts.path, std::move(log));
  const zarr::ObjectId snapshot = repository->FindSnapshot(parts.version);
  return std::make_shared<zarr::IcechunkStore>(
      name, repository, snapshot, zarr::IcechunkStore::Options{std::move(files), !parts.ignore_timestamp_etag});
}

}  // namespace

std::shared_ptr<zarr::Store> OpenRepository(const std::string& name) {
  const RepositoryName parts = ParseRepositoryName(name);
  const auto log = std::make_shared<RequestLog>(name);
  std::shared_ptr<const zarr::Store> folder;
  if (LeadsToNetwork(parts.path) && parts.path.find("/vsizip/") == std::string::npos) {
    folder = std::make_shared<VsiStore>(parts.path, log);  // so that all requests are counted together
  } else {
    folder = MakeStore(parts.path);
  }
  return Open(name, parts, std::make_shared<const zarr::Repository>(std::move(folder)), log);
}

std::shared_ptr<zarr::Store> OpenRepository(const std::string& name,
                                            const std::shared_ptr<const zarr::Repository>& repository) {
  return Open(name, ParseRepositoryName(name), repository, std::make_shared<RequestLog>(name));
}

bool HoldsRepository(const std::string& folder) {
  try {
    return zarr::Repository::IsIn(*MakeStore(folder));
  } catch (const zarr::Error&) {
    return false;
  }
}

}  // namespace gdal_zarr
