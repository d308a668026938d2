// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace zarr {

/// A shared library that is in memory, and stays there until the process ends. Copies are the same library.
/// Thread-safe.
class SharedLibrary {
 public:
  /// Loads a library, by its name or path. It finds its own symbols before those of others, where the system can do
  /// that. Throws Error(unsupported) with the system's reason.
  static SharedLibrary Load(const std::string& name);

  /// Of the libraries that the one with `function` names as its dependencies, returns the first whose name begins with
  /// `prefix`. Nothing if there is none, or if the system does not tell.
  static std::optional<SharedLibrary> FindDependency(const void* function, std::string_view prefix);

  /// Looks for a function, and returns whether there is one; `*function` is nullptr if not.
  template <typename Function>
  bool Find(const char* name, Function* function) const {
    *function = reinterpret_cast<Function>(FindSymbol(name));
    return *function != nullptr;
  }

 private:
  explicit SharedLibrary(void* handle) : handle_(handle) {}
  void* FindSymbol(const char* name) const;

  void* handle_;
};

}  // namespace zarr
