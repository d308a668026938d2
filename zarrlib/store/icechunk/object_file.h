// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "zarrlib/base/bytes.h"
#include "zarrlib/store/store.h"

namespace zarr {

class ScratchBytes;

/// The type of a metadata object of an Icechunk repository, as its header says ("Binary File Format" in the
/// specification).
enum class ObjectType : std::uint8_t {
  kSnapshot = 1,
  kManifest = 2,
  kTransactionLog = 4,
  kRepoInfo = 6,
};

/// The first bytes of each metadata object: "ICE🧊CHUNK".
inline constexpr std::string_view kIcechunkMagic =
    "ICE\xF0\x9F\xA7\x8A"
    "CHUNK";
/// The magic bytes, the name of the program that wrote the object, the version of the format, the type and the
/// compression.
inline constexpr std::size_t kObjectHeaderSize = kIcechunkMagic.size() + 24 + 3;

/// The key of the repo info file of format 2.
inline constexpr std::string_view kIcechunkRepoInfo = "repo";

/// Returns the FlatBuffer in a metadata object, decompressed. Throws Error(corrupt) for bytes that are not an object of
/// that type, Error(unsupported) for a later version of the format or another compression, and Error(limit_exceeded)
/// for a FlatBuffer that is too large.
Bytes DecodeObject(ByteSpan object, ObjectType type);

/// Makes a metadata object of a FlatBuffer, compressed by zstd. Throws Error(unsupported) in a build without it.
Bytes EncodeObject(ByteSpan payload, ObjectType type, int version);

/// Reads a metadata object, and passes its FlatBuffer to `parse`; both are done again if a server has failed. Returns
/// false if the object is absent. Throws the errors of DecodeObject and of `parse`, with the object's key.
bool ReadObject(const Store& store, const std::string& key, ObjectType type, const std::function<void(Bytes)>& parse,
                Freshness freshness = Freshness::kKnown);
/// Like ReadObject, for manifests: a large one is read in pieces, and passed on in a file instead of memory.
bool ReadManifestObject(const Store& store, const std::string& key, const std::function<void(ScratchBytes*)>& parse);
/// Throws Error(io), which says that the object of that key is missing.
[[noreturn]] void FailMissingObject(const Store& store, const std::string& key);

/// Decompresses single short strings that were compressed with a zstd dictionary. Not thread-safe.
class DictionaryDecoder {
 public:
  /// Throws Error(corrupt) for an unusable dictionary.
  explicit DictionaryDecoder(ByteSpan dictionary);
  ~DictionaryDecoder();

  /// Returns a view that is valid until the next call. Throws Error(corrupt), also if there are more than `max_size`
  /// bytes.
  std::string_view Decode(ByteSpan compressed, std::size_t max_size);

 private:
  struct Library;  // the library's objects

  std::unique_ptr<Library> library_;
  std::string text_;
};

}  // namespace zarr
