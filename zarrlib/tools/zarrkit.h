#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "zarrlib/base/shape.h"
#include "zarrlib/store/store.h"

/// The command-line tool: what its subcommands do, apart from the program around them, for the tests.
namespace zarr::tools {

enum ExitCode {
  kSuccess = 0,
  kFailure = 1,  ///< `check` has found errors, `migrate` has refused, or the store cannot be read.
  kUsage = 2,    ///< The arguments make no sense.
  // A signal that has interrupted `reshard` gives 128 and its number, as shells have it.
};

/// Runs `zarrkit` with the arguments behind its name. What it was asked for goes to `out`, errors to `err`.
int RunZarrkit(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err);

// The subcommands. They throw Error for a store that cannot be read.
int PrintInfo(const std::shared_ptr<Store>& store, bool json, std::ostream& out);
struct CheckOptions {
  bool remove_temporary = false;  ///< Temporary files of writers that ended long ago.
};
int CheckStore(const std::shared_ptr<Store>& store, const CheckOptions& options, std::ostream& out, std::ostream& err);
struct MigrateOptions {
  int format = 3;
  bool dry_run = false;
  bool delete_old = false;
};
struct ReshardOptions {
  std::string path;  ///< Of the array.
  Shape chunks;
  std::optional<Shape> shards;
  bool allow_lossy = false;  ///< Encode anew what codecs have rounded.
};
int ReshardArray(const std::shared_ptr<Store>& store, const ReshardOptions& options, std::ostream& out);
int MigrateStore(const std::shared_ptr<Store>& store, const MigrateOptions& options, std::ostream& out,
                 std::ostream& err);

}  // namespace zarr::tools
