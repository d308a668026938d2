// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/shared_library.h"

#include <dlfcn.h>

#include "zarrlib/base/error.h"
#include "zarrlib/base/system/which_system.h"

#ifdef ZARR_LINUX
#include <link.h>
#endif

namespace zarr {
namespace {

// GCC and Clang report in different ways whether such a sanitizer is in use.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ZARR_HAS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ZARR_HAS_SANITIZER
#endif
#endif

/// Lets the library find its own symbols first. Sanitizers do not support such libraries.
#if defined(ZARR_LINUX) && !defined(ZARR_HAS_SANITIZER)
constexpr int kFlags = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
#else
constexpr int kFlags = RTLD_NOW | RTLD_LOCAL;
#endif

#ifdef ZARR_LINUX

/// Opens the library that contains a function. It is already in memory, and stays there.
void* OpenLibraryOf(const void* function) {
  Dl_info info;
  if (::dladdr(function, &info) == 0 || !info.dli_fname) return nullptr;
  return ::dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

/// Returns the value of the first entry of that kind in the dynamic section of a library, or 0.
ElfW(Addr) FindEntry(const ElfW(Dyn) * section, ElfW(Sxword) kind) {
  for (; section->d_tag != DT_NULL; ++section) {
    if (section->d_tag == kind) return section->d_un.d_ptr;
  }
  return 0;
}

/// Returns the name of the first dependency of a library that begins with that prefix, such as "libcurl-gnutls.so.4";
/// "" if there is none.
std::string FindNameOfDependency(void* library, std::string_view prefix) {
  const link_map* map = nullptr;
  if (::dlinfo(library, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0) return "";
  auto names = FindEntry(map->l_ld, DT_STRTAB);
  if (names == 0) return "";
  if (names < map->l_addr) names += map->l_addr;  // some systems keep the addresses as they are in the file
  for (const auto* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag != DT_NEEDED) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the dynamic section holds addresses as numbers
    std::string name = reinterpret_cast<const char*>(names + entry->d_un.d_val);
    if (name.starts_with(prefix)) return name;
  }
  return "";
}

#endif

}  // namespace

SharedLibrary SharedLibrary::Load(const std::string& name) {
  void* const handle = ::dlopen(name.c_str(), kFlags);  // never closed
  if (handle) return SharedLibrary(handle);
  const char* const reason = ::dlerror();
  throw Error(ErrorKind::kUnsupported, reason ? reason : name + " cannot be loaded");
}

std::optional<SharedLibrary> SharedLibrary::FindDependency([[maybe_unused]] const void* function,
                                                           [[maybe_unused]] std::string_view prefix) {
#ifdef ZARR_LINUX
  void* const library = OpenLibraryOf(function);
  const std::string name = library ? FindNameOfDependency(library, prefix) : "";
  void* const handle = name.empty() ? nullptr : ::dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle) return SharedLibrary(handle);
#endif
  return std::nullopt;
}

void* SharedLibrary::FindSymbol(const char* name) const {
  return ::dlsym(handle_, name);
}

}  // namespace zarr
