// SPDX-License-Identifier: MIT
#include "zarrlib/codec/bytes_to_bytes/bz2_codec.h"

#include <bzlib.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include "zarrlib/base/error.h"
#include "zarrlib/codec/codec_util.h"

namespace zarr {
namespace {

/// A bz_stream between two spans. The library counts in 32 bits, so it gets the buffers piece by piece.
class Bz2Stream {
 public:
  Bz2Stream(ByteSpan in, MutableByteSpan out) : in_(in), out_(out) {}
  Bz2Stream(const Bz2Stream&) = delete;
  Bz2Stream& operator=(const Bz2Stream&) = delete;

  bz_stream* get() { return &stream_; }
  ByteSpan in() const { return in_; }           ///< The bytes not yet read.
  MutableByteSpan out() const { return out_; }  ///< The space not yet written.

  /// Makes one step: calls `run` with the stream, which then has as much of both spans as it can hold.
  template <typename Run>
  int Step(const Run& run) {
    constexpr std::size_t kMax = std::numeric_limits<unsigned>::max();
    stream_.next_in = const_cast<char*>(reinterpret_cast<const char*>(in_.data()));  // the library only reads
    stream_.avail_in = static_cast<unsigned>(std::min(in_.size(), kMax));
    stream_.next_out = reinterpret_cast<char*>(out_.data());
    stream_.avail_out = static_cast<unsigned>(std::min(out_.size(), kMax));
    const unsigned given_in = stream_.avail_in;
    const unsigned given_out = stream_.avail_out;
    const int result = run(&stream_);
    in_ = in_.subspan(given_in - stream_.avail_in);
    out_ = out_.subspan(given_out - stream_.avail_out);
    return result;
  }

 private:
  ByteSpan in_;
  MutableByteSpan out_;
  bz_stream stream_{};
};

struct EndDecompression {
  void operator()(bz_stream* p) const { BZ2_bzDecompressEnd(p); }
};
struct EndCompression {
  void operator()(bz_stream* p) const { BZ2_bzCompressEnd(p); }
};

void CheckStarted(int result) {
  if (result != BZ_OK) throw std::bad_alloc();  // the arguments are valid, so memory ran out
}

/// Decodes the stream at the front. Returns false if the output is too small.
bool DecodeStream(Bz2Stream* stream) {
  CheckStarted(BZ2_bzDecompressInit(stream->get(), 0, 0));
  const std::unique_ptr<bz_stream, EndDecompression> guard(stream->get());
  while (true) {
    const std::size_t in_before = stream->in().size();
    const std::size_t out_before = stream->out().size();
    const int result = stream->Step(BZ2_bzDecompress);
    if (result == BZ_STREAM_END) return true;
    if (result == BZ_MEM_ERROR) throw std::bad_alloc();
    if (result != BZ_OK) throw Error(ErrorKind::kCorrupt, "the bzip2 stream is damaged");
    if (stream->in().empty()) throw Error(ErrorKind::kCorrupt, "the bzip2 stream is truncated");
    // A stream may end without producing another byte, so the output is too small only if a step makes no progress.
    if (stream->in().size() == in_before && stream->out().size() == out_before) return false;
  }
}

class Bz2Codec final : public BytesToBytesCodec {
 public:
  explicit Bz2Codec(int level) : level_(level) {}

  SizeBound GetEncodedSize(SizeBound decoded) const override { return GetCompressedBound(decoded); }
  std::optional<std::size_t> Decode(ByteSpan encoded, MutableByteSpan out) const override;
  void Encode(ByteSpan decoded, std::size_t item_size, Bytes* encoded) const override;

 private:
  int level_;
};

std::optional<std::size_t> Bz2Codec::Decode(ByteSpan encoded, MutableByteSpan out) const {
  ByteSpan in = encoded;
  MutableByteSpan rest = out;
  do {
    Bz2Stream stream(in, rest);
    if (!DecodeStream(&stream)) return std::nullopt;
    in = stream.in();
    rest = stream.out();
  } while (!IsPadding(in));
  return out.size() - rest.size();
}

void Bz2Codec::Encode(ByteSpan decoded, std::size_t, Bytes* encoded) const {
  encoded->resize(decoded.size() + decoded.size() / 100 +
                  600);  // always enough, according to the library's documentation
  Bz2Stream stream(decoded, *encoded);
  CheckStarted(BZ2_bzCompressInit(stream.get(), level_, 0, 0));
  const std::unique_ptr<bz_stream, EndCompression> guard(stream.get());
  while (!stream.in().empty()) {
    stream.Step([](bz_stream* s) { return BZ2_bzCompress(s, BZ_RUN); });
  }
  while (stream.Step([](bz_stream* s) { return BZ2_bzCompress(s, BZ_FINISH); }) != BZ_STREAM_END) {
  }
  encoded->resize(encoded->size() - stream.out().size());
}

}  // namespace

Codec MakeBz2Codec(const CodecSpec& spec) {
  return std::make_shared<Bz2Codec>(static_cast<int>(GetIntegerOption(spec, "level", 1, 9, 1)));
}

}  // namespace zarr
