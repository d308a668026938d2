// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/object_file.h"

#ifdef ZARR_HAVE_ZSTD
#include "zarrlib/store/icechunk/zstd_context.h"
#endif

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include "zarrlib/base/error.h"
#include "zarrlib/base/limits.h"
#include "zarrlib/store/broken_value.h"
#include "zarrlib/store/files/scratch_bytes.h"
#include "zarrlib/store/icechunk/object_decoder.h"
#include "zarrlib/store/wanted_ranges.h"

namespace zarr {
namespace {

[[maybe_unused]] constexpr int kLevel = 3;  // of compression, in builds with zstd
constexpr std::string_view kWriter = "zarrlib";

/// Objects of up to this size are read with one request.
constexpr std::uint64_t kMostAtOnce = std::uint64_t{64} << 20;
/// Few pieces, because each can take a request.
constexpr std::uint64_t kReadPiece = std::uint64_t{32} << 20;

/// Reads an object that is not large. Returns nullopt for a large one, and false if it is absent.
std::optional<bool> GetUnlessLarge(const Store& store, const std::string& key, Bytes* object, VersionStamp* stamp) {
  try {
    return store.Get(key, object, stamp, std::min(kMostAtOnce, GetLimit(Limit::kReferenceFile)));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kLimitExceeded) throw;
    return std::nullopt;
  }
}

/// Fills `piece` with the bytes from a position on. If a server sends only whole objects, they become all of the rest.
bool ReadPiece(const Store& store, const std::string& key, std::uint64_t at, Bytes* piece, VersionStamp* stamp) {
  const ByteRange range{at, piece->size()};
  const MutableByteSpan buffer(*piece);
  try {
    return store.GetRanges(key, {&range, 1}, {&buffer, 1}, stamp);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kIo || !store.info().is_on_network()) throw;
  }
  if (!store.Get(key, piece, stamp, GetLimit(Limit::kReferenceFile))) return false;
  piece->erase(piece->begin(),
               piece->begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(at, piece->size())));
  return true;
}

/// Decodes an object of that stamp piece by piece. Returns false if it is absent.
bool DecodePieces(const Store& store, const std::string& key, VersionStamp* stamp, ScratchBytes* payload) {
  const VersionStamp whole = *stamp;
  CheckValueSize(whole.size, GetLimit(Limit::kReferenceFile));
  ObjectDecoder decoder(ObjectType::kManifest, whole.size, [&](ByteSpan bytes) { payload->Append(bytes); });
  Bytes piece;
  for (std::uint64_t at = 0; at < whole.size; at += piece.size()) {
    piece.resize(static_cast<std::size_t>(std::min(kReadPiece, whole.size - at)));
    if (!ReadPiece(store, key, at, &piece, stamp)) return false;
    if (*stamp != whole || piece.empty()) throw Error(ErrorKind::kIo, "the object was changed while it was read");
    decoder.Add(piece);
  }
  decoder.Finish();
  return true;
}

/// Decodes a manifest of which only a piece is in memory at a time, unless it is small. Returns false if it is absent.
bool DecodeManifest(const Store& store, const std::string& key, VersionStamp* stamp, ScratchBytes* payload) {
  Bytes object;
  std::optional<bool> found = GetUnlessLarge(store, key, &object, stamp);
  if (!found) {
    Bytes().swap(object);
    if (!store.GetStamp(key, stamp)) return false;
    if (stamp->size > 0) return DecodePieces(store, key, stamp, payload);
    found = store.Get(key, &object, stamp, GetLimit(Limit::kReferenceFile));  // the server does not tell the size
  }
  if (!*found) return false;
  ObjectDecoder decoder(ObjectType::kManifest, object.size(), [&](ByteSpan bytes) { payload->Append(bytes); });
  decoder.Add(object);
  decoder.Finish();
  return true;
}

#ifdef ZARR_HAVE_ZSTD

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

Bytes Compress(ByteSpan, ByteSpan) {
  FailNoZstd();
}

#endif

}  // namespace

Bytes DecodeObject(ByteSpan object, ObjectType type) {
  const auto decode = [&](const ObjectDecoder::Take& take) {
    ObjectDecoder decoder(type, object.size(), take);
    decoder.Add(object);
    decoder.Finish();
  };
  // Writers leave the size out. Memory is allocated only once, and only for what is really there.
  std::size_t size = 0;
  decode([&](ByteSpan piece) { size += piece.size(); });
  Bytes payload;
  payload.reserve(size);
  decode([&](ByteSpan piece) { payload.insert(payload.end(), piece.begin(), piece.end()); });
  return payload;
}

Bytes EncodeObject(ByteSpan payload, ObjectType type, int version) {
  std::string header(kIcechunkMagic);
  header.append(kWriter).resize(kObjectHeaderSize - 3, ' ');
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

bool ReadManifestObject(const Store& store, const std::string& key, const std::function<void(ScratchBytes*)>& parse) {
  VersionStamp stamp;
  const auto read = [&] {
    try {
      ScratchBytes payload;
      if (!DecodeManifest(store, key, &stamp, &payload)) return false;
      parse(&payload);
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
    void operator()(ZSTD_DDict* freed) const { ZSTD_freeDDict(freed); }
  };
  std::unique_ptr<ZSTD_DDict, FreeDictionary> dictionary;
  ZstdContext context;
};

DictionaryDecoder::DictionaryDecoder(ByteSpan dictionary) : library_(std::make_unique<Library>()) {
  library_->context = MakeZstdContext();
  library_->dictionary.reset(ZSTD_createDDict(dictionary.data(), dictionary.size()));
  if (!library_->dictionary) throw Error(ErrorKind::kCorrupt, "the zstd dictionary of the locations cannot be used");
}

std::string_view DictionaryDecoder::Decode(ByteSpan compressed, std::size_t max_size) {
  text_.resize(max_size);
  const std::size_t size =
      CheckZstdResult(ZSTD_decompress_usingDDict(library_->context.get(), text_.data(), text_.size(), compressed.data(),
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
