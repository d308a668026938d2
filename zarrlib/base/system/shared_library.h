// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace zarr {

/// A shared library that is loaded and stays in memory until the process ends. Copies refer to the same library.
/// Thread-safe.
class SharedLibrary {
 public:
  /// Loads a library by its name or path. Where the system supports it, the library finds its own symbols before those
  /// of other libraries. Throws Error(unsupported) with the system's reason.
  static SharedLibrary Load(const std::string& name);

  /// Searches the dependencies of the library that contains `function`, and returns the first whose name begins with
  /// `prefix`. Returns nullopt if there is none, or if the system does not report dependencies.
  static std::optional<SharedLibrary> FindDependency(const void* function, std::string_view prefix);

  /// Looks up a function and returns true if it exists; otherwise `*function` is nullptr.
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
