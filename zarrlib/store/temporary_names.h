// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "zarrlib/store/store.h"

/// The names of files that are not complete, or that are needed only for a while. Users' files may begin like them, and
/// are none of this library's: only names that it makes are recognised.
namespace zarr {

/// The names of archives that are not complete start with this prefix (LocalArchiveFile).
inline constexpr std::string_view kArchivePrefix = ".zarr-tmp-archive-";

/// Whether a name is the prefix and then what `MakeTemporaryName` puts after its own prefix.
bool IsMadeName(std::string_view name, std::string_view prefix);
/// Whether a name is that of a temporary file, which is of no use once nobody writes it.
bool IsOwnTemporaryName(std::string_view name);
/// Whether a name is that of a record of a removal.
bool IsOwnRemovalName(std::string_view name);

}  // namespace zarr
