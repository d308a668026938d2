// SPDX-License-Identifier: MIT
#include "zarrlib/tools/zarrkit.h"

#include <algorithm>
#include <exception>
#include <initializer_list>
#include <iterator>
#include <new>
#include <optional>
#include <ostream>
#include <string_view>

#include "zarrlib/tools/arguments.h"
#include "zarrlib/tools/check/rules.h"
#include "zarrlib/tools/copy/copy_rules.h"
#include "zarrlib/tools/copy/recompress.h"
#include "zarrlib/tools/help/help.h"
#include "zarrlib/tools/interrupt.h"
#include "zarrlib/tools/names/store_places.h"
#include "zarrlib/tools/output_file.h"
#include "zarrlib/tools/repository/repository_commands.h"

namespace zarr::tools {
namespace {

/// The output streams of a command, and its function for opening stores.
struct Console {
  std::ostream& out;
  std::ostream& err;
  Progress& progress;
  StoreOpener open;
  StackFunction stack;
};

int ParseFormat(const std::string& text) {
  if (text == "v2" || text == "2") return 2;
  if (text == "v3" || text == "3") return 3;
  throw UsageError{"--to: expected v2 or v3, got " + text};
}

int RunInfo(Arguments arguments, const Console& console) {
  InfoOptions options;
  options.path = arguments.TakePath().value_or("");
  options.json = arguments.TakeFlag("--json");
  options.sizes = arguments.TakeFlag("--sizes");
  options.attributes = arguments.TakeFlag("--attributes");
  return PrintInfo(console.open(arguments.TakeStore()), options, console.out, &console.progress);
}

int RunCheck(Arguments arguments, const Console& console) {
  CheckOptions options;
  options.json = arguments.TakeFlag("--json");
  if (arguments.TakeFlag("--rules")) {
    arguments.TakeNothing();
    PrintRules(options.json, console.out);
    return kSuccess;
  }
  options.path = arguments.TakePath().value_or("");
  options.conventions = arguments.TakeFlag("--conventions");
  options.repair = arguments.TakeFlag("--repair");
  options.remove_temporary = arguments.TakeFlag("--remove-temporary");
  if (!options.path.empty() && (options.repair || options.remove_temporary)) {
    throw UsageError{"--array: --repair and --remove-temporary are for whole stores"};
  }
  return CheckStore(console.open(arguments.TakeStore()), options, console.out, &console.progress);
}

/// Throws Error(unsupported) for a folder in a larger store: its nodes must all have one format.
void CheckIsNoPart(const std::string& store) {
  const auto above = FindLocalStoreAbove(store);
  if (!above) return;
  throw Error(ErrorKind::kUnsupported, store, "", "",
              "this is /" + above->node + " of the store " + above->folder + ", which is migrated as a whole");
}

int RunMigrate(Arguments arguments, const Console& console) {
  MigrateOptions options;
  const auto format = arguments.TakeOption("--to");
  options.dry_run = arguments.TakeFlag("--dry-run");
  options.delete_old = arguments.TakeFlag("--delete-old");
  options.output = arguments.TakeOption("--output");
  const bool is_undo = arguments.TakeFlag("--undo");
  const std::string path = arguments.TakeStore();
  if (!options.output) CheckIsNoPart(path);
  if (is_undo) {
    if (format || options.delete_old || options.output) throw UsageError{"--undo: only --dry-run goes with it"};
    return UndoStoreMigration(console.open(path), options.dry_run, console.out);
  }
  if (!format) throw UsageError{"--to v2 or --to v3 is needed"};
  options.format = ParseFormat(*format);
  if (options.output && options.delete_old)
    throw UsageError{"--delete-old: with --output, the old store stays as it is"};
  if (options.output && options.format != 3) throw UsageError{"--output needs --to v3"};
  return MigrateStore(console.open(path), options, console.out, console.err, &console.progress);
}

int RunReshard(Arguments arguments, const Console& console) {
  ReshardOptions options;
  options.path = arguments.TakeArray();
  const auto chunks = arguments.TakeNumbers("--chunks", 1);
  options.shards = arguments.TakeNumbers("--shards", 1);
  options.allow_lossy = arguments.TakeFlag("--allow-lossy");
  std::string path = arguments.TakeStore();
  if (!chunks) throw UsageError{"--chunks is needed"};
  options.chunks = *chunks;
  // The consolidated metadata of a larger store change with the array.
  if (auto above = FindLocalStoreAbove(path)) {
    path = std::move(above->folder);
    options.path = options.path.empty() ? above->node : JoinKey(above->node, options.path);
  }
  return ReshardArray(console.open(path), options, console.out, &console.progress);
}

int RunPlan(Arguments arguments, const Console& console) {
  PlanOptions options;
  options.path = arguments.TakeArray();
  options.region = arguments.TakeOption("--region");
  options.json = arguments.TakeFlag("--json");
  const bool overviews = arguments.TakeFlag("--overviews");
  if (overviews && options.region) throw UsageError{"--overviews and --region exclude each other"};
  const auto store = console.open(arguments.TakeStore());
  return overviews ? PrintOverviewPlan(store, options, console.out) : PrintPlan(store, options, console.out);
}

/// Consumes --window or --region.
void TakePlace(Arguments* arguments, std::optional<std::string>* window, std::optional<std::string>* region) {
  *window = arguments->TakeOption("--window");
  *region = arguments->TakeOption("--region");
  if (*window && *region) throw UsageError{"--window and --region exclude each other"};
}

int RunExplain(Arguments arguments, const Console& console) {
  ExplainOptions options;
  options.path = arguments.TakeArray();
  TakePlace(&arguments, &options.window, &options.region);
  options.json = arguments.TakeFlag("--json");
  return ExplainRead(console.open(arguments.TakeStore()), options, console.out);
}

int RunMap(Arguments arguments, const Console& console) {
  MapOptions options;
  options.path = arguments.TakeArray();
  TakePlace(&arguments, &options.window, &options.region);
  options.output = arguments.TakeOutput("a file to write");
  const std::string store = arguments.TakeStore();
  CheckOutput(options.output, ".svg");
  return DrawMap(console.open(store), options, console.out, &console.progress);
}

int RunFinish(Arguments arguments, const Console& console) {
  FinishOptions options;
  options.path = arguments.TakePath();
  options.region = arguments.TakeOption("--region");
  options.consolidate = !arguments.TakeFlag("--no-consolidate");
  options.json = arguments.TakeFlag("--json");
  options.overviews = arguments.TakeFlag("--overviews");
  if (options.region && !options.path) throw UsageError{"--region needs --array"};
  if (options.overviews && !options.path) throw UsageError{"--overviews needs --array"};
  return FinishStore(console.open(arguments.TakeStore()), options, console.out);
}

/// Consumes --array with --chunk or --shard. An array without axes has one chunk, which does not need an index.
ChunkChoice TakeChunk(Arguments* arguments) {
  ChunkChoice choice;
  choice.path = arguments->TakeArray();
  const auto chunk = arguments->TakeNumbers("--chunk", 0);
  const auto shard = arguments->TakeNumbers("--shard", 0);
  if (chunk && shard) throw UsageError{"--chunk and --shard exclude each other"};
  choice.is_shard = shard.has_value();
  choice.index = shard.value_or(chunk.value_or(Shape()));
  return choice;
}

int RunStat(Arguments arguments, const Console& console) {
  StatOptions options;
  options.chunk = TakeChunk(&arguments);
  options.json = arguments.TakeFlag("--json");
  return PrintChunkStat(console.open(arguments.TakeStore()), options, console.out);
}

int RunCat(Arguments arguments, const Console& console) {
  CatOptions options;
  options.chunk = TakeChunk(&arguments);
  const bool is_raw = arguments.TakeFlag("--raw");
  const bool is_text = arguments.TakeFlag("--text");
  if (is_raw && is_text) throw UsageError{"--raw and --text exclude each other"};
  if (is_raw) options.form = CatOptions::Form::kRaw;
  if (is_text) options.form = CatOptions::Form::kText;
  return PrintChunk(console.open(arguments.TakeStore()), options, console.out);
}

int RunCopy(Arguments arguments, const Console& console) {
  CopyOptions options;
  try {
    for (const std::string& rule : arguments.TakeOptions("--array")) options.rules.push_back(ParseCopyRule(rule));
    options.all.compress = arguments.TakeOption("--compress").value_or("");
    if (!options.all.compress.empty()) CheckCompressor(options.all.compress);
  } catch (const Error& error) {
    throw UsageError{error.message()};
  }
  options.all.chunks = arguments.TakeNumbers("--chunks", 1);
  options.all.shards = arguments.TakeNumbers("--shards", 1);
  options.allow_lossy = arguments.TakeFlag("--allow-lossy");
  const std::string target = arguments.TakeOutput("the folder of the new one");
  const auto source = console.open(arguments.TakeStore());
  return CopyStore(source, OpenNewStore(target), options, console.out, &console.progress);
}

int RunStack(Arguments arguments, const Console& console) {
  StackOptions options;
  options.along = arguments.TakeOption("--along").value_or("");
  options.output = arguments.TakeOption("-o").value_or("");
  if (options.along.empty()) throw UsageError{"--along is needed, with the name of a dimension"};
  if (options.output.empty()) throw UsageError{"-o is needed, with the file or folder of the references"};
  options.files = arguments.TakeFiles();
  if (console.stack) return console.stack(options, console.err, &console.progress);
  throw Error(ErrorKind::kUnsupported,
              "stack needs zarrkit-gdal, which comes with the GDAL plugin, and is not beside zarrkit or in ../libexec");
}

int RunCommits(Arguments arguments, const Console& console) {
  return RunLog(std::move(arguments), console.out);
}

int RunBranch(Arguments arguments, const Console& console) {
  return RunRefs(std::move(arguments), false, console.out);
}

int RunTag(Arguments arguments, const Console& console) {
  return RunRefs(std::move(arguments), true, console.out);
}

int RunGarbage(Arguments arguments, const Console& console) {
  return RunGc(std::move(arguments), console.out);
}

struct Command {
  std::string_view name;
  int (*run)(Arguments arguments, const Console& console);
};

constexpr Command kCommands[] = {
    {"info", RunInfo},   {"check", RunCheck},   {"migrate", RunMigrate}, {"reshard", RunReshard},
    {"plan", RunPlan},   {"finish", RunFinish}, {"explain", RunExplain}, {"map", RunMap},
    {"stat", RunStat},   {"cat", RunCat},       {"copy", RunCopy},       {"stack", RunStack},
    {"log", RunCommits}, {"branch", RunBranch}, {"tag", RunTag},         {"gc", RunGarbage},
};

const Command* FindCommand(std::string_view name) {
  const auto found = std::ranges::find(kCommands, name, &Command::name);
  return found == std::end(kCommands) ? nullptr : found;
}

[[noreturn]] void FailUnknown(const std::string& command) {
  const std::vector<std::string> names = ListCommands();
  std::string message = "unknown command " + command + SuggestName(names, command);
  if (!message.ends_with("?")) {
    message += "; expected one of";
    for (const std::string& name : names) message += " " + name;
  }
  throw UsageError{message};
}

int RunHelp(const std::vector<std::string>& commands, const Console& console) {
  if (commands.size() > 1) throw UsageError{"expected one command, got " + commands[0] + " and " + commands[1]};
  if (commands.empty()) {
    PrintHelp(console.out);
  } else if (!PrintHelpOf(commands[0], console.out)) {
    FailUnknown(commands[0]);
  }
  return kSuccess;
}

bool IsOneOf(std::string_view argument, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, argument) != names.end();
}

bool AsksForHelp(std::string_view argument) {
  return IsOneOf(argument, {"--help", "-h"});
}

int Dispatch(std::vector<std::string> all, const Console& console) {
  const auto end = std::ranges::find(all, "--");
  all.erase(std::remove(all.begin(), end, "--quiet"), end);
  if (all.empty()) {
    console.err << "zarrkit: expected a command, got none\n";
    PrintOverview(console.err);
    return kUsage;
  }
  const std::string name = all[0];
  all.erase(all.begin());
  if (name == "help" || AsksForHelp(name)) {
    std::erase_if(all, AsksForHelp);
    return RunHelp(all, console);
  }
  if (IsOneOf(name, {"version", "--version", "-V", "-v"})) {
    PrintVersion(console.out);
    return kSuccess;
  }
  const Command* const command = FindCommand(name);
  if (command == nullptr) FailUnknown(name);
  if (std::any_of(all.begin(), std::ranges::find(all, "--"), AsksForHelp)) return RunHelp({name}, console);
  return command->run(Arguments(std::move(all)), console);
}

/// Returns the name of the command among the arguments, followed by a space; "" if there is none.
std::string FindNamedCommand(const std::vector<std::string>& arguments) {
  const auto is_command = [](const std::string& argument) { return argument != "--quiet"; };
  const auto name = std::ranges::find_if(arguments, is_command);
  return name == arguments.end() || FindCommand(*name) == nullptr ? "" : *name + " ";
}

}  // namespace

int RunZarrkit(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err,
               std::size_t terminal_width, const Extensions& extensions) {
  const bool is_quiet = std::find(arguments.begin(), arguments.end(), "--quiet") != arguments.end();
  Progress progress(err, is_quiet ? 0 : terminal_width);
  const auto fail = [&](int code, const auto&... text) {
    progress.Clear();
    ((err << "zarrkit: ") << ... << text) << "\n";
    return code;
  };
  try {
    const auto open_named = [&](const std::string& name) {
      const std::string store = ParseStoreName(name);
      return extensions.open ? extensions.open(store) : OpenStore(store);
    };
    const int code = Dispatch(arguments, {out, err, progress, open_named, extensions.stack});
    // A result that was not fully written is a failure, whatever the command has found.
    if (!out.flush()) throw Error(ErrorKind::kIo, "the output cannot be written");
    return code;
  } catch (const UsageError& error) {
    return fail(kUsage, error.message, "\nTry zarrkit ", FindNamedCommand(arguments), "--help.");
  } catch (const Interrupted& interrupted) {
    return fail(128 + interrupted.signal, "interrupted; ", interrupted.state);
  } catch (const std::bad_alloc&) {
    return fail(kFailure, "there is not enough memory");
  } catch (const std::exception& error) {
    return fail(kFailure, error.what());
  }
}

}  // namespace zarr::tools
