// SPDX-License-Identifier: MIT
#include "zarrlib/codec/bytes_to_bytes/lzma_codec.h"

#include <lzma.h>

#include <array>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "zarrlib/base/error.h"
#include "zarrlib/base/limits.h"
#include "zarrlib/codec/codec_util.h"

namespace zarr {
namespace {

enum class Format { kXz = 1, kAlone = 2, kRaw = 3 };

/// A filter with its options, which liblzma requires by pointer.
struct Filter {
  lzma_vli id = 0;
  std::variant<std::monostate, lzma_options_lzma, lzma_options_delta, lzma_options_bcj> options;
};

struct LzmaConfiguration {
  Format format = Format::kXz;
  lzma_check check = LZMA_CHECK_CRC64;
  std::vector<Filter> filters;  ///< Never empty; not used when decoding xz and alone.
};

/// The filters in the form that liblzma accepts. Points into `filters`, which it only reads.
using FilterChain = std::array<lzma_filter, LZMA_FILTERS_MAX + 1>;

FilterChain MakeChain(const std::vector<Filter>& filters) {
  FilterChain chain;
  chain.fill({LZMA_VLI_UNKNOWN, nullptr});
  for (std::size_t i = 0; i < filters.size(); ++i) {
    const auto address = [](const auto& options) -> const void* { return &options; };
    const bool has_options = filters[i].options.index() != 0;
    chain[i] = {filters[i].id, has_options ? const_cast<void*>(std::visit(address, filters[i].options)) : nullptr};
  }
  return chain;
}

// --- configuration ----------------------------------------------------------------------------------------------

std::uint32_t GetUint32Option(const JsonNode& object, std::string_view name, std::uint32_t fallback) {
  const std::optional<JsonNode> member = object.Find(name);
  if (!member || member->IsNull()) return fallback;
  return static_cast<std::uint32_t>(member->AsIntegerIn(0, std::numeric_limits<std::uint32_t>::max()));
}

lzma_options_lzma MakePresetOptions(std::uint32_t preset, const JsonNode& place) {
  lzma_options_lzma options{};
  if (lzma_lzma_preset(&options, preset)) {
    place.FailExpected("a preset from 0 to 9, with bit 31 for \"extreme\"");
  }
  return options;
}

lzma_options_lzma ParseLzmaOptions(const JsonNode& node) {
  const std::uint32_t preset = GetUint32Option(node, "preset", LZMA_PRESET_DEFAULT);
  lzma_options_lzma options = MakePresetOptions(preset, node);
  options.dict_size = GetUint32Option(node, "dict_size", options.dict_size);
  options.lc = GetUint32Option(node, "lc", options.lc);
  options.lp = GetUint32Option(node, "lp", options.lp);
  options.pb = GetUint32Option(node, "pb", options.pb);
  options.mode = static_cast<lzma_mode>(GetUint32Option(node, "mode", options.mode));
  options.nice_len = GetUint32Option(node, "nice_len", options.nice_len);
  options.mf = static_cast<lzma_match_finder>(GetUint32Option(node, "mf", options.mf));
  options.depth = GetUint32Option(node, "depth", options.depth);
  return options;
}

Filter ParseFilter(const JsonNode& node) {
  const JsonNode id = node.At("id");
  Filter filter;
  filter.id = id.AsUint64();
  switch (filter.id) {
    case LZMA_FILTER_LZMA1:
    case LZMA_FILTER_LZMA2:
      filter.options = ParseLzmaOptions(node);
      break;
    case LZMA_FILTER_DELTA: {
      lzma_options_delta options{};
      options.type = LZMA_DELTA_TYPE_BYTE;
      options.dist = GetUint32Option(node, "dist", LZMA_DELTA_DIST_MIN);
      filter.options = options;
      break;
    }
    case LZMA_FILTER_X86:
    case LZMA_FILTER_POWERPC:
    case LZMA_FILTER_IA64:
    case LZMA_FILTER_ARM:
    case LZMA_FILTER_ARMTHUMB:
    case LZMA_FILTER_SPARC: {
      lzma_options_bcj options{};
      options.start_offset = GetUint32Option(node, "start_offset", 0);
      filter.options = options;
      break;
    }
    default:
      id.FailExpected("the id of an LZMA filter");
  }
  return filter;
}

std::vector<Filter> ParseFilters(const JsonNode& node) {
  std::vector<Filter> filters;
  for (const JsonNode& item : node.GetItems()) filters.push_back(ParseFilter(item));
  if (filters.empty() || filters.size() > LZMA_FILTERS_MAX) node.FailExpected("1 to 4 filters");
  // liblzma reports whether a chain is valid only through the memory usage that it computes.
  if (lzma_raw_decoder_memusage(MakeChain(filters).data()) == UINT64_MAX)
    node.FailExpected("a valid chain of LZMA filters");
  return filters;
}

std::vector<Filter> MakeFiltersFromPreset(const CodecSpec& spec, Format format) {
  const auto preset = static_cast<std::uint32_t>(
      GetIntegerOption(spec, "preset", 0, std::numeric_limits<std::uint32_t>::max(), LZMA_PRESET_DEFAULT));
  const JsonNode place = FindOption(spec, "preset").value_or(spec.configuration);
  Filter filter;
  filter.id = format == Format::kAlone ? LZMA_FILTER_LZMA1 : LZMA_FILTER_LZMA2;
  filter.options = MakePresetOptions(preset, place);
  return {std::move(filter)};
}

lzma_check ParseCheck(const CodecSpec& spec) {
  const std::int64_t value = GetIntegerOption(spec, "check", -1, LZMA_CHECK_ID_MAX, -1);
  const auto check = value < 0 ? LZMA_CHECK_CRC64 : static_cast<lzma_check>(value);
  if (!lzma_check_is_supported(check)) FindOption(spec, "check")->FailExpected("one of -1, 0, 1, 4, 10");
  return check;
}

LzmaConfiguration ParseLzmaConfiguration(const CodecSpec& spec) {
  LzmaConfiguration result;
  result.format = static_cast<Format>(GetIntegerOption(spec, "format", 1, 3, 1));
  result.check = ParseCheck(spec);
  const std::optional<JsonNode> filters = FindOption(spec, "filters");
  if (!filters && result.format == Format::kRaw) {
    spec.configuration.Fail(ErrorKind::kCorrupt, "expected a member \"filters\", since the format is 3 (raw)");
  }
  result.filters = filters ? ParseFilters(*filters) : MakeFiltersFromPreset(spec, result.format);
  if (result.format == Format::kAlone && (result.filters.size() != 1 || result.filters[0].id != LZMA_FILTER_LZMA1)) {
    filters->FailExpected("the one filter LZMA1, since the format is 2 (alone)");
  }
  return result;
}

// --- streams ----------------------------------------------------------------------------------------------------

class Stream {
 public:
  Stream(ByteSpan in, MutableByteSpan out) {
    SetOut(out);
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    stream_.avail_in = in.size();
  }
  ~Stream() { lzma_end(&stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  lzma_stream* get() { return &stream_; }
  void SetOut(MutableByteSpan out) {
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = out.size();
  }
  ByteSpan in() const { return {reinterpret_cast<const std::byte*>(stream_.next_in), stream_.avail_in}; }
  std::size_t written() const { return static_cast<std::size_t>(stream_.total_out); }
  bool full() const { return stream_.avail_out == 0; }

  /// Runs until the library returns something other than success.
  lzma_ret Run() {
    lzma_ret result = LZMA_OK;
    while (result == LZMA_OK) result = lzma_code(&stream_, LZMA_FINISH);
    return result;
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

[[noreturn]] void Throw(lzma_ret result) {
  switch (result) {
    case LZMA_MEM_ERROR:
      throw std::bad_alloc();
    case LZMA_MEMLIMIT_ERROR:
      throw Error(ErrorKind::kLimitExceeded,
                  FormatExpectedGot("an LZMA stream that takes " + FormatAtMost(Limit::kLzmaMemory, "bytes of memory"),
                                    "more"));
    case LZMA_BUF_ERROR:
      throw Error(ErrorKind::kCorrupt, "the LZMA stream is truncated");
    case LZMA_FORMAT_ERROR:
      throw Error(ErrorKind::kCorrupt, "the bytes are not in the LZMA format that is configured");
    case LZMA_OPTIONS_ERROR:
      throw Error(ErrorKind::kUnsupported, "the LZMA stream has options that are not supported");
    default:
      throw Error(ErrorKind::kCorrupt, "the LZMA stream is damaged");
  }
}

class LzmaCodec final : public BytesToBytesCodec {
 public:
  explicit LzmaCodec(LzmaConfiguration configuration) : configuration_(std::move(configuration)) {}

  SizeBound GetEncodedSize(SizeBound decoded) const override { return GetCompressedBound(decoded); }
  std::optional<std::size_t> Decode(ByteSpan encoded, MutableByteSpan out) const override;
  void Encode(ByteSpan decoded, std::size_t item_size, Bytes* encoded) const override;

 private:
  /// Sets a memory limit of kLargeMemory, which can be raised. For a raw stream that needs more, reserves the memory in
  /// `share`.
  lzma_ret StartDecoder(lzma_stream* stream, MemoryShare* share) const;
  lzma_ret StartEncoder(lzma_stream* stream) const;

  LzmaConfiguration configuration_;
};

lzma_ret LzmaCodec::StartDecoder(lzma_stream* stream, MemoryShare* share) const {
  switch (configuration_.format) {
    case Format::kXz:
      return lzma_stream_decoder(stream, std::min(kLargeMemory, GetLimit(Limit::kLzmaMemory)), LZMA_CONCATENATED);
    case Format::kAlone:
      return lzma_alone_decoder(stream, std::min(kLargeMemory, GetLimit(Limit::kLzmaMemory)));
    case Format::kRaw:
      break;
  }
  const FilterChain chain = MakeChain(configuration_.filters);
  const std::uint64_t usage = lzma_raw_decoder_memusage(chain.data());
  if (usage > GetLimit(Limit::kLzmaMemory)) return LZMA_MEMLIMIT_ERROR;
  if (usage > kLargeMemory) *share = MemoryShare(usage);
  return lzma_raw_decoder(stream, chain.data());
}

lzma_ret LzmaCodec::StartEncoder(lzma_stream* stream) const {
  const FilterChain chain = MakeChain(configuration_.filters);
  switch (configuration_.format) {
    case Format::kXz:
      return lzma_stream_encoder(stream, chain.data(), configuration_.check);
    case Format::kAlone:
      return lzma_alone_encoder(stream, static_cast<const lzma_options_lzma*>(chain[0].options));
    case Format::kRaw:
      break;
  }
  return lzma_raw_encoder(stream, chain.data());
}

std::optional<std::size_t> LzmaCodec::Decode(ByteSpan encoded, MutableByteSpan out) const {
  Stream stream(encoded, out);
  MemoryShare share;
  if (const lzma_ret started = StartDecoder(stream.get(), &share); started != LZMA_OK) Throw(started);
  lzma_ret result = stream.Run();
  if (result == LZMA_MEMLIMIT_ERROR && lzma_memusage(stream.get()) <= GetLimit(Limit::kLzmaMemory)) {
    share = MemoryShare(lzma_memusage(stream.get()));
    lzma_memlimit_set(stream.get(), GetLimit(Limit::kLzmaMemory));
    result = stream.Run();
  }
  if (result == LZMA_BUF_ERROR && stream.full()) {
    // Either there is more content, or only the end of the stream has not been read yet, for which some decoders need
    // room in the output. A spare byte shows which one it is.
    std::byte spare{};
    stream.SetOut({&spare, 1});
    result = stream.Run();
    if (stream.written() > out.size()) return std::nullopt;
  }
  if (result != LZMA_STREAM_END) Throw(result);
  if (!IsPadding(stream.in())) {
    throw Error(ErrorKind::kCorrupt, std::to_string(stream.in().size()) + " bytes follow the end of the LZMA stream");
  }
  return stream.written();
}

void LzmaCodec::Encode(ByteSpan decoded, std::size_t, Bytes* encoded) const {
  encoded->resize(decoded.size() / 2 + 1024);
  Stream stream(decoded, *encoded);
  if (const lzma_ret started = StartEncoder(stream.get()); started != LZMA_OK) {
    if (started == LZMA_MEM_ERROR) throw std::bad_alloc();
    throw Error(ErrorKind::kUnsupported, "the LZMA filters cannot be used for encoding");
  }
  while (true) {
    const lzma_ret result = stream.Run();
    if (result == LZMA_STREAM_END) break;
    if (result != LZMA_BUF_ERROR) Throw(result);
    const std::size_t written = stream.written();
    encoded->resize(encoded->size() * 2);
    stream.SetOut(MutableByteSpan(*encoded).subspan(written));
  }
  encoded->resize(stream.written());
}

}  // namespace

Codec MakeLzmaCodec(const CodecSpec& spec) {
  return std::make_shared<LzmaCodec>(ParseLzmaConfiguration(spec));
}

}  // namespace zarr
