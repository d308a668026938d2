// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gdal_zarr {

/// These functions ignore the case of ASCII letters.
bool IsEqualIgnoringCase(std::string_view a, std::string_view b);
bool StartsWithIgnoringCase(std::string_view text, std::string_view start);
bool EndsWithIgnoringCase(std::string_view text, std::string_view end);
/// Returns true if the text is one of the words, ignoring case.
bool IsOneOfIgnoringCase(std::string_view text, std::initializer_list<std::string_view> words);

/// Copies the text with ASCII letters in lower case.
std::string ToLower(std::string_view text);

/// Consumes a quoted string at the front of `rest`; in it, \" stands for " and \\ for \. Returns nullopt if the quote
/// is not closed.
std::optional<std::string> TakeQuoted(std::string_view* rest);

/// Parses "NAME=VALUE", as in GDAL's lists of items, or "NAME:VALUE". Returns nullopt for other text.
std::optional<std::pair<std::string, std::string>> ParseNameValue(const char* item);

/// Formats a number so that it is read back exactly.
std::string FormatNumber(double number);
/// Returns true for text that is a number as programs print it, with any number of digits. A code such as "007" or
/// "1e3" is not such a number: it would lose its spelling.
bool IsPrintedNumber(const std::string& text);
/// Returns text that is not UTF-8 as if it were Latin-1; nullopt for other text, also if it was cut in the middle of a
/// letter.
std::optional<std::string> RecodeLatin1(const std::string& text);
/// Returns the same with a warning that names `what` the text is of, and other text as it is. JSON cannot hold text
/// that is not UTF-8, and older files have it.
std::string ToUtf8(const std::string& text, const std::string& what);
/// Escapes text for an XML attribute in apostrophes.
std::string EscapeXml(std::string_view text);

}  // namespace gdal_zarr
