// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

namespace zarr::tools {

/// Returns true if an output name given by the user means standard output: "-", a name such as /dev/stdout, or the name
/// of the file to which standard output is redirected.
bool IsStandardOutput(const std::string& path);

/// Checks an output name before any output is made. Throws UsageError for an ordinary file without the suffix, and
/// Error for a folder and for a file in a missing folder. Devices and pipes do not need a suffix.
void CheckOutput(const std::string& path, std::string_view suffix);

/// Writes an output. An ordinary file is replaced atomically. Other existing files, such as a link, a pipe or a device,
/// are written to and keep their type. Standard output goes to `out`. Throws Error(io).
void WriteOutput(const std::string& path, const std::string& text, std::ostream& out);

}  // namespace zarr::tools
