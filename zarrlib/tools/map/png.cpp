// SPDX-License-Identifier: MIT
#include "zarrlib/tools/map/png.h"

#include <zlib.h>

#include <new>
#include <string_view>

namespace zarr::tools {
namespace {

void AppendBigEndian(std::uint32_t number, Bytes* bytes) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes->push_back(static_cast<std::byte>(number >> shift));
}

void AppendChunk(std::string_view type, ByteSpan data, Bytes* png) {
  AppendBigEndian(static_cast<std::uint32_t>(data.size()), png);
  const std::size_t begin = png->size();
  const ByteSpan name = AsBytes(type);
  png->insert(png->end(), name.begin(), name.end());
  png->insert(png->end(), data.begin(), data.end());
  const auto* checked = reinterpret_cast<const Bytef*>(png->data() + begin);
  AppendBigEndian(static_cast<std::uint32_t>(::crc32(0, checked, static_cast<uInt>(png->size() - begin))), png);
}

Bytes Deflate(const Bytes& raw) {
  uLongf size = ::compressBound(static_cast<uLong>(raw.size()));
  Bytes deflated(size);
  const int result = ::compress2(reinterpret_cast<Bytef*>(deflated.data()), &size,
                                 reinterpret_cast<const Bytef*>(raw.data()), static_cast<uLong>(raw.size()), 9);
  if (result != Z_OK) throw std::bad_alloc();  // the buffer is large enough, so there is no other possible failure
  deflated.resize(size);
  return deflated;
}

}  // namespace

Bytes EncodePng(std::span<const GreyPixel> pixels, std::size_t width) {
  Bytes header;
  AppendBigEndian(static_cast<std::uint32_t>(width), &header);
  AppendBigEndian(static_cast<std::uint32_t>(pixels.size() / width), &header);
  // 8 bits per sample, grey and alpha, and the only existing methods of compression, filtering and order.
  for (const int value : {8, 4, 0, 0, 0}) header.push_back(static_cast<std::byte>(value));
  Bytes raw;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    if (i % width == 0) raw.push_back(std::byte{0});  // the row has no filter
    raw.push_back(static_cast<std::byte>(pixels[i].grey));
    raw.push_back(static_cast<std::byte>(pixels[i].alpha));
  }
  const ByteSpan signature = AsBytes("\x89PNG\r\n\x1a\n");
  Bytes png(signature.begin(), signature.end());
  AppendChunk("IHDR", header, &png);
  AppendChunk("IDAT", Deflate(raw), &png);
  AppendChunk("IEND", {}, &png);
  return png;
}

}  // namespace zarr::tools
