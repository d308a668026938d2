// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/shared_library.h"

#include <cstdint>
#include <cstring>

#include "zarrlib/base/error.h"
#include "zarrlib/base/system/windows/windows_names.h"

namespace zarr {
namespace {

/// Returns the library or program that contains a function or a variable; nullptr if none does.
HMODULE FindModule(const void* address) {
  constexpr DWORD kFlags = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  HMODULE module = nullptr;
  return ::GetModuleHandleExW(kFlags, static_cast<LPCWSTR>(address), &module) ? module : nullptr;
}

/// The address of another library's function may be that of a stub here, which jumps to where an entry of a table
/// points. Returns the function itself.
const void* FollowStub(const void* function) {
#if defined(__x86_64__) || defined(_M_X64)
  const auto* const code = static_cast<const unsigned char*>(function);
  constexpr std::size_t kJumpSize = 6;
  if (code[0] == 0xff && code[1] == 0x25) {
    std::int32_t distance = 0;
    std::memcpy(&distance, code + 2, sizeof(distance));
    std::memcpy(&function, code + kJumpSize + distance, sizeof(function));
  }
#endif
  return function;
}

/// Returns the name of the first library that another one is linked with and whose name begins with that prefix, such
/// as "libcurl-4.dll"; nullptr if there is none.
const char* FindNameOfDependency(HMODULE module, std::string_view prefix) {
  const auto* const start = reinterpret_cast<const std::byte*>(module);
  const auto* const dos = reinterpret_cast<const IMAGE_DOS_HEADER*>(start);
  const auto* const headers = reinterpret_cast<const IMAGE_NT_HEADERS*>(start + dos->e_lfanew);
  const auto& imports = headers->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_IMPORT];
  if (imports.VirtualAddress == 0) return nullptr;
  const auto* entry = reinterpret_cast<const IMAGE_IMPORT_DESCRIPTOR*>(start + imports.VirtualAddress);
  for (; entry->Name != 0; ++entry) {
    const auto* const name = reinterpret_cast<const char*>(start + entry->Name);
    if (::_strnicmp(name, prefix.data(), prefix.size()) == 0) return name;
  }
  return nullptr;
}

/// Loads a library from the folder of this one, in which the system does not look: a plugin's is not the program's.
HMODULE LoadFromOwnFolder(const std::wstring& name) {
  if (name.find_first_of(L"/\\") != name.npos) return nullptr;
  std::wstring path(32768, L'\0');
  const HMODULE own = FindModule(reinterpret_cast<const void*>(&LoadFromOwnFolder));
  path.resize(::GetModuleFileNameW(own, path.data(), static_cast<DWORD>(path.size())));
  path.resize(path.rfind(L'\\') + 1);
  return ::LoadLibraryExW((path + name).c_str(), nullptr, LOAD_WITH_ALTERED_SEARCH_PATH);
}

}  // namespace

SharedLibrary SharedLibrary::Load(const std::string& name) {
  const std::wstring wide = windows::ToWide(name);
  HMODULE handle = LoadFromOwnFolder(wide);  // never freed
  if (!handle) handle = ::LoadLibraryW(wide.c_str());
  if (handle) return SharedLibrary(static_cast<void*>(handle));
  throw Error(ErrorKind::kUnsupported,
              name + " cannot be loaded: error " + std::to_string(::GetLastError()) + " of the system");
}

std::optional<SharedLibrary> SharedLibrary::FindDependency(const void* function, std::string_view prefix) {
  const HMODULE module = FindModule(FollowStub(function));
  const char* const name = module ? FindNameOfDependency(module, prefix) : nullptr;
  const HMODULE handle = name ? ::GetModuleHandleA(name) : nullptr;
  if (!handle) return std::nullopt;
  return SharedLibrary(static_cast<void*>(handle));
}

void* SharedLibrary::FindSymbol(const char* name) const {
  return reinterpret_cast<void*>(::GetProcAddress(static_cast<HMODULE>(handle_), name));
}

}  // namespace zarr
