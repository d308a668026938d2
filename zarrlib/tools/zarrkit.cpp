// SPDX-License-Identifier: MIT
#include "zarrlib/tools/zarrkit.h"

#include <algorithm>
#include <charconv>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <ostream>
#include <string_view>
#include <system_error>

#include "zarrlib/store/filesystem_store.h"
#include "zarrlib/tools/interrupt.h"

namespace zarr::tools {
namespace {

constexpr std::string_view kHelp =
    R"(Looks at Zarr stores in local folders, takes their metadata to newer formats, plans the work of many writers, and
explains what reading costs.

Usage:
  zarrkit info STORE [--sizes] [--json]
      The groups and arrays, with shapes, data types, chunks and codecs.
        --sizes   also how many chunks are stored, their bytes as stored and decoded, and the ratio
        --json    an object, with all attributes
  zarrkit check STORE [--remove-temporary]
      Reads all metadata and decodes every chunk that is stored. One line for each finding, with its key. Errors, which
      give readers wrong values or none: documents and chunks that cannot be read; an array and a group in one folder;
      metadata of several formats, or consolidated ones, that do not agree; coordinates of another length than the data;
      an array that an interrupted reshard has not put in its place. Warnings: nodes that consolidated metadata do not
      list; dimensions of one name and several lengths without coordinates; chunks outside of the grid; temporary files
      and what else of processes that were killed is left. The exit status is 1 if there is any error, and 0 otherwise.
        --remove-temporary   removes temporary files (.zarr-tmp-*) that have not been written to for an hour, and no others
  zarrkit migrate STORE --to v2|v3 [--dry-run] [--delete-old]
      Writes metadata of that format next to the old ones. No chunk is touched. If anything has no equal in the new
      format, says what, and writes nothing. STORE must be one; folders in it that have no metadata are left alone.
        --dry-run      only says what would be written
        --delete-old   removes the old metadata afterwards; with them there, the migration can be taken back by removing
                       the new ones, and nodes are not changed, since one of the two would become wrong
  zarrkit migrate STORE --to v3 --output NEW_STORE [--dry-run]
      Makes a new store of v3 of a store of the draft of v3 (2020 to 2022). The old store stays as it is. Chunks are
      copied, as they are stored, since they have other keys in v3. NEW_STORE must be an empty folder, or absent.
  zarrkit reshard STORE --array PATH --chunks N,N,... [--shards N,N,...] [--allow-lossy]
      Rewrites an array with other chunks, in shards if their edges are given (v3 only). The array is written anew in the
      folder .zarr-tmp-reshard-NAME beside it, and takes its place in one step at the end. When it is interrupted, the
      array stays as it was; if it is killed, the next reshard of the array removes or completes what was left.
      It takes memory for three new chunks (shards), which may have 1 GiB decoded, and for the old chunks being decoded,
      besides 512 MiB of cache.
        --allow-lossy  encodes values anew also with codecs that round them (quantize, bitround, zfp, ...)
  zarrkit plan STORE --array PATH [--region START:STOP,...] [--json]
      The units of an array that processes can write without touching what others write: its shards, else its chunks.
      One line for each, with START:STOP of its elements along each axis. Nothing is written.
        --region   only units that meet the region. Either number may be left out; negative ones count from the end. A
                   unit that is partly in the region is cut to it, and marked as partial: writing it reads it back
        --json     an object with a list of units, each with start and count
  zarrkit finish STORE [--array PATH [--region START:STOP,...]] [--no-consolidate] [--json]
      Makes the consolidated metadata of the store, when the processes have ended, and prints the units of which nothing
      is stored, in the form of plan: of one array, or of all that have dimensions. The exit status is 3 if any are.
      Units that hold nothing but the fill value are missing too, unless their writer stores empty chunks.
        --no-consolidate   writes nothing
  zarrkit explain STORE --array PATH [--window COLUMN,ROW,WIDTH,HEIGHT | --region START:STOP,...] [--json]
      How a read becomes requests, if the store were on the web: the chunks and shards that it meets, the least number of
      requests, the bytes that are stored and decoded, the share of the decoded values that is used, and what would be
      better. Sizes and the indices of shards are looked at; no chunk is decoded.
        --window   a window of the last two axes, at the first index along the others
        --region   as for plan
  zarrkit map STORE --array PATH [--window COLUMN,ROW,WIDTH,HEIGHT | --region START:STOP,...] OUT.svg
      Draws the chunk grid of the last two axes, at the first index along the others, over a small picture of the values:
      what is present, missing and damaged, shards and their inner chunks. Decodes each of these chunks. The exit status
      is 1 if one is damaged.
  zarrkit --help

Exit statuses: 0 success; 1 failure: check has found errors, or the command cannot be carried out; 2 wrong arguments;
3 finish has found that units are missing; 128 and the number of the signal, if one has interrupted a reshard.
)";

/// Thrown for wrong arguments, with the message.
struct UsageError {
  std::string message;
};

/// The arguments of a subcommand, which are taken one by one; arguments that are left over are wrong.
class Arguments {
 public:
  explicit Arguments(std::vector<std::string> all) : all_(std::move(all)) {}

  bool TakeFlag(std::string_view name) {
    const auto found = std::find(all_.begin(), all_.end(), name);
    if (found == all_.end()) return false;
    all_.erase(found);
    return true;
  }

  /// Takes "--name value" or "--name=value".
  std::optional<std::string> TakeOption(const std::string& name) {
    auto value = TakeFirst(name);
    if (value && value->empty()) throw UsageError{name + " needs a value"};
    if (value && TakeFirst(name)) throw UsageError{name + " is given twice"};
    return value;
  }

  /// Takes the one argument that is no option; it must be the only one that is left.
  std::string TakeStore() {
    CheckNoOptions();
    if (all_.empty()) throw UsageError{"expected a store, got none"};
    if (all_.size() > 1) throw UsageError{"expected one store, got " + all_[0] + " and " + all_[1]};
    return all_[0];
  }

  /// Takes the last argument, which is a file to write and no option.
  std::string TakeOutput() {
    CheckNoOptions();
    if (all_.size() < 2) throw UsageError{"expected a store and a file to write, got too few arguments"};
    std::string output = all_.back();
    all_.pop_back();
    return output;
  }

 private:
  void CheckNoOptions() const {
    for (const std::string& argument : all_) {
      if (argument.starts_with("-") && argument != "-") throw UsageError{"unknown option " + argument};
    }
  }

  std::optional<std::string> TakeFirst(const std::string& name) {
    for (auto argument = all_.begin(); argument != all_.end(); ++argument) {
      std::string value;
      if (argument->starts_with(name + "=")) {
        value = argument->substr(name.size() + 1);
        all_.erase(argument);
        return value;
      }
      if (*argument != name) continue;
      if (argument + 1 == all_.end()) throw UsageError{name + " needs a value"};
      value = argument[1];
      all_.erase(argument, argument + 2);
      return value;
    }
    return std::nullopt;
  }

  std::vector<std::string> all_;
};

std::shared_ptr<Store> OpenStore(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw Error(ErrorKind::kNotFound, path, "", "", "there is no such folder");
  if (!std::filesystem::is_directory(status)) throw Error(ErrorKind::kNotFound, path, "", "", "this is no folder");
  return std::make_shared<FilesystemStore>(path);
}

int FormatNumber(const std::string& text) {
  if (text == "v2" || text == "2") return 2;
  if (text == "v3" || text == "3") return 3;
  throw UsageError{"--to: expected v2 or v3, got " + text};
}

int RunMigrate(Arguments arguments, std::ostream& out, std::ostream& err) {
  MigrateOptions options;
  const auto format = arguments.TakeOption("--to");
  options.dry_run = arguments.TakeFlag("--dry-run");
  options.delete_old = arguments.TakeFlag("--delete-old");
  options.output = arguments.TakeOption("--output");
  const std::string path = arguments.TakeStore();
  if (!format) throw UsageError{"--to v2 or --to v3 is needed"};
  options.format = FormatNumber(*format);
  if (options.output && options.delete_old)
    throw UsageError{"--delete-old: with --output, the old store stays as it is"};
  if (options.output && options.format != 3) throw UsageError{"--output needs --to v3"};
  return MigrateStore(OpenStore(path), options, out, err);
}

/// Parses edges such as "256,256".
Shape ParseEdges(const std::string& option, const std::string& text) {
  const auto fail = [&](const std::string& expected) {
    throw UsageError{option + ": expected " + expected + ", got " + text};
  };
  Shape edges;
  const char* p = text.data();
  const char* const end = p + text.size();
  while (edges.size() < kMaxRank) {
    std::uint64_t edge = 0;
    const auto parsed = std::from_chars(p, end, edge);
    if (parsed.ec == std::errc::result_out_of_range) fail("edges below 2^64");
    if (parsed.ec != std::errc()) break;
    if (edge == 0) fail("edges of at least 1");
    edges.push_back(edge);
    if (parsed.ptr == end) return edges;
    if (*parsed.ptr != ',') break;
    p = parsed.ptr + 1;
  }
  fail("numbers with commas between them");
  return edges;
}

/// Parses the path of an array, "a/b" or "/a/b".
std::string ParsePath(const std::string& text) {
  const std::size_t first = text.find_first_not_of('/');
  if (first == std::string::npos) return "";
  std::string path = text.substr(first, text.find_last_not_of('/') + 1 - first);
  if (!IsKey(path)) throw UsageError{"--array: expected the path of an array in the store, got " + text};
  return path;
}

int RunReshard(Arguments arguments, std::ostream& out) {
  ReshardOptions options;
  const auto array = arguments.TakeOption("--array");
  const auto chunks = arguments.TakeOption("--chunks");
  const auto shards = arguments.TakeOption("--shards");
  options.allow_lossy = arguments.TakeFlag("--allow-lossy");
  const std::string path = arguments.TakeStore();
  if (!array) throw UsageError{"--array is needed"};
  if (!chunks) throw UsageError{"--chunks is needed"};
  options.path = ParsePath(*array);
  options.chunks = ParseEdges("--chunks", *chunks);
  if (shards) options.shards = ParseEdges("--shards", *shards);
  return ReshardArray(OpenStore(path), options, out);
}

/// Takes --region, and checks that an array is named with it.
std::optional<std::string> TakeRegion(Arguments* arguments, bool has_array) {
  auto region = arguments->TakeOption("--region");
  if (region && !has_array) throw UsageError{"--region needs --array"};
  return region;
}

int RunPlan(Arguments arguments, std::ostream& out) {
  PlanOptions options;
  const auto array = arguments.TakeOption("--array");
  options.region = TakeRegion(&arguments, array.has_value());
  options.json = arguments.TakeFlag("--json");
  const std::string path = arguments.TakeStore();
  if (!array) throw UsageError{"--array is needed"};
  options.path = ParsePath(*array);
  return PrintPlan(OpenStore(path), options, out);
}

int RunExplain(Arguments arguments, std::ostream& out) {
  ExplainOptions options;
  const auto array = arguments.TakeOption("--array");
  options.window = arguments.TakeOption("--window");
  options.region = arguments.TakeOption("--region");
  options.json = arguments.TakeFlag("--json");
  const std::string path = arguments.TakeStore();
  if (!array) throw UsageError{"--array is needed"};
  if (options.window && options.region) throw UsageError{"--window and --region exclude each other"};
  options.path = ParsePath(*array);
  return ExplainRead(OpenStore(path), options, out);
}

int RunMap(Arguments arguments, std::ostream& out) {
  MapOptions options;
  const auto array = arguments.TakeOption("--array");
  options.window = arguments.TakeOption("--window");
  options.region = arguments.TakeOption("--region");
  options.output = arguments.TakeOutput();
  const std::string path = arguments.TakeStore();
  if (!array) throw UsageError{"--array is needed"};
  if (options.window && options.region) throw UsageError{"--window and --region exclude each other"};
  options.path = ParsePath(*array);
  return DrawMap(OpenStore(path), options, out);
}

int RunFinish(Arguments arguments, std::ostream& out) {
  FinishOptions options;
  const auto array = arguments.TakeOption("--array");
  options.region = TakeRegion(&arguments, array.has_value());
  options.consolidate = !arguments.TakeFlag("--no-consolidate");
  options.json = arguments.TakeFlag("--json");
  const std::string path = arguments.TakeStore();
  if (array) options.path = ParsePath(*array);
  return FinishStore(OpenStore(path), options, out);
}

int RunCheck(Arguments arguments, std::ostream& out, std::ostream& err) {
  CheckOptions options;
  options.remove_temporary = arguments.TakeFlag("--remove-temporary");
  return CheckStore(OpenStore(arguments.TakeStore()), options, out, err);
}

int Dispatch(const std::vector<std::string>& all, std::ostream& out, std::ostream& err) {
  const auto wants_help = [](const std::string& argument) { return argument == "--help" || argument == "-h"; };
  if (std::any_of(all.begin(), all.end(), wants_help)) {
    out << kHelp;
    return kSuccess;
  }
  if (all.empty()) throw UsageError{"expected a command, got none"};
  Arguments arguments({all.begin() + 1, all.end()});
  if (all[0] == "info") {
    const InfoOptions options{arguments.TakeFlag("--json"), arguments.TakeFlag("--sizes")};
    return PrintInfo(OpenStore(arguments.TakeStore()), options, out);
  }
  if (all[0] == "check") return RunCheck(std::move(arguments), out, err);
  if (all[0] == "migrate") return RunMigrate(std::move(arguments), out, err);
  if (all[0] == "reshard") return RunReshard(std::move(arguments), out);
  if (all[0] == "plan") return RunPlan(std::move(arguments), out);
  if (all[0] == "explain") return RunExplain(std::move(arguments), out);
  if (all[0] == "map") return RunMap(std::move(arguments), out);
  if (all[0] == "finish") return RunFinish(std::move(arguments), out);
  throw UsageError{"unknown command " + all[0]};
}

}  // namespace

int RunZarrkit(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err) {
  try {
    return Dispatch(arguments, out, err);
  } catch (const UsageError& error) {
    err << "zarrkit: " << error.message << "\nTry zarrkit --help.\n";
    return kUsage;
  } catch (const Interrupted& interrupted) {
    err << "zarrkit: interrupted; the array is as it was\n";
    return 128 + interrupted.signal;
  } catch (const std::bad_alloc&) {
    err << "zarrkit: there is not enough memory\n";
    return kFailure;
  } catch (const std::exception& error) {
    err << "zarrkit: " << error.what() << "\n";
    return kFailure;
  }
}

}  // namespace zarr::tools
