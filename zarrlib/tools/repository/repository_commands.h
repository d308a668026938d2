// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

#include "zarrlib/tools/arguments.h"

/// The subcommands for Icechunk repositories in local folders. They return the exit code. They throw UsageError, and
/// Error for a folder that is not a repository, and for a failure.
namespace zarr::tools {

/// Prints the commits of a branch, the last one first.
int RunLog(Arguments arguments, std::ostream& out);
/// Lists, makes or deletes branches, or tags.
int RunRefs(Arguments arguments, bool is_tag, std::ostream& out);
/// Removes objects that nothing refers to.
int RunGc(Arguments arguments, std::ostream& out);

}  // namespace zarr::tools
