// SPDX-License-Identifier: MIT
#include "driver/stores/http/curl_library.h"

#include <cpl_http.h>

#include <memory>

#include "zarrlib/base/system/shared_library.h"

namespace gdal_zarr {
namespace {

std::unique_ptr<CurlLibrary> Load() {
  const auto library = zarr::SharedLibrary::FindDependency(reinterpret_cast<const void*>(&CPLHTTPFetch), "libcurl");
  if (!library) return nullptr;
  auto curl = std::make_unique<CurlLibrary>();
  const bool complete =
      library->Find("curl_easy_init", &curl->easy_init) && library->Find("curl_easy_cleanup", &curl->easy_cleanup) &&
      library->Find("curl_easy_setopt", &curl->easy_setopt) &&
      library->Find("curl_easy_getinfo", &curl->easy_getinfo) &&
      library->Find("curl_easy_strerror", &curl->easy_strerror) && library->Find("curl_getdate", &curl->getdate) &&
      library->Find("curl_slist_append", &curl->slist_append) &&
      library->Find("curl_slist_free_all", &curl->slist_free_all) &&
      library->Find("curl_multi_init", &curl->multi_init) &&
      library->Find("curl_multi_cleanup", &curl->multi_cleanup) &&
      library->Find("curl_multi_setopt", &curl->multi_setopt) &&
      library->Find("curl_multi_add_handle", &curl->multi_add_handle) &&
      library->Find("curl_multi_remove_handle", &curl->multi_remove_handle) &&
      library->Find("curl_multi_perform", &curl->multi_perform) &&
      library->Find("curl_multi_poll", &curl->multi_poll) && library->Find("curl_multi_wakeup", &curl->multi_wakeup) &&
      library->Find("curl_multi_info_read", &curl->multi_info_read);
  return complete ? std::move(curl) : nullptr;
}

}  // namespace

const CurlLibrary* CurlLibrary::Get() {
  // Never destroyed: threads of the pool may outlive static destructors.
  static const CurlLibrary* const shared = Load().release();
  return shared;
}

}  // namespace gdal_zarr
