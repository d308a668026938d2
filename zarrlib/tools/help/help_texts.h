// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace zarr::tools {

/// What the help says about a command.
struct CommandHelp {
  std::string_view name;
  std::string_view summary;  ///< In a line with the name.
  /// Its forms, after two spaces each, and below them what it does and its options, after six or more.
  std::string_view usage;
  std::string_view example;
};

inline constexpr std::size_t kCommandCount = 11;
extern const CommandHelp kCommandHelps[kCommandCount];

extern const std::string_view kHelpBegin;  ///< What stands before the commands in the whole help.
extern const std::string_view kHelpEnd;    ///< What stands behind them.

}  // namespace zarr::tools
