// Rows in parallel, with an answer to Ctrl-C.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace cocarde {

// Thrown out of a kernel when the caller asked for the work to stop.
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

// A kernel calls check() now and then inside long loops.
class StopFlag {
 public:
  void request() { stop_.store(true, std::memory_order_relaxed); }
  bool requested() const { return stop_.load(std::memory_order_relaxed); }
  void check() const {
    if (requested()) throw Interrupted();
  }

 private:
  std::atomic<bool> stop_{false};
};

struct ParallelOptions {
  std::size_t threads = 1;
  std::size_t cost = 0;                // bytes or tokens of the whole work: decides whether threads pay
  std::function<bool()> interrupted;   // asked by the calling thread every few milliseconds; may be empty
};

inline constexpr std::size_t kInlineCost = std::size_t{1} << 22;   // one thread, below: run on the caller
inline constexpr std::size_t kCostPerThread = std::size_t{1} << 16;

// Calls body(state, i, stop) for every i in [0, count), each worker with its own make_state().
// Which worker takes which i is left to chance, so body must write only what belongs to i.
// The first exception is rethrown after every worker has stopped.
template <class MakeState, class Body>
void parallel_for(std::size_t count, const ParallelOptions& options, MakeState&& make_state, Body&& body) {
  const std::size_t useful = std::max<std::size_t>(1, options.cost / kCostPerThread);
  const std::size_t threads = std::max<std::size_t>(1, std::min({options.threads, useful, count}));
  StopFlag stop;

  if (threads == 1 && options.cost < kInlineCost) {
    auto state = make_state();
    for (std::size_t i = 0; i < count; ++i) body(state, i, stop);
    return;
  }

  std::atomic<std::size_t> next{0};
  // Small enough to balance uneven segments, large enough that the counter is not contended.
  const std::size_t grain = std::clamp<std::size_t>(count / (threads * 16), 1, 256);
  std::mutex mutex;
  std::condition_variable done;
  std::size_t running = threads;
  std::exception_ptr failure;

  const auto work = [&] {
    try {
      auto state = make_state();
      while (!stop.requested()) {
        const std::size_t begin = next.fetch_add(grain, std::memory_order_relaxed);
        if (begin >= count) break;
        const std::size_t end = std::min(count, begin + grain);
        for (std::size_t i = begin; i < end; ++i) body(state, i, stop);
      }
    } catch (const Interrupted&) {
      // The caller knows: it asked.
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
      stop.request();
    }
    const std::lock_guard lock(mutex);
    --running;
    done.notify_one();
  };

  std::vector<std::thread> workers;
  workers.reserve(threads);
  try {
    for (std::size_t t = 0; t < threads; ++t) workers.emplace_back(work);
  } catch (...) {
    // No more threads to be had: those already running finish the work, and the caller helps.
    {
      const std::lock_guard lock(mutex);
      running -= threads - workers.size();
      ++running;
    }
    work();
  }

  bool interrupted = false;
  {
    std::unique_lock lock(mutex);
    while (running > 0) {
      done.wait_for(lock, std::chrono::milliseconds(30), [&] { return running == 0; });
      if (running > 0 && !interrupted && options.interrupted) {
        lock.unlock();
        if (options.interrupted()) {
          interrupted = true;
          stop.request();
        }
        lock.lock();
      }
    }
  }
  for (std::thread& worker : workers) worker.join();
  if (failure) std::rethrow_exception(failure);
  if (interrupted) throw Interrupted();
}

}  // namespace cocarde
