// SPDX-License-Identifier: MIT
#pragma once

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

#include <string>
#include <string_view>

#include "zarrlib/base/system/file.h"

/// What the functions of this folder share: names and errors. Inside the project, text is UTF-8 and errors are in
/// errno.
namespace zarr::windows {

std::wstring ToWide(std::string_view text);
std::string ToUtf8(std::wstring_view text);

/// Returns a path as the system's functions need it: UTF-16, absolute, with "\", and in the form (`\\?\`) that has no
/// limit of 260 characters and no names with a special meaning.
std::wstring ToSystemPath(const std::string& path);
/// The reverse: removes the prefix, and writes "/" for "\".
std::string FromSystemPath(std::wstring_view path);

/// Sets errno from the last error of the system. Returns false.
bool Fail();
bool Fail(DWORD error);

/// True for errors that end when another program closes a file: an indexer or a scanner for viruses may open each file
/// that is written.
bool IsPassing(DWORD error);
/// Repeats a function that returns an error of the system, or 0, while the error is a passing one, for up to five
/// seconds.
template <typename Function>
DWORD RepeatWhilePassing(const Function& function) {
  constexpr DWORD kLongestPause = 100;
  DWORD error = function();
  for (DWORD pause = 1, waited = 0; IsPassing(error) && waited < 5000; waited += pause) {
    ::Sleep(pause);
    if (pause < kLongestPause) pause *= 2;
    error = function();
  }
  return error;
}

/// Opens a file or a folder, shared with all others. `access`, `disposition` and `flags` are those of CreateFileW.
File Open(const std::string& path, DWORD access, DWORD disposition, DWORD flags);
/// Returns true if attributes and tag are those of a symbolic link or a junction. Other programs use such entries in
/// other ways, for instance for files that are in a cloud; those count as what they stand for.
bool IsLink(DWORD attributes, DWORD tag);
FileKind GetKindOf(DWORD attributes, DWORD tag);

}  // namespace zarr::windows
