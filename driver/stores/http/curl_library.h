// SPDX-License-Identifier: MIT
#pragma once

#include <curl/curl.h>

namespace gdal_zarr {

/// The functions of the libcurl that GDAL itself uses. GDAL configures the handles of requests (CPLHTTPSetOptions), and
/// one process may hold two builds of libcurl, with OpenSSL and with GnuTLS, whose handles must not be mixed. So the
/// plugin links to no libcurl, but takes the one that GDAL's library names as a dependency.
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

  /// Returns nullptr if GDAL's library depends on no libcurl, or on one before 7.68. Thread-safe.
  static const CurlLibrary* Get();
};

}  // namespace gdal_zarr
