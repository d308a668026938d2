// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/stores/kerchunk/reference_target.h"
#include "driver/stores/request_log.h"
#include "zarrlib/base/once.h"
#include "zarrlib/store/icechunk/containers.h"
#include "zarrlib/store/icechunk/virtual_files.h"

namespace gdal_zarr {

/// Reads the files of virtual chunks by GDAL's file functions, under the rules for kerchunk references: a repository in
/// a remote store may only refer to remote files, unless GDAL_ALLOW_REMOTE_RESOURCE_TO_ACCESS_LOCAL_FILE=YES.
/// Thread-safe.
class VirtualChunkFiles final : public zarr::VirtualFiles {
 public:
  /// `folder` is the path of the repository. `read_containers` returns the containers of its configuration; it is
  /// called when the first file in an object store is looked for, and its errors are those of `Find`. Requests are
  /// counted in `log`.
  VirtualChunkFiles(
      std::string folder, std::shared_ptr<RequestLog> log,
      std::function<std::vector<zarr::Container>()> read_containers = [] { return std::vector<zarr::Container>(); });

  File Find(const std::string& url) const override;
  std::string GetPath(const std::string& key) const override;
  std::string GetSettings(const std::string& url) const override;
  std::size_t concurrency() const override;

 private:
  const zarr::Container* FindContainer(const std::string& url) const;

  const std::string folder_;
  const ReferenceTargets targets_;
  const std::shared_ptr<RequestLog> log_;
  const std::function<std::vector<zarr::Container>()> read_containers_;
  mutable zarr::Once read_;
  mutable std::vector<zarr::Container> containers_;  // empty until `read_` has run
};

}  // namespace gdal_zarr
