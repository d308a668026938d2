// SPDX-License-Identifier: MIT
#include "driver/stores/http/curl_library.h"

#include <cpl_http.h>

#include <memory>
#include <string>

#ifdef __linux__
#include <dlfcn.h>
#include <link.h>
#endif

namespace gdal_zarr {
namespace {

#ifdef __linux__

/// Opens the library that has a function. It is in memory already, and stays there.
void* OpenLibraryOf(void* function) {
  Dl_info info;
  if (dladdr(function, &info) == 0 || !info.dli_fname) return nullptr;
  return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

/// Returns the value of the first entry of that kind in the dynamic section of a library, or 0.
ElfW(Addr) FindEntry(const ElfW(Dyn) * section, ElfW(Sxword) kind) {
  for (; section->d_tag != DT_NULL; ++section) {
    if (section->d_tag == kind) return section->d_un.d_ptr;
  }
  return 0;
}

/// Returns the name of the libcurl that a library names as a dependency, such as "libcurl-gnutls.so.4"; "" if none.
std::string FindNameOfCurl(void* library) {
  const link_map* map = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0) return "";
  auto names = FindEntry(map->l_ld, DT_STRTAB);
  if (names == 0) return "";
  if (names < map->l_addr) names += map->l_addr;  // some systems leave the addresses as they are in the file
  for (const auto* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag != DT_NEEDED) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the dynamic section holds addresses as numbers
    std::string name = reinterpret_cast<const char*>(names + entry->d_un.d_val);
    if (name.starts_with("libcurl")) return name;
  }
  return "";
}

void* OpenCurl() {
  void* gdal = OpenLibraryOf(reinterpret_cast<void*>(&CPLHTTPFetch));
  const std::string name = gdal ? FindNameOfCurl(gdal) : "";
  return name.empty() ? nullptr : dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
}

template <typename Function>
bool Find(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
  return *function != nullptr;
}

std::unique_ptr<CurlLibrary> Load() {
  void* library = OpenCurl();
  if (!library) return nullptr;
  auto curl = std::make_unique<CurlLibrary>();
  const bool complete =
      Find(library, "curl_easy_init", &curl->easy_init) && Find(library, "curl_easy_cleanup", &curl->easy_cleanup) &&
      Find(library, "curl_easy_setopt", &curl->easy_setopt) &&
      Find(library, "curl_easy_getinfo", &curl->easy_getinfo) &&
      Find(library, "curl_easy_strerror", &curl->easy_strerror) && Find(library, "curl_getdate", &curl->getdate) &&
      Find(library, "curl_slist_append", &curl->slist_append) &&
      Find(library, "curl_slist_free_all", &curl->slist_free_all) &&
      Find(library, "curl_multi_init", &curl->multi_init) &&
      Find(library, "curl_multi_cleanup", &curl->multi_cleanup) &&
      Find(library, "curl_multi_setopt", &curl->multi_setopt) &&
      Find(library, "curl_multi_add_handle", &curl->multi_add_handle) &&
      Find(library, "curl_multi_remove_handle", &curl->multi_remove_handle) &&
      Find(library, "curl_multi_perform", &curl->multi_perform) &&
      Find(library, "curl_multi_poll", &curl->multi_poll) && Find(library, "curl_multi_wakeup", &curl->multi_wakeup) &&
      Find(library, "curl_multi_info_read", &curl->multi_info_read);
  return complete ? std::move(curl) : nullptr;
}

#else

std::unique_ptr<CurlLibrary> Load() {
  return nullptr;
}

#endif

}  // namespace

const CurlLibrary* CurlLibrary::Get() {
  // Never destroyed: threads of the pool may outlive static destructors.
  static const CurlLibrary* const shared = Load().release();
  return shared;
}

}  // namespace gdal_zarr
