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
  kFailure = 1,  ///< `check` found errors, `migrate` refused, or the store cannot be read.
  kUsage = 2,    ///< The arguments make no sense.
  kMissing = 3,  ///< `finish` has found units of which nothing is stored.
  // If a signal interrupts `reshard`, the exit code is 128 plus its number, as in shells.
};

/// Prints the version, and the codecs of this build.
void PrintVersion(std::ostream& out);

// The subcommands. They return the exit code, and throw Error for a store that cannot be read. `progress` must not be
// null; it shows how long work goes on.
struct InfoOptions {
  std::string path;  ///< The node that is looked at, with those below it.
  bool json = false;
  bool sizes = false;       ///< Whether the sizes of all chunks are looked at.
  bool attributes = false;  ///< Whether attributes are printed; as JSON, they always are.
};
int PrintInfo(const std::shared_ptr<Store>& store, const InfoOptions& options, std::ostream& out, Progress* progress);
struct CheckOptions {
  std::string path;  ///< The node that is checked, with those below it.
  bool json = false;
  bool conventions = false;       ///< Whether attributes are checked against CF and GeoZarr.
  bool repair = false;            ///< Whether repairs are made that cannot lose anything.
  bool remove_temporary = false;  ///< Whether temporary files are removed whose writers ended long ago.
};
int CheckStore(const std::shared_ptr<Store>& store, const CheckOptions& options, std::ostream& out, Progress* progress);
struct MigrateOptions {
  int format = 3;
  bool dry_run = false;
  bool delete_old = false;
  /// The folder of the new store; only for a store of the draft of v3, which needs one.
  std::optional<std::string> output;
};
/// Removes the metadata that a migration has written beside the old ones.
int UndoStoreMigration(const std::shared_ptr<Store>& store, bool dry_run, std::ostream& out);
struct ReshardOptions {
  std::string path;  ///< The path of the array.
  Shape chunks;
  std::optional<Shape> shards;
  bool allow_lossy = false;  ///< Whether values that lossy codecs have rounded may be encoded again.
};
int ReshardArray(const std::shared_ptr<Store>& store, const ReshardOptions& options, std::ostream& out,
                 Progress* progress);
int MigrateStore(const std::shared_ptr<Store>& store, const MigrateOptions& options, std::ostream& out,
                 std::ostream& err, Progress* progress);

struct PlanOptions {
  std::string path;                   ///< The path of the array.
  std::optional<std::string> region;  ///< Such as "0:256,:"; the whole array without it.
  bool json = false;
};
int PrintPlan(const std::shared_ptr<Store>& store, const PlanOptions& options, std::ostream& out);
struct FinishOptions {
  std::optional<std::string> path;    ///< All arrays that have dimensions without it.
  std::optional<std::string> region;  ///< As of PlanOptions; only with a path.
  bool consolidate = true;            ///< Whether consolidated metadata are made; else nothing is written.
  bool json = false;
};
int FinishStore(const std::shared_ptr<Store>& store, const FinishOptions& options, std::ostream& out);

struct ExplainOptions {
  std::string path;                   ///< The path of the array.
  std::optional<std::string> window;  ///< Such as "512,0,256,256".
  std::optional<std::string> region;  ///< As of PlanOptions; not with a window.
  bool json = false;
};
int ExplainRead(const std::shared_ptr<Store>& store, const ExplainOptions& options, std::ostream& out);

struct MapOptions {
  std::string path;                   ///< The path of the array.
  std::string output;                 ///< The SVG file, as WriteOutput takes it.
  std::optional<std::string> window;  ///< As of ExplainOptions.
  std::optional<std::string> region;
};
/// Returns kFailure, too, if a chunk is damaged.
int DrawMap(const std::shared_ptr<Store>& store, const MapOptions& options, std::ostream& out, Progress* progress);

/// What a copy of an array gets; what is not given stays as it is.
struct CopyChange {
  std::optional<Shape> chunks;
  std::optional<Shape> shards;
  std::string compress;  ///< Such as "zstd:5" or "none"; empty if it stays as it is.
};
/// A change for the arrays whose paths match a pattern.
struct CopyRule {
  std::string pattern;
  CopyChange change;
};
struct CopyOptions {
  std::vector<CopyRule> rules;  ///< The first one that matches an array counts.
  CopyChange all;               ///< For arrays that no rule matches; chunks if they have as many dimensions.
  bool allow_lossy = false;     ///< As of ReshardOptions.
};
/// The target is a local folder: empty, absent, or with an unfinished copy of the same source, which is completed; or a
/// new archive, which is finished.
int CopyStore(const std::shared_ptr<Store>& source, const std::shared_ptr<Store>& target, const CopyOptions& options,
              std::ostream& out, Progress* progress);

/// A chunk that a user chooses.
struct ChunkChoice {
  std::string path;       ///< The path of the array.
  Shape index;            ///< In the grid of inner chunks (or of chunks, where these are no shards).
  bool is_shard = false;  ///< Whether the index is one of a shard.
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
    kRaw,  ///< The bytes as they are stored.
  };
  ChunkChoice chunk;
  Form form = Form::kValues;
};
int PrintChunk(const std::shared_ptr<Store>& store, const CatOptions& options, std::ostream& out);

}  // namespace zarr::tools
