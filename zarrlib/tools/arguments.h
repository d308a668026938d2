// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/base/error.h"
#include "zarrlib/base/shape.h"
#include "zarrlib/store/store.h"

namespace zarr::tools {

/// Thrown for invalid arguments, with the message.
struct UsageError {
  std::string message;
};

/// Runs a check of arguments against the store. Converts errors about values that do not fit, or are too large, to
/// UsageError.
template <typename Check>
auto CheckArguments(const Check& check) {
  try {
    return check();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInvalidArgument && error.kind() != ErrorKind::kLimitExceeded) throw;
    throw UsageError{error.what()};
  }
}

/// The arguments of a subcommand, which are consumed one by one; leftover arguments are an error. Arguments after "--"
/// are not options. All functions throw UsageError.
class Arguments {
 public:
  explicit Arguments(std::vector<std::string> all);

  bool TakeFlag(std::string_view name);
  /// Consumes "--name value" or "--name=value".
  std::optional<std::string> TakeOption(const std::string& name);
  /// Like TakeOption, for an option that may be given several times; returns the values in their order.
  std::vector<std::string> TakeOptions(const std::string& name);
  /// Consumes the path of an array or group in an option, "a/b" or "/a/b"; returns it without the surrounding slashes.
  std::optional<std::string> TakePath(const std::string& name = "--array");
  /// Like TakePath, for the path of an array that is required.
  std::string TakeArray();
  /// Consumes numbers such as "256,256", each of which is at least `least`.
  std::optional<Shape> TakeNumbers(const std::string& name, std::uint64_t least);
  /// Checks that there are no leftover arguments.
  void TakeNothing();
  /// Consumes the only argument that is not an option; it must be the only one left.
  std::string TakeStore();
  /// Consumes all arguments that are not options, at least one; they must be the only ones left.
  std::vector<std::string> TakeFiles();
  /// Consumes the last argument, which is an output and not an option.
  std::string TakeOutput(const std::string& what);

 private:
  void CheckNoOptions();
  std::optional<std::string> TakeFirst(const std::string& name);
  /// Moves the arguments after "--" to the others, once all options are consumed.
  void AddRest();

  std::vector<std::string> all_;
  std::vector<std::string> rest_;   // the arguments after "--"
  bool is_checked_ = false;         // by CheckNoOptions
  std::vector<std::string> known_;  // the options that were searched for
};

/// Parses edges such as "256,256". Throws UsageError, which names the option.
Shape ParseNumbers(const std::string& option, const std::string& text, std::uint64_t least);

/// Returns true if an argument is the name of a store for GDAL's virtual file systems: /vsicurl/..., s3://...,
/// ZARR:"...", ICECHUNK:....
bool IsNameForGdal(std::string_view argument);

/// Returns the name of a store without a leading file://, which means a local folder. Throws UsageError for an empty
/// name, an incomplete URL, and a scheme that is known to neither GDAL nor this program.
std::string ParseStoreName(const std::string& name);

/// Opens a store in a local folder, or in a local ZIP archive, which is read-only. Throws Error(not_found).
std::shared_ptr<Store> OpenStore(const std::string& path);

/// Opens a local folder that may be absent; or starts a ZIP archive if the name ends in .zip. The archive must be
/// absent, and exists after `Finish`.
std::shared_ptr<Store> OpenNewStore(const std::string& name);

}  // namespace zarr::tools
