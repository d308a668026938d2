// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/object_decoder.h"

#ifdef ZARR_HAVE_ZSTD
#include "zarrlib/store/icechunk/zstd_context.h"
#endif

#include <string>
#include <utility>

#include "zarrlib/base/error.h"
#include "zarrlib/base/limits.h"

namespace zarr {
namespace {

constexpr int kLastVersion = 2;

[[noreturn]] void FailCorrupt(std::string_view expected, std::string_view got) {
  throw Error(ErrorKind::kCorrupt, FormatExpectedGot(expected, got));
}

std::string_view GetTypeName(ObjectType type) {
  switch (type) {
    case ObjectType::kSnapshot:
      return "a snapshot (1)";
    case ObjectType::kManifest:
      return "a manifest (2)";
    case ObjectType::kTransactionLog:
      return "a transaction log (4)";
    case ObjectType::kRepoInfo:
      break;
  }
  return "a repo info file (6)";
}

/// Throws Error(limit_exceeded) for a FlatBuffer that is too large, also for what it is compressed to: a file made to
/// exhaust memory is. Like a file of kerchunk references, it is mostly references.
void CheckObjectSize(std::uint64_t size, std::uint64_t stored_size) {
  constexpr std::uint64_t kMaxRatio = 256;
  constexpr std::uint64_t kSmall = std::uint64_t{64} << 20;
  if (size > kSmall && size / kMaxRatio > stored_size) {
    throw Error(ErrorKind::kLimitExceeded,
                FormatExpectedGot("at most 256 times the " + std::to_string(stored_size) + " bytes that are stored",
                                  std::to_string(size)));
  }
  if (size <= GetLimit(Limit::kReferenceFile)) return;
  throw Error(ErrorKind::kLimitExceeded,
              FormatExpectedGot(FormatAtMost(Limit::kReferenceFile, "bytes"), std::to_string(size)));
}

/// Checks the header of an object. Returns true if what follows is compressed.
bool ReadHeader(ByteSpan object, ObjectType type) {
  const std::string_view text = AsText(object);
  if (text.size() < kObjectHeaderSize || !text.starts_with(kIcechunkMagic)) {
    FailCorrupt("an Icechunk object", "other content (" + std::to_string(text.size()) + " bytes)");
  }
  const auto version = std::to_integer<int>(object[kObjectHeaderSize - 3]);
  const auto got_type = std::to_integer<int>(object[kObjectHeaderSize - 2]);
  const auto compression = std::to_integer<int>(object[kObjectHeaderSize - 1]);
  if (version < 1 || version > kLastVersion) {
    throw Error(ErrorKind::kUnsupported,
                FormatExpectedGot("version 1 or 2 of Icechunk's format", std::to_string(version)));
  }
  if (got_type != static_cast<int>(type))
    FailCorrupt(GetTypeName(type), "an object of type " + std::to_string(got_type));
  if (compression > 1) {
    throw Error(ErrorKind::kUnsupported,
                FormatExpectedGot("compression 0 (none) or 1 (zstd)", std::to_string(compression)));
  }
  return compression == 1;
}

}  // namespace

#ifdef ZARR_HAVE_ZSTD

struct ObjectDecoder::Library {
  ZstdContext context = MakeZstdContext();
  Bytes output = Bytes(ZSTD_DStreamOutSize());
};

void ObjectDecoder::Decompress(ByteSpan piece) {
  ZSTD_inBuffer input{piece.data(), piece.size(), 0};
  bool is_full = false;  // more bytes may come out, though none are left to go in
  while (input.pos < input.size || is_full) {
    if (is_complete_) FailCorrupt("a single zstd frame", "more bytes after it");
    ZSTD_outBuffer output{library_->output.data(), library_->output.size(), 0};
    is_complete_ = CheckZstdResult(ZSTD_decompressStream(library_->context.get(), &output, &input)) == 0;
    is_full = !is_complete_ && output.pos == output.size;
    Pass(ByteSpan(library_->output).first(output.pos));
  }
}

#else

struct ObjectDecoder::Library {
  Library() { throw Error(ErrorKind::kUnsupported, "the object is compressed by zstd, which this build leaves out"); }
};

void ObjectDecoder::Decompress(ByteSpan) {}

#endif

ObjectDecoder::ObjectDecoder(ObjectType type, std::uint64_t object_size, Take take)
    : type_(type), object_size_(object_size), take_(std::move(take)) {}

ObjectDecoder::~ObjectDecoder() = default;

void ObjectDecoder::Add(ByteSpan piece) {
  if (!has_header_) {
    if (ReadHeader(piece, type_)) library_ = std::make_unique<Library>();
    has_header_ = true;
    piece = piece.subspan(kObjectHeaderSize);
  }
  library_ ? Decompress(piece) : Pass(piece);
}

void ObjectDecoder::Pass(ByteSpan bytes) {
  size_ += bytes.size();
  CheckObjectSize(size_, object_size_ - kObjectHeaderSize);
  take_(bytes);
}

void ObjectDecoder::Finish() const {
  if (!has_header_) FailCorrupt("an Icechunk object", "nothing");
  if (library_ && !is_complete_) FailCorrupt("a complete zstd frame", "a part of one");
}

}  // namespace zarr
