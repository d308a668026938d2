// SPDX-License-Identifier: MIT
#include <climits>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "driver/types/type_forms.h"
#include "zarrlib/base/text.h"

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

std::string FormatHexadecimal(std::string_view bytes) {
  static constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

bool IsText(std::string_view bytes) {
  return bytes.find('\0') == std::string_view::npos &&
         (bytes.empty() || (bytes.size() <= INT_MAX && CPLIsUTF8(bytes.data(), static_cast<int>(bytes.size()))));
}

std::string_view GetView(const std::byte* source, std::size_t size) {
  return {reinterpret_cast<const char*>(source), size};
}

// --- to Zarr ----------------------------------------------------------------------------------------------------

/// Returns the text that the char* at `source` points to.
std::string_view GetTextAt(const std::byte* source) {
  const auto* text = Load<const char*>(source);
  return text ? std::string_view(text) : std::string_view();
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
        WriteString(destination, IsText(bytes) ? std::string(bytes) : "0x" + FormatHexadecimal(bytes));
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
