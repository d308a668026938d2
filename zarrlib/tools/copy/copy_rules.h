// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "zarrlib/tools/commands.h"

namespace zarr::tools {

/// Parses a rule such as "temperature/* chunks=1,256,256 compress=zstd:5". Throws Error(invalid_argument).
CopyRule ParseCopyRule(const std::string& text);

/// Returns true if a path matches a pattern, in which "*" matches any string without "/", "**" any string, and "?" one
/// character other than "/". A slash at the start of the pattern is ignored.
bool MatchesPattern(std::string_view path, std::string_view pattern);

/// Returns the chunks and codecs for an array: from the first matching rule, otherwise from the options for all arrays,
/// of which chunks apply only to arrays with as many dimensions.
CopyChange FindChange(const CopyOptions& options, std::string_view path, std::size_t rank);

}  // namespace zarr::tools
