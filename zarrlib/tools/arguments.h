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

/// Thrown for wrong arguments, with the message.
struct UsageError {
  std::string message;
};

/// Runs a check of arguments against the store. What does not fit, or is too large, becomes a UsageError.
template <typename Check>
auto CheckArguments(const Check& check) {
  try {
    return check();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInvalidArgument && error.kind() != ErrorKind::kLimitExceeded) throw;
    throw UsageError{error.what()};
  }
}

/// The arguments of a subcommand, which are taken one by one; arguments that are left over are wrong. What follows "--"
/// is no option. All functions throw UsageError.
class Arguments {
 public:
  explicit Arguments(std::vector<std::string> all);

  bool TakeFlag(std::string_view name);
  /// Takes "--name value" or "--name=value".
  std::optional<std::string> TakeOption(const std::string& name);
  /// As TakeOption, for an option that may be given several times; in their order.
  std::vector<std::string> TakeOptions(const std::string& name);
  /// Takes the path of an array or group, "a/b" or "/a/b" in an option; without the slashes around it.
  std::optional<std::string> TakePath(const std::string& name = "--array");
  /// As TakePath, for the path of an array that is needed.
  std::string TakeArray();
  /// Takes numbers such as "256,256", each of which is at least `least`.
  std::optional<Shape> TakeNumbers(const std::string& name, std::uint64_t least);
  /// Checks that no argument is left.
  void TakeNothing();
  /// Takes the one argument that is no option; it must be the only one that is left.
  std::string TakeStore();
  /// Takes the last argument, which is something to write and no option.
  std::string TakeOutput(const std::string& what);

 private:
  void CheckNoOptions();
  std::optional<std::string> TakeFirst(const std::string& name);
  /// Moves what follows "--" to the other arguments, when all options are taken.
  void AddRest();

  std::vector<std::string> all_;
  std::vector<std::string> rest_;   // what follows "--"
  std::vector<std::string> known_;  // the options that were looked for
};

/// Parses edges such as "256,256". Throws UsageError, which names the option.
Shape ParseNumbers(const std::string& option, const std::string& text, std::uint64_t least);

/// Whether an argument names a store that GDAL's virtual file systems reach: /vsicurl/..., s3://..., ZARR:"...".
bool IsNameForGdal(std::string_view argument);

/// The name of a store without the beginning file://, which means a local folder. Throws UsageError for an empty name,
/// a URL that names nothing, and one with a scheme that neither GDAL nor this program knows.
std::string ParseStoreName(const std::string& name);

/// Opens a store in a local folder, or in a local ZIP archive, which takes no writes. Throws Error(not_found).
std::shared_ptr<Store> OpenStore(const std::string& path);

/// Opens a local folder that may be absent; or begins a ZIP archive of a name that ends in .zip, which must be absent,
/// and is there after `Finish`.
std::shared_ptr<Store> OpenNewStore(const std::string& name);

}  // namespace zarr::tools
