#include "zarrlib/tools/zarrkit.h"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <optional>
#include <ostream>
#include <string_view>

#include "zarrlib/store/filesystem_store.h"

namespace zarr::tools {
namespace {

constexpr std::string_view kHelp = R"(Looks at Zarr stores in local folders, and takes their metadata to newer formats.

Usage:
  zarrkit info STORE [--json]
      The groups and arrays, with shapes, data types, chunks and codecs.
  zarrkit check STORE
      Reads all metadata and decodes every chunk that is stored. One line for each error; the exit code is 1 if there
      is any.
  zarrkit migrate STORE --to v2|v3 [--dry-run] [--delete-old]
      Writes metadata of that format next to the old ones. No chunk is touched. If anything has no equal in the new
      format, says what, and writes nothing.
        --dry-run      only says what would be written
        --delete-old   removes the old metadata afterwards; with them there, the migration can be taken back by removing
                       the new ones
  zarrkit reshard STORE --array PATH --chunks N,N,... [--shards N,N,...]
      Rewrites an array with other chunks, in shards if their edges are given (v3 only). The array is written anew next to
      the old one, as PATH.resharded, and takes its place at the end.
  zarrkit --help

Exit codes: 0 success, 1 failure, 2 wrong arguments.
)";

/// Wrong arguments: the message.
struct UsageError {
  std::string message;
};

/// A subcommand's arguments, taken one by one; what is left over is wrong.
class Arguments {
 public:
  explicit Arguments(std::vector<std::string> all) : all_(std::move(all)) {}

  bool TakeFlag(std::string_view name) {
    const auto found = std::find(all_.begin(), all_.end(), name);
    if (found == all_.end()) return false;
    all_.erase(found);
    return true;
  }

  /// "--name value" or "--name=value".
  std::optional<std::string> TakeOption(const std::string& name) {
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

  /// The one argument that is no option, which must be all that is left.
  std::string TakeStore() {
    for (const std::string& argument : all_) {
      if (argument.starts_with("-") && argument != "-") throw UsageError{"unknown option " + argument};
    }
    if (all_.empty()) throw UsageError{"which store?"};
    if (all_.size() > 1) throw UsageError{"expected one store, got " + all_[0] + " and " + all_[1]};
    return all_[0];
  }

 private:
  std::vector<std::string> all_;
};

std::shared_ptr<Store> OpenStore(const std::string& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) throw Error(ErrorKind::kNotFound, path, "", "", "there is no such folder");
  if (!S_ISDIR(status.st_mode)) throw Error(ErrorKind::kNotFound, path, "", "", "this is no folder");
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
  const std::string path = arguments.TakeStore();
  if (!format) throw UsageError{"--to v2 or --to v3 is needed"};
  options.format = FormatNumber(*format);
  return MigrateStore(OpenStore(path), options, out, err);
}

/// "256,256".
Shape ParseEdges(const std::string& option, const std::string& text) {
  Shape edges;
  const char* p = text.data();
  const char* const end = p + text.size();
  while (edges.size() < kMaxRank) {
    std::uint64_t edge = 0;
    const auto parsed = std::from_chars(p, end, edge);
    if (parsed.ec != std::errc()) break;
    edges.push_back(edge);
    if (parsed.ptr == end) return edges;
    if (*parsed.ptr != ',') break;
    p = parsed.ptr + 1;
  }
  throw UsageError{option + ": expected numbers with commas between them, got " + text};
}

int RunReshard(Arguments arguments, std::ostream& out) {
  ReshardOptions options;
  const auto array = arguments.TakeOption("--array");
  const auto chunks = arguments.TakeOption("--chunks");
  const auto shards = arguments.TakeOption("--shards");
  const std::string path = arguments.TakeStore();
  if (!array) throw UsageError{"--array is needed"};
  if (!chunks) throw UsageError{"--chunks is needed"};
  options.path = *array;
  options.chunks = ParseEdges("--chunks", *chunks);
  if (shards) options.shards = ParseEdges("--shards", *shards);
  return ReshardArray(OpenStore(path), options, out);
}

int Dispatch(const std::vector<std::string>& all, std::ostream& out, std::ostream& err) {
  const auto wants_help = [](const std::string& argument) { return argument == "--help" || argument == "-h"; };
  if (std::any_of(all.begin(), all.end(), wants_help)) {
    out << kHelp;
    return kSuccess;
  }
  if (all.empty()) throw UsageError{"what shall be done?"};
  Arguments arguments({all.begin() + 1, all.end()});
  if (all[0] == "info") {
    const bool json = arguments.TakeFlag("--json");
    return PrintInfo(OpenStore(arguments.TakeStore()), json, out);
  }
  if (all[0] == "check") return CheckStore(OpenStore(arguments.TakeStore()), out, err);
  if (all[0] == "migrate") return RunMigrate(std::move(arguments), out, err);
  if (all[0] == "reshard") return RunReshard(std::move(arguments), out);
  throw UsageError{"unknown command " + all[0]};
}

}  // namespace

int RunZarrkit(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err) {
  try {
    return Dispatch(arguments, out, err);
  } catch (const UsageError& error) {
    err << "zarrkit: " << error.message << "\nTry zarrkit --help.\n";
    return kUsage;
  } catch (const std::exception& error) {
    err << "zarrkit: " << error.what() << "\n";
    return kFailure;
  }
}

}  // namespace zarr::tools
