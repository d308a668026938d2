// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/pco/pco_file.h"

#include <string>

#include "zarrlib/codec/array_to_bytes/pco/pco_chunk.h"
#include "zarrlib/codec/array_to_bytes/pco/pco_page.h"
#include "zarrlib/codec/codec_util.h"

namespace zarr {
namespace {

constexpr std::string_view kMagic = "pco!";
constexpr unsigned kMaxFileVersion = 3;
constexpr unsigned kMaxMajorVersion = 4;

struct Header {
  std::uint64_t type_code = 0;  ///< The type of the numbers of all chunks; 0 if each chunk specifies it.
  unsigned major_version = 0;
};

unsigned ReadVersion(PcoBits* bits, unsigned highest, std::string_view what) {
  const auto version = static_cast<unsigned>(bits->Read(8));
  if (version > highest) {
    throw Error(ErrorKind::kUnsupported, std::string(what) + " " + std::to_string(version) + " is not implemented");
  }
  return version;
}

Header ReadHeader(PcoBits* bits) {
  if (AsText(bits->TakeBytes(kMagic.size())) != kMagic) throw Error(ErrorKind::kCorrupt, "expected a pco file");
  Header header;
  const unsigned file_version = ReadVersion(bits, kMaxFileVersion, "version");
  if (file_version < 2) {  // there was one number for both
    header.major_version = file_version;
    return header;
  }
  if (file_version >= 3) header.type_code = bits->Read(8);
  const auto hint_bits = static_cast<unsigned>(bits->Read(6)) + 1;
  bits->Read(hint_bits);  // the number of numbers, if the writer knew it
  bits->Align();
  header.major_version = ReadVersion(bits, kMaxMajorVersion, "format version");
  if (header.major_version >= 4) bits->Read(8);  // minor versions add modes, which are identified in the chunks
  return header;
}

const PcoNumberType& GetNumberType(std::uint64_t code, const Header& header) {
  const PcoNumberType* type = FindPcoNumberType(code);
  if (type == nullptr) throw Error(ErrorKind::kUnsupported, "number type " + std::to_string(code) + " is unknown");
  if (header.type_code != 0 && code != header.type_code) {
    throw Error(ErrorKind::kCorrupt, "a chunk of another number type than that of the file");
  }
  return *type;
}

[[noreturn]] void FailSize(std::size_t wanted, const std::string& got) {
  throw Error(ErrorKind::kCorrupt, FormatExpectedGot(std::to_string(wanted) + " bytes of numbers", got));
}

}  // namespace

void DecodePcoFile(ByteSpan file, MutableByteSpan out) {
  PcoBits bits(file);
  const Header header = ReadHeader(&bits);
  std::size_t written = 0;
  while (const std::uint64_t code = bits.Read(8)) {
    const PcoNumberType& type = GetNumberType(code, header);
    const std::size_t size = (static_cast<std::size_t>(bits.Read(24)) + 1) * (type.bits / 8);
    if (size > out.size() - written) FailSize(out.size(), "more");
    const PcoChunk chunk = PcoChunk::Read(&bits, type, header.major_version);
    DecodePcoPage(&bits, chunk, out.subspan(written, size));
    written += size;
  }
  if (written != out.size()) FailSize(out.size(), std::to_string(written));
  if (!IsPadding(bits.TakeBytes(bits.left() / 8))) {
    throw Error(ErrorKind::kCorrupt, "expected no bytes behind the end of the pco file");
  }
}

}  // namespace zarr
