// SPDX-License-Identifier: MIT
// The limit that reading and writing are measured against: the same bytes from the same files, through the same codec
// libraries, to the same places; nothing else: no metadata, no checks, no cache.
//
// Usage: read_limit, with commands on its standard input, one per line:
//   read <plan> <threads> [check]   reads the files of a plan to a buffer, which is kept from one command to the next
//   write <plan> <threads> <folder> encodes what a plan's files hold, gathered before, one new file for each
//   fill <bytes> <threads>          fills a buffer
// Each is answered by a line: seconds, processor seconds, CRC-32 of the buffer (0 unless asked to check).
//
// A plan is a text file: "codec <none|blosc|zstd|gzip> <level> <item size> <blosc compressor>", "buffer <bytes>", and
// for each chunk: "<path> <offset> <length> <decoded bytes> <place in the buffer> <first byte> <rows> <bytes per row>
// <source stride> <destination stride>".

#include <blosc.h>
#include <fcntl.h>
#include <libdeflate.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace {

using Buffer = std::vector<char>;

struct Codec {
  std::string name;
  int level = 0;
  std::size_t item_size = 1;
  std::string compressor;
};

struct Chunk {
  std::string path;
  off_t offset = 0;
  std::size_t length = 0;
  std::size_t decoded = 0;
  std::size_t place = 0;
  std::size_t first = 0;
  std::size_t rows = 0;
  std::size_t row_bytes = 0;
  std::size_t source_stride = 0;
  std::size_t destination_stride = 0;
};

struct Plan {
  Codec codec;
  std::size_t buffer = 0;
  std::vector<Chunk> chunks;
};

Plan Load(const std::string& path) {
  Plan plan;
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first == "codec") {
      words >> plan.codec.name >> plan.codec.level >> plan.codec.item_size >> plan.codec.compressor;
    } else if (first == "buffer") {
      words >> plan.buffer;
    } else {
      Chunk c;
      c.path = first;
      words >> c.offset >> c.length >> c.decoded >> c.place >> c.first >> c.rows >> c.row_bytes >> c.source_stride >>
          c.destination_stride;
      plan.chunks.push_back(c);
    }
  }
  return plan;
}

[[noreturn]] void Fail(const std::string& message) {
  std::cerr << "read_limit: " << message << "\n";
  std::exit(1);
}

/// What a thread keeps from chunk to chunk.
struct Context {
  ZSTD_DCtx* decoder = ZSTD_createDCtx();
  ZSTD_CCtx* encoder = ZSTD_createCCtx();
  libdeflate_decompressor* inflater = libdeflate_alloc_decompressor();
  libdeflate_compressor* deflater = nullptr;
  Buffer encoded;
  Buffer decoded;
  std::string path;  // of the file that is open
  int file = -1;
};

Context& ThreadContext() {
  thread_local Context context;
  return context;
}

void Fetch(const Chunk& chunk, Context* context) {
  if (chunk.path != context->path) {
    if (context->file >= 0) ::close(context->file);
    context->file = ::open(chunk.path.c_str(), O_RDONLY);
    context->path = chunk.path;
  }
  if (context->encoded.size() < chunk.length) context->encoded.resize(chunk.length);
  const ssize_t got = ::pread(context->file, context->encoded.data(), chunk.length, chunk.offset);
  if (got != static_cast<ssize_t>(chunk.length)) Fail(chunk.path + " cannot be read");
}

const char* Decode(const Codec& codec, const Chunk& chunk, Context* context) {
  if (codec.name == "none") return context->encoded.data();
  if (context->decoded.size() < chunk.decoded) context->decoded.resize(chunk.decoded);
  char* const out = context->decoded.data();
  const char* const in = context->encoded.data();
  std::size_t size = 0;
  if (codec.name == "zstd") {
    size = ZSTD_decompressDCtx(context->decoder, out, chunk.decoded, in, chunk.length);
  } else if (codec.name == "blosc") {
    size = static_cast<std::size_t>(blosc_decompress_ctx(in, out, chunk.decoded, 1));
  } else {
    libdeflate_gzip_decompress(context->inflater, in, chunk.length, out, chunk.decoded, &size);
  }
  if (size != chunk.decoded) Fail(chunk.path + " cannot be decoded");
  return out;
}

void Encode(const Codec& codec, const Buffer& elements, Context* context) {
  Buffer& out = context->encoded;
  out.resize(elements.size() + elements.size() / 8 + 65536);
  std::size_t size = 0;
  if (codec.name == "zstd") {
    size = ZSTD_compressCCtx(context->encoder, out.data(), out.size(), elements.data(), elements.size(), codec.level);
  } else if (codec.name == "blosc") {
    size = static_cast<std::size_t>(blosc_compress_ctx(codec.level, BLOSC_SHUFFLE, codec.item_size, elements.size(),
                                                       elements.data(), out.data(), out.size(),
                                                       codec.compressor.c_str(), 0, 1));
  } else if (codec.name == "gzip") {
    if (!context->deflater) context->deflater = libdeflate_alloc_compressor(codec.level);
    size = libdeflate_gzip_compress(context->deflater, elements.data(), elements.size(), out.data(), out.size());
  } else {
    out = elements;
    size = elements.size();
  }
  out.resize(size);
}

void Copy(const Chunk& chunk, const char* elements, char* buffer) {
  const char* source = elements + chunk.first;
  char* destination = buffer + chunk.place;
  for (std::size_t row = 0; row < chunk.rows; ++row) {
    std::memcpy(destination, source, chunk.row_bytes);
    source += chunk.source_stride;
    destination += chunk.destination_stride;
  }
}

void Parallel(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& task) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) task(i);
  };
  std::vector<std::thread> helpers;
  for (std::size_t i = 1; i < threads; ++i) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
}

double ProcessorSeconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void Answer(const std::function<void()>& work, const Buffer* checked) {
  const double processor = ProcessorSeconds();
  const auto start = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  const double used = ProcessorSeconds() - processor;
  const std::uint32_t crc = checked ? libdeflate_crc32(0, checked->data(), checked->size()) : 0;
  std::cout << passed.count() << " " << used << " " << crc << std::endl;
}

void Read(const Plan& plan, std::size_t threads, bool check, Buffer* buffer) {
  if (buffer->size() != plan.buffer) Buffer(plan.buffer).swap(*buffer);
  const auto work = [&] {
    Parallel(plan.chunks.size(), threads, [&](std::size_t i) {
      Context& context = ThreadContext();
      Fetch(plan.chunks[i], &context);
      Copy(plan.chunks[i], Decode(plan.codec, plan.chunks[i], &context), buffer->data());
    });
    ThreadContext().path.clear();
  };
  Answer(work, check ? buffer : nullptr);
}

void Write(const Plan& plan, std::size_t threads, const std::string& folder) {
  struct File {
    std::string path;
    std::vector<Buffer> chunks;
  };
  std::vector<File> files;
  Context& context = ThreadContext();
  for (const Chunk& chunk : plan.chunks) {
    if (files.empty() || files.back().path != chunk.path) files.push_back({chunk.path, {}});
    Fetch(chunk, &context);
    const char* const elements = Decode(plan.codec, chunk, &context);
    files.back().chunks.emplace_back(elements, elements + chunk.decoded);
  }
  std::filesystem::create_directories(folder);
  const auto write_file = [&](std::size_t i) {
    Context& own = ThreadContext();
    const std::string path = folder + "/" + std::to_string(i);
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (file < 0) Fail(path + " cannot be made");
    for (const Buffer& elements : files[i].chunks) {
      Encode(plan.codec, elements, &own);
      if (::write(file, own.encoded.data(), own.encoded.size()) < 0) Fail(path + " cannot be written");
    }
    ::close(file);
  };
  Answer([&] { Parallel(files.size(), threads, write_file); }, nullptr);
}

void Fill(std::size_t bytes, std::size_t threads, Buffer* buffer) {
  if (buffer->size() != bytes) Buffer(bytes).swap(*buffer);
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  const auto fill = [&](std::size_t i) {
    std::memset(buffer->data() + i * kPiece, 7, std::min(kPiece, bytes - i * kPiece));
  };
  Answer([&] { Parallel((bytes + kPiece - 1) / kPiece, threads, fill); }, nullptr);
}

}  // namespace

int main() {
  Buffer buffer;
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string command;
    std::string what;
    std::string last;
    std::size_t threads = 1;
    words >> command >> what >> threads >> last;
    if (command == "read") Read(Load(what), threads, last == "check", &buffer);
    if (command == "write") Write(Load(what), threads, last);
    if (command == "fill") Fill(std::strtoull(what.c_str(), nullptr, 10), threads, &buffer);
  }
  return 0;
}
