// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gdal_zarr {

/// These compare letters of ASCII in any case.
bool IsEqualIgnoringCase(std::string_view a, std::string_view b);
bool StartsWithIgnoringCase(std::string_view text, std::string_view start);
bool EndsWithIgnoringCase(std::string_view text, std::string_view end);
/// Whether the text is one of the words, in any case.
bool IsOneOfIgnoringCase(std::string_view text, std::initializer_list<std::string_view> words);

/// Copies the text with small letters instead of the capital ones of ASCII.
std::string ToLower(std::string_view text);

/// Takes a quoted string from the front of `rest`; in it, \" stands for " and \\ for \. Returns nothing if the quote is
/// not closed.
std::optional<std::string> TakeQuoted(std::string_view* rest);

/// Parses "NAME=VALUE" as GDAL's lists of items hold it, or "NAME:VALUE". Returns nothing for other texts.
std::optional<std::pair<std::string, std::string>> ParseNameValue(const char* item);

/// Formats a number so that reading it again gives the same one.
std::string FormatNumber(double number);
/// Escapes text for an XML attribute in apostrophes.
std::string EscapeXml(std::string_view text);

}  // namespace gdal_zarr
