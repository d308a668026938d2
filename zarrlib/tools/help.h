// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace zarr::tools {

/// What `zarrkit --help` prints. The manual page and the completion of bash are made from it.
extern const std::string_view kHelp;

}  // namespace zarr::tools
