// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "zarrlib/base/bytes.h"
#include "zarrlib/store/icechunk/object_file.h"

namespace zarr {

/// Decodes a metadata object whose bytes arrive in pieces, and passes on the pieces of its FlatBuffer. Not thread-safe.
class ObjectDecoder {
 public:
  /// Takes the next bytes of the FlatBuffer, which are valid during the call.
  using Take = std::function<void(ByteSpan)>;

  /// `object_size` is the size of the whole object in bytes: a FlatBuffer that is too large for it is refused.
  ObjectDecoder(ObjectType type, std::uint64_t object_size, Take take);
  ~ObjectDecoder();

  /// Decodes the next piece. The first one must have the whole header. Throws the errors of DecodeObject.
  void Add(ByteSpan piece);
  /// Throws Error(corrupt) if the object is not complete.
  void Finish() const;

 private:
  struct Library;  // the library's objects

  void Decompress(ByteSpan piece);
  void Pass(ByteSpan bytes);

  const ObjectType type_;
  const std::uint64_t object_size_;
  const Take take_;
  bool has_header_ = false;
  std::unique_ptr<Library> library_;  // null if the object is not compressed
  bool is_complete_ = false;          // a compressed object
  std::uint64_t size_ = 0;            // of the FlatBuffer until now
};

}  // namespace zarr
