// SPDX-License-Identifier: MIT
#include "driver/stores/vsi/look_at.h"

#include "driver/gdal/gdal_error.h"
#include "driver/stores/network_listing.h"
#include "driver/stores/vsi/vsi_store.h"

namespace gdal_zarr {
namespace {

/// Sends a request, because GDAL caches failures. Throws zarr::Error(io).
Presence LookInObjectStore(const std::string& path) {
  const auto entries = ListOnNetwork(path, false);
  if (entries && !entries->empty()) return Presence::kFolder;
  const std::size_t slash = path.rfind('/');
  const bool is_object =
      zarr::IsKey(path.substr(slash + 1)) && VsiStore(path.substr(0, slash)).Exists(path.substr(slash + 1));
  return is_object ? Presence::kFile : Presence::kAbsent;
}

}  // namespace

Presence LookAt(const std::string& path) {
  const ErrorCollector quiet;
  VSIStatBufL status;
  if (VSIStatL(path.c_str(), &status) == 0) return VSI_ISDIR(status.st_mode) ? Presence::kFolder : Presence::kFile;
  if (IsInObjectStore(path)) return LookInObjectStore(path);
  if (path.starts_with("/vsi")) return Presence::kAbsent;
  const Presence presence = LookAgain(path);
  if (presence != Presence::kFailed) return presence;
  throw zarr::Error(zarr::ErrorKind::kIo, path, "", "", "cannot be looked at");
}

}  // namespace gdal_zarr
