// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "zarrlib/base/shape.h"
#include "zarrlib/store/store.h"
#include "zarrlib/tools/progress.h"

/// The subcommands of the command-line tool.
namespace zarr::tools {

enum ExitCode {
  kSuccess = 0,
  kFailure = 1,  ///< `check` found errors, `migrate` refused, or the store is unreadable.
  kUsage = 2,    ///< The arguments are invalid.
  kMissing = 3,  ///< `finish` has found units without any stored data.
  // If a signal interrupts `reshard`, the exit code is 128 plus its number, as in shells.
};

/// Prints the version, and the codecs of this build.
void PrintVersion(std::ostream& out);

// The subcommands. They return the exit code, and throw Error for an unreadable store. `progress` must not be null; it
// shows the progress of long operations.
struct InfoOptions {
  std::string path;  ///< The node to print, with its descendants.
  bool json = false;
  bool sizes = false;       ///< True to add up the sizes of all chunks.
  bool attributes = false;  ///< True to print attributes; JSON output always contains them.
};
int PrintInfo(const std::shared_ptr<Store>& store, const InfoOptions& options, std::ostream& out, Progress* progress);
struct CheckOptions {
  std::string path;  ///< The node to check, with its descendants.
  bool json = false;
  bool conventions = false;       ///< True to check attributes against CF and GeoZarr.
  bool repair = false;            ///< True to make repairs that cannot lose data.
  bool remove_temporary = false;  ///< True to remove temporary files whose writers ended long ago.
};
int CheckStore(const std::shared_ptr<Store>& store, const CheckOptions& options, std::ostream& out, Progress* progress);
struct MigrateOptions {
  int format = 3;
  bool dry_run = false;
  bool delete_old = false;
  /// The folder of the new store; only for a store of the draft of v3, which requires it.
  std::optional<std::string> output;
};
/// Removes the metadata that a migration has written next to the old ones.
int UndoStoreMigration(const std::shared_ptr<Store>& store, bool dry_run, std::ostream& out);
struct ReshardOptions {
  std::string path;  ///< The path of the array.
  Shape chunks;
  std::optional<Shape> shards;
  bool allow_lossy = false;  ///< True to allow encoding values again that lossy codecs have rounded.
};
int ReshardArray(const std::shared_ptr<Store>& store, const ReshardOptions& options, std::ostream& out,
                 Progress* progress);
int MigrateStore(const std::shared_ptr<Store>& store, const MigrateOptions& options, std::ostream& out,
                 std::ostream& err, Progress* progress);

struct PlanOptions {
  std::string path;                   ///< The path of the array.
  std::optional<std::string> region;  ///< Such as "0:256,:"; without it, the whole array.
  bool json = false;
};
int PrintPlan(const std::shared_ptr<Store>& store, const PlanOptions& options, std::ostream& out);
/// Prints the units in which the stale parts of an array's overviews can be computed, level by level: the next level
/// only when all units of the preceding one have been written.
int PrintOverviewPlan(const std::shared_ptr<Store>& store, const PlanOptions& options, std::ostream& out);
/// Removes the notes that an array's overviews lack changes.
void ForgetStale(const std::shared_ptr<Store>& store, const std::string& path);
struct FinishOptions {
  std::optional<std::string> path;    ///< Without it, all arrays that have dimensions.
  std::optional<std::string> region;  ///< Like PlanOptions::region; only with a path.
  bool overviews = false;             ///< All units of the plan of the array's overviews have been written.
  bool consolidate = true;            ///< True to write consolidated metadata; otherwise the store is not changed.
  bool json = false;
};
int FinishStore(const std::shared_ptr<Store>& store, const FinishOptions& options, std::ostream& out);

struct ExplainOptions {
  std::string path;                   ///< The path of the array.
  std::optional<std::string> window;  ///< Such as "512,0,256,256".
  std::optional<std::string> region;  ///< Like PlanOptions::region; not with a window.
  bool json = false;
};
int ExplainRead(const std::shared_ptr<Store>& store, const ExplainOptions& options, std::ostream& out);

struct MapOptions {
  std::string path;                   ///< The path of the array.
  std::string output;                 ///< The SVG file, as for WriteOutput.
  std::optional<std::string> window;  ///< Like ExplainOptions::window.
  std::optional<std::string> region;
};
/// Also returns kFailure if a chunk is damaged.
int DrawMap(const std::shared_ptr<Store>& store, const MapOptions& options, std::ostream& out, Progress* progress);

/// The changes for a copy of an array; unset members stay the same.
struct CopyChange {
  std::optional<Shape> chunks;
  std::optional<Shape> shards;
  std::string compress;  ///< Such as "zstd:5" or "none"; empty to keep the compressor.
};
/// A change for the arrays whose paths match a pattern.
struct CopyRule {
  std::string pattern;
  CopyChange change;
};
struct CopyOptions {
  std::vector<CopyRule> rules;  ///< The first matching rule applies to an array.
  CopyChange all;               ///< For arrays that no rule matches; chunks only for arrays with as many dimensions.
  bool allow_lossy = false;     ///< Like ReshardOptions::allow_lossy.
};
/// The target is a local folder: empty, absent, or with an unfinished copy of the same source, which is completed; or a
/// new archive, which is finished.
int CopyStore(const std::shared_ptr<Store>& source, const std::shared_ptr<Store>& target, const CopyOptions& options,
              std::ostream& out, Progress* progress);

struct StackOptions {
  std::string along;               ///< The dimension along which files follow each other.
  std::vector<std::string> files;  ///< In their order.
  std::string output;              ///< The references: JSON, or Parquet if the name ends in .parq or .parquet.
};

/// A chunk that a user chooses.
struct ChunkChoice {
  std::string path;       ///< The path of the array.
  Shape index;            ///< In the grid of inner chunks (or of chunks, if these are not shards).
  bool is_shard = false;  ///< True if the index refers to a shard.
};
struct StatOptions {
  ChunkChoice chunk;
  bool json = false;
};
int PrintChunkStat(const std::shared_ptr<Store>& store, const StatOptions& options, std::ostream& out);
struct CatOptions {
  enum class Form {
    kValues,  ///< The decoded elements inside the array, in C order and the byte order of this machine.
    kText,
    kRaw,  ///< The stored bytes.
  };
  ChunkChoice chunk;
  Form form = Form::kValues;
};
int PrintChunk(const std::shared_ptr<Store>& store, const CatOptions& options, std::ostream& out);

}  // namespace zarr::tools
