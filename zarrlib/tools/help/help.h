// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace zarr::tools {

/// Prints the help of all commands. The manual page and the bash completion are generated from it.
void PrintHelp(std::ostream& out);

/// Prints a line for each command.
void PrintOverview(std::ostream& out);

/// Prints the help of one command. Returns false if there is no such command.
bool PrintHelpOf(std::string_view command, std::ostream& out);

/// Returns the names that are valid where a command is expected.
std::vector<std::string> ListCommands();

/// Returns "; did you mean NAME?" with the name most similar to `typed`; "" if none is similar.
std::string SuggestName(const std::vector<std::string>& names, std::string_view typed);

}  // namespace zarr::tools
