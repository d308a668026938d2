// SPDX-License-Identifier: MIT
#include "zarrlib/tools/help/help.h"

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <utility>

#include "zarrlib/hierarchy/near_names.h"
#include "zarrlib/tools/help/help_texts.h"

namespace zarr::tools {
namespace {

constexpr std::pair<std::string_view, std::string_view> kOtherCommands[] = {
    {"help", "all commands with their options, or one of them"},
    {"version", "the version, and the codecs of this build"}};

void PrintLine(std::string_view name, std::string_view summary, std::ostream& out) {
  constexpr std::size_t kColumn = 10;
  out << "  " << name << std::string(kColumn - std::min(kColumn - 1, name.size()), ' ') << summary << "\n";
}

void PrintUsage(const CommandHelp& help, std::ostream& out) {
  out << help.usage << "      Example: " << help.example << "\n";
}

/// Returns true if the common beginning and end of two names make up at least half of the longer one.
bool IsNear(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  const auto begin = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  std::size_t end = 0;
  while (end < a.size() - begin && a[a.size() - 1 - end] == b[b.size() - 1 - end]) ++end;
  return 2 * (begin + end) >= b.size();
}

}  // namespace

void PrintHelp(std::ostream& out) {
  out << kHelpBegin << "\nUsage:\n";
  for (const CommandHelp& help : kCommandHelps) PrintUsage(help, out);
  out << "  zarrkit help [COMMAND]\n"
         "  zarrkit COMMAND --help\n"
         "      This text, or what it says about one command.\n"
         "  zarrkit version\n"
         "  zarrkit --version\n"
         "      The version, and the codecs of this build.\n\n"
      << kHelpEnd;
}

void PrintOverview(std::ostream& out) {
  out << "Usage: zarrkit COMMAND ...\n\n";
  for (const CommandHelp& help : kCommandHelps) PrintLine(help.name, help.summary, out);
  for (const auto& [name, summary] : kOtherCommands) PrintLine(name, summary, out);
  out << "\nzarrkit help COMMAND tells more about one of them, and zarrkit --help about all.\n";
}

bool PrintHelpOf(std::string_view command, std::ostream& out) {
  const auto help = std::ranges::find(kCommandHelps, command, &CommandHelp::name);
  if (help == std::end(kCommandHelps)) return false;
  out << "zarrkit " << help->name << ": " << help->summary << "\n\nUsage:\n";
  PrintUsage(*help, out);
  out << "\nzarrkit --help tells what a STORE can be, and what the exit statuses are.\n";
  return true;
}

std::vector<std::string> ListCommands() {
  std::vector<std::string> names;
  for (const CommandHelp& help : kCommandHelps) names.emplace_back(help.name);
  for (const auto& [name, summary] : kOtherCommands) names.emplace_back(name);
  return names;
}

std::string SuggestName(const std::vector<std::string>& names, std::string_view typed) {
  for (const std::string& name : ChooseNearNames(names, typed)) {
    if (IsNear(name, typed)) return "; did you mean " + name + "?";
  }
  return "";
}

}  // namespace zarr::tools
