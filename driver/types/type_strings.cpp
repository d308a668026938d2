// SPDX-License-Identifier: MIT
#include <climits>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "driver/types/type_forms.h"
#include "zarrlib/base/text.h"
#include "zarrlib/metadata/fill_value.h"

namespace gdal_zarr {
namespace {

using zarr::DataType;

void WriteString(std::byte* destination, std::string_view text) {
  Put(destination, CopyToNewString(text));
}

std::string ConvertFromUtf32(const std::byte* source, std::size_t characters) {
  std::string text;
  for (std::size_t i = 0; i < characters; ++i) {
    const auto c = Load<std::uint32_t>(source + i * 4);
    if (c == 0) break;
    const bool is_character = c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF);
    zarr::AppendUtf8(is_character ? c : 0xFFFD, &text);
  }
  return text;
}

constexpr std::string_view kHexadecimalDigits = "0123456789ABCDEF";

std::string FormatHexadecimal(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kHexadecimalDigits[byte >> 4];
    text += kHexadecimalDigits[byte & 15];
  }
  return text;
}

/// Parses "0x" and the digits that FormatHexadecimal makes of at least one byte.
std::optional<std::string> ParseHexadecimal(std::string_view text) {
  if (text.size() < 4 || text.size() % 2 != 0 || !text.starts_with("0x")) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 2 - 1);
  for (std::size_t i = 2; i < text.size(); i += 2) {
    const std::size_t high = kHexadecimalDigits.find(text[i]);
    const std::size_t low = kHexadecimalDigits.find(text[i + 1]);
    if (high == text.npos || low == text.npos) return std::nullopt;
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

bool IsText(std::string_view bytes) {
  return bytes.find('\0') == std::string_view::npos &&
         (bytes.empty() || (bytes.size() <= INT_MAX && CPLIsUTF8(bytes.data(), static_cast<int>(bytes.size()))));
}

/// Returns true for bytes that are not text, and for text that would be taken for such bytes when it is written.
bool MustBeHexadecimal(std::string_view bytes) {
  if (!IsText(bytes)) return true;
  const auto parsed = ParseHexadecimal(bytes);
  return parsed && MustBeHexadecimal(*parsed);
}

std::string_view GetView(const std::byte* source, std::size_t size) {
  return {reinterpret_cast<const char*>(source), size};
}

// --- to Zarr ----------------------------------------------------------------------------------------------------

/// Returns the text that the char* at `source` points to, or the missing text.
std::string_view GetTextAt(const std::byte* source) {
  const auto* text = Load<const char*>(source);
  return text ? std::string_view(text) : std::string_view(zarr::kMissingText, 0);
}

[[noreturn]] void FailLong(std::size_t most, const char* units, std::string_view text) {
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                    zarr::FormatExpectedGot("a string of at most " + std::to_string(most) + " " + units,
                                            "\"" + std::string(text.substr(0, 40)) + "\""));
}

void PackPadded(std::string_view text, std::size_t size, std::byte* destination) {
  if (text.size() > size) FailLong(size, "bytes", text);
  std::fill_n(destination, size, std::byte{0});
  std::memcpy(destination, text.data(), text.size());
}

void PackUtf32(std::string_view text, std::size_t characters, std::byte* destination) {
  const std::unique_ptr<wchar_t, decltype(&VSIFree)> wide(
      CPLRecodeToWChar(std::string(text).c_str(), CPL_ENC_UTF8, "WCHAR_T"), VSIFree);
  const std::wstring_view decoded = wide ? std::wstring_view(wide.get()) : std::wstring_view();
  if (decoded.size() > characters) FailLong(characters, "characters", text);
  std::fill_n(destination, characters * 4, std::byte{0});
  for (std::size_t i = 0; i < decoded.size(); ++i) {
    Put(destination + i * 4, static_cast<std::uint32_t>(decoded[i]));
  }
}

}  // namespace

std::optional<std::string> FindBytesOf(std::string_view text) {
  auto bytes = ParseHexadecimal(text);
  return bytes && MustBeHexadecimal(*bytes) ? std::move(bytes) : std::nullopt;
}

ElementForm MakeHexadecimalForm(std::size_t size) {
  ElementForm form;
  form.type = GDALExtendedDataType::CreateString(size * 2);
  form.expand = [size](const std::byte* source, std::byte* destination) {
    WriteString(destination, FormatHexadecimal(GetView(source, size)));
  };
  form.pack = [](const std::byte*, std::byte*) {
    throw zarr::Error(zarr::ErrorKind::kUnsupported, "elements of this type cannot be written");
  };
  return form;
}

ElementForm MakeStringForm(const DataType& type) {
  ElementForm form;
  const std::size_t size = type.size;
  switch (type.kind) {
    case DataType::Kind::kFixedBytes:
      form.type = GDALExtendedDataType::CreateString(size);
      form.expand = [size](const std::byte* source, std::byte* destination) {
        const std::string_view padded = GetView(source, size);
        WriteString(destination, padded.substr(0, padded.find('\0')));
      };
      form.pack = [size](const std::byte* source, std::byte* destination) {
        PackPadded(GetTextAt(source), size, destination);
      };
      break;
    case DataType::Kind::kFixedUtf32:
      // Without a length, which would be in bytes: a copy to v2 would otherwise be of bytes, and not of text.
      form.type = GDALExtendedDataType::CreateString();
      form.expand = [size](const std::byte* source, std::byte* destination) {
        WriteString(destination, ConvertFromUtf32(source, size / 4));
      };
      form.pack = [size](const std::byte* source, std::byte* destination) {
        PackUtf32(GetTextAt(source), size / 4, destination);
      };
      break;
    case DataType::Kind::kBytes:
      form.expand = [](const std::byte* source, std::byte* destination) {
        const auto bytes = Load<std::string_view>(source);
        WriteString(destination, MustBeHexadecimal(bytes) ? "0x" + FormatHexadecimal(bytes) : std::string(bytes));
      };
      form.pack = [](const std::byte* source, std::byte* destination) { Put(destination, GetTextAt(source)); };
      break;
    case DataType::Kind::kString:
      form.expand = [](const std::byte* source, std::byte* destination) {
        const auto text = Load<std::string_view>(source);
        WriteString(destination, text.substr(0, text.find('\0')));
      };
      form.pack = [](const std::byte* source, std::byte* destination) { Put(destination, GetTextAt(source)); };
      break;
    default:  // an unknown type: reading fails before an element is expanded
      form.expand = [](const std::byte*, std::byte* destination) { Put<char*>(destination, nullptr); };
      form.pack = MakeHexadecimalForm(0).pack;
      break;
  }
  return form;
}

}  // namespace gdal_zarr
