// SPDX-License-Identifier: MIT
#include "driver/stores/vsi/vsi_store_call.h"

#include <array>
#include <functional>
#include <utility>

#include "driver/stores/network_listing.h"
#include "driver/stores/network_settings.h"

namespace gdal_zarr {

std::atomic<std::uint64_t>& GetVersion(const std::string& path) {
  static std::array<std::atomic<std::uint64_t>, 1 << 14> versions{};
  return versions[std::hash<std::string>()(path) % versions.size()];
}

std::string WithReason(const std::string& message, const ErrorCollector& errors) {
  const std::string reason = errors.GetText();
  return reason.empty() ? message : message + ": " + reason;
}

VsiStore::Call::Call(const VsiStore& store, std::string_view key)
    : store_(store), key_(key), path_(store.MakePath(key)), version_(GetVersion(path_)) {
  if (!store.remote_) return;
  no_listing_.emplace("GDAL_DISABLE_READDIR_ON_OPEN", "EMPTY_DIR", false);
  const std::string on_network = FindNetworkPart(path_);
  ForgetAnswersToOthers(on_network, MakeDigestOfSettings(on_network));
}

void VsiStore::Call::Fail(zarr::ErrorKind kind, std::string message) const {
  throw zarr::Error(kind, store_.root_, key_, "", std::move(message));
}

void VsiStore::Call::FailIo(const std::string& message) const {
  const zarr::Error error(zarr::ErrorKind::kIo, store_.root_, key_, "", WithReason(message, errors_));
  throw store_.remote_ && TellsOfRefusal(error.message()) ? error.AsRefusal() : error;
}

}  // namespace gdal_zarr
