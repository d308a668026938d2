// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

namespace zarr::tools {

/// Whether a name that a user gave for an output means the output of the command itself: "-", a name such as
/// /dev/stdout, or the name of the file that standard output goes to.
bool IsStandardOutput(const std::string& path);

/// Throws for a name under which no output can be written, before there is any: UsageError for an ordinary file
/// without the suffix, Error for a folder, and for a file in no folder. Devices and pipes need no suffix.
void CheckOutput(const std::string& path, std::string_view suffix);

/// Writes an output. An ordinary file is replaced in one step. What else is there, such as a link, a pipe or a device,
/// is written to, and stays what it is. Standard output goes to `out`. Throws Error(io).
void WriteOutput(const std::string& path, const std::string& text, std::ostream& out);

}  // namespace zarr::tools
