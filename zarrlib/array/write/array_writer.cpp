// SPDX-License-Identifier: MIT
#include "zarrlib/array/array_writer.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <utility>

#include "zarrlib/array/selection_check.h"
#include "zarrlib/array/write/array_replacement.h"
#include "zarrlib/array/write/chunk_writer.h"
#include "zarrlib/array/write/overlay_pending.h"
#include "zarrlib/array/write/write_operation.h"

namespace zarr {
namespace {

class BufferedWriter final : public ArrayWriter {
 public:
  BufferedWriter(std::shared_ptr<const Array> array, const WriterOptions& options)
      : options_(options), store_(std::make_shared<ChunkWriter>(std::move(array), options)) {}

  const Array& array() const override { return current()->array(); }
  bool Write(const Selection& selection, const ElementSource& source, const WriteOptions& options) override;
  bool Read(const Selection& selection, const Destination& destination, const ReadOptions& options) override;
  bool Flush(const WriteOptions& options) override;
  bool dirty() const override { return !buffer_.empty(); }
  std::size_t pending_bytes() const override { return buffer_.bytes(); }
  void Replace(std::shared_ptr<const Array> array) override;

 private:
  std::shared_ptr<const ChunkWriter> current() const {
    const std::lock_guard lock(mutex_);
    return store_;
  }
  bool sharded(const ChunkWriter& store) const;
  /// Runs `work`. If it throws an error, every later call throws the same one.
  template <typename Function>
  bool Run(const Function& work);
  void ThrowFailure() const;

  const WriterOptions options_;
  PendingChunks buffer_;
  mutable std::mutex mutex_;
  std::shared_ptr<const ChunkWriter> store_;
  std::exception_ptr failure_;
};

bool BufferedWriter::sharded(const ChunkWriter& store) const {
  return store.GetEncoder(store.array().metadata().chunk_grid.max_chunk_shape())->shards() != nullptr;
}

void BufferedWriter::ThrowFailure() const {
  std::exception_ptr failure;
  {
    const std::lock_guard lock(mutex_);
    failure = failure_;
  }
  if (failure) std::rethrow_exception(failure);
  if (!buffer_.lost()) return;
  const std::shared_ptr<const ChunkWriter> store = current();
  throw Error(ErrorKind::kIo, store->array().store().name(), store->array().path(), "",
              "a write of another thread has failed, and elements that waited are lost");
}

template <typename Function>
bool BufferedWriter::Run(const Function& work) {
  bool done = false;
  try {
    done = work();
  } catch (...) {
    {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
    buffer_.Close();
    throw;
  }
  ThrowFailure();  // if another thread's call failed: the buffer has lost the elements that this call wrote to it
  return done;
}

bool BufferedWriter::Write(const Selection& selection, const ElementSource& source, const WriteOptions& options) {
  ThrowFailure();
  const std::shared_ptr<const ChunkWriter> store = current();
  CheckSelection(store->array(), selection, source.strides);
  if (std::find(selection.count.begin(), selection.count.end(), 0u) != selection.count.end()) return true;
  return Run([&] {
    const WriteOperation operation(*store, &buffer_, options_.buffer_limit, options);
    return sharded(*store) ? operation.WriteShards(selection, source) : operation.WriteChunks(selection, source);
  });
}

bool BufferedWriter::Read(const Selection& selection, const Destination& destination, const ReadOptions& options) {
  ThrowFailure();
  const std::shared_ptr<const ChunkWriter> store = current();
  const Array& array = store->array();
  CheckSelection(array, selection, destination.strides);
  const bool is_empty = std::find(selection.count.begin(), selection.count.end(), 0u) != selection.count.end();
  if (is_empty || !dirty()) return array.Read(selection, destination, options);
  if (CanOverlay(array, selection)) {
    const std::uint64_t left = buffer_.left();
    if (!array.Read(selection, destination, options)) return false;
    // A chunk that another thread has stored in between may be missing from both.
    if (OverlayPending(array, &buffer_, selection, destination) && buffer_.left() == left) return true;
  }
  WriteOptions flush;
  flush.threads = options.threads;
  flush.hook = options.hook;
  Flush(flush);
  return array.Read(selection, destination, options);
}

bool BufferedWriter::Flush(const WriteOptions& options) {
  ThrowFailure();
  const std::shared_ptr<const ChunkWriter> store = current();
  return Run([&] {
    const WriteOperation operation(*store, &buffer_, options_.buffer_limit, options);
    return sharded(*store) ? operation.FlushShards() : operation.FlushChunks();
  });
}

void BufferedWriter::Replace(std::shared_ptr<const Array> array) {
  const auto present = current();
  const ArrayMetadata& before = present->array().metadata();
  if (dirty() && (before.shape != array->shape() || FindReplacement(before, array->metadata()))) {
    throw Error(ErrorKind::kInvalidArgument, array->store().name(), array->path(), "",
                "chunks that wait to be written must be flushed before the array is replaced");
  }
  if (array->unsupported()) throw *array->unsupported();
  auto store = std::make_shared<ChunkWriter>(std::move(array), options_);
  const std::lock_guard lock(mutex_);
  store_ = std::move(store);
}

}  // namespace

std::shared_ptr<ArrayWriter> ArrayWriter::Make(std::shared_ptr<const Array> array, const WriterOptions& options) {
  if (array->unsupported()) throw *array->unsupported();
  if (!array->metadata().read_only.empty()) {
    throw Error(ErrorKind::kReadOnly, array->store().name(), array->path(), "", array->metadata().read_only);
  }
  if (!array->store().info().writes) {
    throw Error(ErrorKind::kReadOnly, array->store().name(), array->path(), "", "the store is open for reading only");
  }
  return std::make_shared<BufferedWriter>(std::move(array), options);
}

}  // namespace zarr
