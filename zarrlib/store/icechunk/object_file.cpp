// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/object_file.h"

#ifdef ZARR_HAVE_ZSTD
#include <zstd.h>
#endif

#include <algorithm>
#include <new>
#include <utility>

#include "zarrlib/base/error.h"
#include "zarrlib/base/limits.h"
#include "zarrlib/store/broken_value.h"

namespace zarr {
namespace {

constexpr std::size_t kWriterSize = 24;  // the name of the program that wrote the object
constexpr std::size_t kHeaderSize = kIcechunkMagic.size() + kWriterSize + 3;
constexpr int kLastVersion = 2;
constexpr int kLevel = 3;  // of compression
constexpr std::string_view kWriter = "zarrlib";

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

#ifdef ZARR_HAVE_ZSTD

struct FreeStream {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};
using Context = std::unique_ptr<ZSTD_DCtx, FreeStream>;

Context MakeContext() {
  Context context(ZSTD_createDCtx());
  if (!context) throw std::bad_alloc();
  return context;
}

std::size_t CheckResult(std::size_t result) {
  if (!ZSTD_isError(result)) return result;
  throw Error(ErrorKind::kCorrupt, std::string("the zstd frame cannot be decoded: ") + ZSTD_getErrorName(result));
}

/// Returns the size of decompressed bytes, after decompressing them piece by piece: writers leave the size out, and
/// memory is allocated only once and only for what is really there.
std::uint64_t CountBytes(ByteSpan compressed) {
  const Context context = MakeContext();
  Bytes piece(ZSTD_DStreamOutSize());
  ZSTD_inBuffer input{compressed.data(), compressed.size(), 0};
  std::uint64_t size = 0;
  std::size_t left = 1;
  while (left > 0) {
    ZSTD_outBuffer output{piece.data(), piece.size(), 0};
    left = CheckResult(ZSTD_decompressStream(context.get(), &output, &input));
    size += output.pos;
    CheckObjectSize(size, compressed.size());
    const bool is_stuck = input.pos == input.size && output.pos < piece.size();
    if (left > 0 && is_stuck) FailCorrupt("a complete zstd frame", "a part of one");
  }
  if (input.pos < input.size) FailCorrupt("a single zstd frame", "more bytes after it");
  return size;
}

Bytes Decompress(ByteSpan compressed) {
  Bytes bytes(static_cast<std::size_t>(CountBytes(compressed)));
  const Context context = MakeContext();
  const std::size_t size =
      CheckResult(ZSTD_decompressDCtx(context.get(), bytes.data(), bytes.size(), compressed.data(), compressed.size()));
  if (size != bytes.size()) FailCorrupt(std::to_string(bytes.size()) + " bytes", std::to_string(size));
  return bytes;
}

Bytes Compress(ByteSpan header, ByteSpan payload) {
  Bytes object(header.size() + ZSTD_compressBound(payload.size()));
  std::ranges::copy(header, object.begin());
  const std::size_t size = ZSTD_compress(object.data() + header.size(), object.size() - header.size(), payload.data(),
                                         payload.size(), kLevel);
  if (ZSTD_isError(size)) throw std::bad_alloc();
  object.resize(header.size() + size);
  return object;
}

#else

[[noreturn]] void FailNoZstd() {
  throw Error(ErrorKind::kUnsupported, "the object is compressed by zstd, which this build leaves out");
}

Bytes Decompress(ByteSpan) {
  FailNoZstd();
}

Bytes Compress(ByteSpan, ByteSpan) {
  FailNoZstd();
}

#endif

}  // namespace

Bytes DecodeObject(ByteSpan object, ObjectType type) {
  const std::string_view text = AsText(object);
  if (text.size() < kHeaderSize || !text.starts_with(kIcechunkMagic)) {
    FailCorrupt("an Icechunk object", "other content (" + std::to_string(text.size()) + " bytes)");
  }
  const auto version = std::to_integer<int>(object[kHeaderSize - 3]);
  const auto got_type = std::to_integer<int>(object[kHeaderSize - 2]);
  const auto compression = std::to_integer<int>(object[kHeaderSize - 1]);
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
  const ByteSpan payload = object.subspan(kHeaderSize);
  if (compression == 1) return Decompress(payload);
  CheckObjectSize(payload.size(), payload.size());
  return Bytes(payload.begin(), payload.end());
}

Bytes EncodeObject(ByteSpan payload, ObjectType type, int version) {
  std::string header(kIcechunkMagic);
  header.append(kWriter).resize(kIcechunkMagic.size() + kWriterSize, ' ');
  for (const int number : {version, static_cast<int>(type), 1}) header += static_cast<char>(number);
  return Compress(AsBytes(header), payload);
}

bool ReadObject(const Store& store, const std::string& key, ObjectType type, const std::function<void(Bytes)>& parse,
                Freshness freshness) {
  VersionStamp stamp;
  const auto read = [&] {
    Bytes object;
    if (!store.Get(key, &object, &stamp, GetLimit(Limit::kReferenceFile), freshness)) return false;
    try {
      Bytes payload = DecodeObject(object, type);
      Bytes().swap(object);  // parsing a large one needs the memory
      parse(std::move(payload));
    } catch (const Error& error) {
      throw error.At(store.name(), key);
    }
    return true;
  };
  return ReadUnbroken(store, key, read, &stamp);
}

void FailMissingObject(const Store& store, const std::string& key) {
  throw Error(ErrorKind::kIo, store.name(), key, "", "the object is missing, though the repository refers to it");
}

#ifdef ZARR_HAVE_ZSTD

struct DictionaryDecoder::Library {
  struct FreeDictionary {
    void operator()(ZSTD_DDict* dictionary) const { ZSTD_freeDDict(dictionary); }
  };
  std::unique_ptr<ZSTD_DDict, FreeDictionary> dictionary;
  Context context;
};

DictionaryDecoder::DictionaryDecoder(ByteSpan dictionary) : library_(std::make_unique<Library>()) {
  library_->context = MakeContext();
  library_->dictionary.reset(ZSTD_createDDict(dictionary.data(), dictionary.size()));
  if (!library_->dictionary) throw Error(ErrorKind::kCorrupt, "the zstd dictionary of the locations cannot be used");
}

std::string_view DictionaryDecoder::Decode(ByteSpan compressed, std::size_t max_size) {
  text_.resize(max_size);
  const std::size_t size =
      CheckResult(ZSTD_decompress_usingDDict(library_->context.get(), text_.data(), text_.size(), compressed.data(),
                                             compressed.size(), library_->dictionary.get()));
  return std::string_view(text_).substr(0, size);
}

#else

struct DictionaryDecoder::Library {};

DictionaryDecoder::DictionaryDecoder(ByteSpan) {
  FailNoZstd();
}

std::string_view DictionaryDecoder::Decode(ByteSpan, std::size_t) {
  FailNoZstd();
}

#endif

DictionaryDecoder::~DictionaryDecoder() = default;

}  // namespace zarr
