// SPDX-License-Identifier: MIT
#include "driver/new_array/program_compressors.h"

#include <cpl_compressor.h>
#include <cpl_string.h>
#include <cpl_vsi.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "zarrlib/codec/codec_registry.h"
#include "zarrlib/codec/codec_util.h"
#include "zarrlib/metadata/codec_names.h"

namespace gdal_zarr {
namespace {

using zarr::ByteSpan;
using zarr::Error;
using zarr::ErrorKind;

/// Returns the options of a function: strings as they are, other values in JSON.
CPLStringList MakeOptionsOf(const zarr::CodecSpec& spec) {
  CPLStringList options;
  if (!spec.configuration.IsObject()) return options;
  for (const auto& [name, value] : spec.configuration.GetMembers()) {
    if (name == "id") continue;
    options.SetNameValue(name.c_str(), (value.IsString() ? value.AsString() : value.Dump()).c_str());
  }
  return options;
}

class CompressorOfProgram final : public zarr::BytesToBytesCodec {
 public:
  CompressorOfProgram(std::string id, CPLStringList options) : id_(std::move(id)), options_(std::move(options)) {}

  zarr::SizeBound GetEncodedSize(zarr::SizeBound decoded) const override { return zarr::GetCompressedBound(decoded); }

  std::optional<std::size_t> Decode(ByteSpan encoded, zarr::MutableByteSpan out) const override {
    const CPLCompressor& function = Find(CPLGetDecompressor(id_.c_str()), "decompressor");
    void* data = out.data();
    std::size_t size = out.size();
    if (function.pfnFunc(encoded.data(), encoded.size(), &data, &size, options_.List(), function.user_data))
      return size;
    if (size > out.size()) return std::nullopt;
    throw Error(ErrorKind::kCorrupt, "the decompressor of the program fails");
  }

  void Encode(ByteSpan decoded, std::size_t, zarr::Bytes* encoded) const override {
    const CPLCompressor& function = Find(CPLGetCompressor(id_.c_str()), "compressor");
    void* data = nullptr;
    std::size_t size = 0;
    const bool done =
        function.pfnFunc(decoded.data(), decoded.size(), &data, &size, options_.List(), function.user_data);
    const std::unique_ptr<void, decltype(&VSIFree)> owned(data, VSIFree);
    if (!done) throw Error(ErrorKind::kInvalidArgument, "the compressor of the program fails");
    const ByteSpan bytes(static_cast<const std::byte*>(data), size);
    encoded->assign(bytes.begin(), bytes.end());
  }

 private:
  const CPLCompressor& Find(const CPLCompressor* function, const char* what) const {
    if (function) return *function;
    throw Error(ErrorKind::kUnsupported, "no program has registered a " + std::string(what) + " \"" + id_ + "\"");
  }

  const std::string id_;
  const CPLStringList options_;
};

std::optional<zarr::Codec> MakeCodecOfProgram(const zarr::CodecSpec& spec) {
  if (!zarr::IsNumcodecs(spec)) return std::nullopt;
  const std::string id(zarr::RemoveNumcodecsPrefix(spec.name));
  if (!CPLGetDecompressor(id.c_str()) && !CPLGetCompressor(id.c_str())) return std::nullopt;
  return std::shared_ptr<const zarr::BytesToBytesCodec>(std::make_shared<CompressorOfProgram>(id, MakeOptionsOf(spec)));
}

}  // namespace

void UseCompressorsOfPrograms() {
  zarr::SetMakerOfUnknownCodecs(MakeCodecOfProgram);
}

bool IsCompressorOfProgram(std::string_view name) {
  return CPLGetCompressor(CPLString(std::string(name)).tolower().c_str()) != nullptr;
}

}  // namespace gdal_zarr
