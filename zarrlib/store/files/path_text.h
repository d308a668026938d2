// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

/// Paths of std::filesystem from text and back. Inside the project, text is UTF-8; on Windows, the conversions of
/// std::filesystem::path itself may use another encoding. Thread-safe.
namespace zarr {

inline std::filesystem::path ToPath(std::string_view text) {
  return std::u8string(text.begin(), text.end());
}

/// The folders of the text are separated by "/".
inline std::string ToText(const std::filesystem::path& path) {
  const std::u8string text = path.generic_u8string();
  return std::string(text.begin(), text.end());
}

/// Returns the folder that a file is in, "." for a name alone.
inline std::filesystem::path GetFolder(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : ".";
}

}  // namespace zarr
