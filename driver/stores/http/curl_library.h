// SPDX-License-Identifier: MIT
#pragma once

#include <curl/curl.h>

namespace gdal_zarr {

/// The functions of the libcurl that GDAL itself uses. GDAL configures the handles of requests (CPLHTTPSetOptions), and
/// one process may contain two builds of libcurl, with OpenSSL and with GnuTLS, whose handles must not be mixed.
/// Therefore the plugin does not link to libcurl, but uses the one that GDAL's library depends on.
struct CurlLibrary {
  decltype(&curl_easy_init) easy_init;
  decltype(&curl_easy_cleanup) easy_cleanup;
  decltype(&curl_easy_setopt) easy_setopt;
  decltype(&curl_easy_getinfo) easy_getinfo;
  decltype(&curl_easy_strerror) easy_strerror;
  decltype(&curl_getdate) getdate;
  decltype(&curl_slist_append) slist_append;
  decltype(&curl_slist_free_all) slist_free_all;
  decltype(&curl_multi_init) multi_init;
  decltype(&curl_multi_cleanup) multi_cleanup;
  decltype(&curl_multi_setopt) multi_setopt;
  decltype(&curl_multi_add_handle) multi_add_handle;
  decltype(&curl_multi_remove_handle) multi_remove_handle;
  decltype(&curl_multi_perform) multi_perform;
  decltype(&curl_multi_poll) multi_poll;
  decltype(&curl_multi_wakeup) multi_wakeup;
  decltype(&curl_multi_info_read) multi_info_read;

  /// Returns null if GDAL's library does not depend on libcurl, or on a version before 7.68. Thread-safe.
  static const CurlLibrary* Get();
};

}  // namespace gdal_zarr
