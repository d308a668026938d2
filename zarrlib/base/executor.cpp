// SPDX-License-Identifier: MIT
#include "zarrlib/base/executor.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "zarrlib/base/await.h"
#include "zarrlib/base/system/cpu_choice.h"
#include "zarrlib/base/system/process_id.h"

namespace zarr {
namespace {

constexpr std::size_t kMaxThreads = 256;
constexpr std::chrono::milliseconds kPollInterval{100};

// --- one run ----------------------------------------------------------------------------------------------------

/// State shared by the threads of one run. May outlive the call of ParallelFor, because a helper may arrive late. The
/// objects that it points to do not; only helpers that joined in time use them.
class Run {
 public:
  Run(std::uint64_t count, const std::function<void(std::uint64_t)>& task, const WorkerHook* hook)
      : count_(count), task_(&task), hook_(hook) {}

  /// Returns the CPU of the thread that started the run.
  int cpu() const { return cpu_; }

  /// Called by a pool thread: runs tasks until none are left. Does nothing if the run is over.
  void Help() noexcept;
  /// Called by the calling thread. Returns false if `progress` stopped the run. Throws the error with the lowest index,
  /// or otherwise the error that `progress` threw.
  bool Lead(const std::function<bool(double)>& progress);

 private:
  /// Claims the next index, which no other thread gets. Returns nullopt after `Stop`.
  std::optional<std::uint64_t> Claim();
  void Stop() { next_.store(count_); }
  /// Runs one task. If it throws, the run stops.
  void Perform(std::uint64_t index) noexcept;
  void Fail(std::uint64_t index, std::exception_ptr error);

  bool Join();
  void Leave();
  /// Calls `progress`, and stops the run if it returns false.
  bool Poll(const std::function<bool(double)>& progress) noexcept;
  void AwaitHelpers(const std::function<bool(double)>& progress, bool* going);

  const std::uint64_t count_;
  const std::function<void(std::uint64_t)>* const task_;
  const WorkerHook* const hook_;
  const int cpu_ = GetCurrentCpu();
  std::atomic<std::uint64_t> next_{0};
  std::atomic<std::uint64_t> done_{0};
  std::uint64_t reported_ = 0;  // the value of done_ last reported to `progress`

  std::mutex mutex_;
  std::condition_variable helper_left_;
  std::size_t helpers_ = 0;
  bool closed_ = false;
  std::exception_ptr error_;
  std::uint64_t error_index_ = 0;
};

std::optional<std::uint64_t> Run::Claim() {
  std::uint64_t index = next_.load();
  do {
    if (index >= count_) return std::nullopt;
  } while (!next_.compare_exchange_weak(index, index + 1));
  return index;
}

void Run::Perform(std::uint64_t index) noexcept {
  try {
    (*task_)(index);
    done_.fetch_add(1, std::memory_order_relaxed);
  } catch (...) {
    Fail(index, std::current_exception());
  }
}

void Run::Fail(std::uint64_t index, std::exception_ptr error) {
  Stop();
  const std::lock_guard lock(mutex_);
  if (error_ != nullptr && error_index_ <= index) return;
  error_ = std::move(error);
  error_index_ = index;
}

bool Run::Join() {
  const std::lock_guard lock(mutex_);
  if (closed_ || next_.load() >= count_) return false;
  ++helpers_;
  return true;
}

void Run::Leave() {
  const std::lock_guard lock(mutex_);
  --helpers_;
  // The lock is still held, so that the calling thread cannot leave before this call has ended.
  helper_left_.notify_one();
}

void Run::Help() noexcept {
  if (!Join()) return;
  try {
    const std::shared_ptr<void> token = hook_ ? hook_->Enter() : nullptr;
    while (const auto index = Claim()) Perform(*index);
  } catch (...) {
    // The hook failed. This thread has not claimed a task, so other threads run them all.
  }
  Leave();
}

bool Run::Poll(const std::function<bool(double)>& progress) noexcept {
  if (!progress) return true;
  try {
    reported_ = done_.load(std::memory_order_relaxed);
    if (progress(static_cast<double>(reported_) / static_cast<double>(count_))) return true;
  } catch (...) {
    Fail(std::numeric_limits<std::uint64_t>::max(), std::current_exception());
  }
  Stop();
  return false;
}

void Run::AwaitHelpers(const std::function<bool(double)>& progress, bool* going) {
  std::unique_lock lock(mutex_);
  closed_ = true;
  while (helpers_ > 0) {
    if (!progress || !*going) {
      AwaitChange(&helper_left_, &lock);
      continue;
    }
    helper_left_.wait_for(lock, kPollInterval);
    lock.unlock();
    *going = Poll(progress);
    lock.lock();
  }
}

bool Run::Lead(const std::function<bool(double)>& progress) {
  bool going = true;
  while (const auto index = Claim()) {
    Perform(*index);
    going = Poll(progress);
  }
  AwaitHelpers(progress, &going);
  if (going && error_ == nullptr && reported_ < count_) going = Poll(progress);
  if (error_ != nullptr) std::rethrow_exception(std::exchange(error_, nullptr));
  return going;
}

// --- the threads ------------------------------------------------------------------------------------------------

/// The threads of one process. Never destroyed: a thread may wait in it when the process exits.
class Pool {
 public:
  /// Returns this process's pool. A forked child does not have its parent's threads, and gets its own pool.
  static Pool& Get();

  /// Lets up to `helpers` threads join a run.
  void Offer(const std::shared_ptr<Run>& run, std::size_t helpers);
  void Withdraw(const Run& run);

 private:
  struct Offered {
    std::shared_ptr<Run> run;
    std::size_t helpers;
  };

  explicit Pool(long process) : process_(process) {}
  void Grow(std::size_t wanted);
  void Work();

  const long process_;
  std::mutex mutex_;
  std::condition_variable offered_;
  std::deque<Offered> offers_;
  std::size_t threads_ = 0;
};

Pool& Pool::Get() {
  // There is no mutex here: if another thread held it during a fork, it would stay locked in the child.
  static std::atomic<Pool*> shared{nullptr};
  Pool* pool = shared.load();
  const long process = GetProcessId();
  while (pool == nullptr || pool->process_ != process) {
    auto fresh = std::unique_ptr<Pool>(new Pool(process));
    if (shared.compare_exchange_strong(pool, fresh.get())) pool = fresh.release();
  }
  return *pool;
}

void Pool::Offer(const std::shared_ptr<Run>& run, std::size_t helpers) {
  const std::lock_guard lock(mutex_);
  offers_.push_back({run, helpers});
  Grow(helpers);
  for (std::size_t i = 0; i < helpers; ++i) offered_.notify_one();
}

/// Requires the mutex to be held.
void Pool::Grow(std::size_t wanted) {
  try {
    for (; threads_ < wanted; ++threads_) std::thread([this] { Work(); }).detach();
  } catch (...) {
    // The system cannot start more threads; the existing ones do the work, at least the calling thread.
  }
}

void Pool::Withdraw(const Run& run) {
  const std::lock_guard lock(mutex_);
  std::erase_if(offers_, [&](const Offered& offer) { return offer.run.get() == &run; });
}

void Pool::Work() {
  CpuChoice cpu;
  while (true) {
    std::shared_ptr<Run> run;
    {
      std::unique_lock lock(mutex_);
      offered_.wait(lock, [&] { return !offers_.empty(); });
      run = offers_.front().run;
      if (--offers_.front().helpers == 0) offers_.pop_front();
    }
    cpu.Leave(run->cpu());
    run->Help();
    cpu.Avoid(run->cpu());
  }
}

// --- without helpers --------------------------------------------------------------------------------------------

bool RunAlone(std::uint64_t count, const std::function<bool(double)>& progress,
              const std::function<void(std::uint64_t)>& task) {
  for (std::uint64_t index = 0; index < count; ++index) {
    task(index);
    if (progress && !progress(static_cast<double>(index + 1) / static_cast<double>(count))) return false;
  }
  return true;
}

}  // namespace

std::size_t GetCpuCount() {
  return GetAllowedCpuCount();
}

bool ParallelFor(std::uint64_t count, const ExecutorOptions& options, const std::function<void(std::uint64_t)>& task) {
  std::size_t width = options.width;
  if (count > 1 && width == 0) width = GetCpuCount();
  width = static_cast<std::size_t>(std::min<std::uint64_t>({width, count, kMaxThreads}));
  if (count <= 1 || width <= 1) return RunAlone(count, options.progress, task);

  const auto run = std::make_shared<Run>(count, task, options.hook);
  Pool& pool = Pool::Get();
  pool.Offer(run, width - 1);
  struct Withdrawal {
    Pool& pool;
    const Run& run;
    ~Withdrawal() { pool.Withdraw(run); }
  } const withdrawal{pool, *run};
  return run->Lead(options.progress);
}

}  // namespace zarr
