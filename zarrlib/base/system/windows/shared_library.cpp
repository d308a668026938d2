// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/shared_library.h"

#include "zarrlib/base/error.h"
#include "zarrlib/base/system/windows/windows_names.h"

namespace zarr {

SharedLibrary SharedLibrary::Load(const std::string& name) {
  const HMODULE handle = ::LoadLibraryW(windows::ToWide(name).c_str());  // never freed
  if (handle) return SharedLibrary(static_cast<void*>(handle));
  throw Error(ErrorKind::kUnsupported,
              name + " cannot be loaded: error " + std::to_string(::GetLastError()) + " of the system");
}

std::optional<SharedLibrary> SharedLibrary::FindDependency(const void*, std::string_view) {
  return std::nullopt;
}

void* SharedLibrary::FindSymbol(const char* name) const {
  return reinterpret_cast<void*>(::GetProcAddress(static_cast<HMODULE>(handle_), name));
}

}  // namespace zarr
