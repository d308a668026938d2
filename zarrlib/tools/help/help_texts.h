// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace zarr::tools {

/// The help of a command.
struct CommandHelp {
  std::string_view name;
  std::string_view summary;  ///< Printed in one line with the name.
  /// Its forms, each after two spaces, and below them its description and options, after six or more.
  std::string_view usage;
  std::string_view example;
};

inline constexpr std::size_t kCommandCount = 16;
extern const CommandHelp kCommandHelps[kCommandCount];

extern const std::string_view kHelpBegin;  ///< The beginning of the whole help, before the commands.
extern const std::string_view kHelpEnd;    ///< The end of the whole help, after the commands.

}  // namespace zarr::tools
