#include <climits>
#include <cstring>
#include <string>
#include <string_view>

#include "driver/type_forms.h"

namespace gdal_zarr {
namespace {

using zarr::DataType;

void StoreString(std::byte* destination, std::string_view text) {
  Store(destination, NewString(text));
}

void AppendUtf8(std::uint32_t c, std::string* text) {
  if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) c = 0xFFFD;  // what is no character
  const auto put = [text](std::uint32_t byte) { text->push_back(static_cast<char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6));
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3F));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

std::string FromUtf32(const std::byte* source, std::size_t characters) {
  std::string text;
  for (std::size_t i = 0; i < characters; ++i) {
    const auto c = Load<std::uint32_t>(source + i * 4);
    if (c == 0) break;
    AppendUtf8(c, &text);
  }
  return text;
}

std::string Hexadecimal(std::string_view bytes) {
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

std::string_view View(const std::byte* source, std::size_t size) {
  return {reinterpret_cast<const char*>(source), size};
}

}  // namespace

ElementForm HexadecimalForm(std::size_t size) {
  ElementForm form;
  form.type = GDALExtendedDataType::CreateString(size * 2);
  form.expand = [size](const std::byte* source, std::byte* destination) {
    StoreString(destination, Hexadecimal(View(source, size)));
  };
  return form;
}

ElementForm StringForm(const DataType& type) {
  ElementForm form;
  const std::size_t size = type.size;
  switch (type.kind) {
    case DataType::Kind::kFixedBytes:
      form.type = GDALExtendedDataType::CreateString(size);
      form.expand = [size](const std::byte* source, std::byte* destination) {
        const std::string_view padded = View(source, size);
        StoreString(destination, padded.substr(0, padded.find('\0')));
      };
      break;
    case DataType::Kind::kFixedUtf32:
      form.type = GDALExtendedDataType::CreateString(size);  // a character takes at most 4 bytes in UTF-8 too
      form.expand = [size](const std::byte* source, std::byte* destination) {
        StoreString(destination, FromUtf32(source, size / 4));
      };
      break;
    case DataType::Kind::kBytes:
      form.expand = [](const std::byte* source, std::byte* destination) {
        const auto bytes = Load<std::string_view>(source);
        StoreString(destination, IsText(bytes) ? std::string(bytes) : "0x" + Hexadecimal(bytes));
      };
      break;
    case DataType::Kind::kString:
      form.expand = [](const std::byte* source, std::byte* destination) {
        const auto text = Load<std::string_view>(source);
        StoreString(destination, text.substr(0, text.find('\0')));
      };
      break;
    default:  // unknown: reading fails before there is an element
      form.expand = [](const std::byte*, std::byte* destination) { Store<char*>(destination, nullptr); };
      break;
  }
  return form;
}

}  // namespace gdal_zarr
