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
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace cocarde {

// Thrown out of a kernel when the caller asked for the work to stop.
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

// A kernel calls check() now and then inside long loops. On the calling thread that also asks, every
// few milliseconds, whether the caller was interrupted.
class StopFlag {
 public:
  using Clock = std::chrono::steady_clock;

  // `interrupted` is asked by the thread that owns this flag only; it may be empty.
  StopFlag(std::atomic<bool>& requested, std::function<bool()> interrupted)
      : requested_(requested), interrupted_(std::move(interrupted)), asked_(Clock::now()) {}

  void check() const {
    if (requested_.load(std::memory_order_relaxed)) throw Interrupted();
    if (!interrupted_) return;
    const Clock::time_point now = Clock::now();
    if (now - asked_ < std::chrono::milliseconds(30)) return;
    asked_ = now;
    if (interrupted_()) {
      requested_.store(true, std::memory_order_relaxed);
      throw Interrupted();
    }
  }

 private:
  std::atomic<bool>& requested_;
  std::function<bool()> interrupted_;
  mutable Clock::time_point asked_;
};

// For loops of a few nanoseconds a step: asks once in 65,536 steps.
inline void pause(std::size_t step, const StopFlag& stop) {
  if ((step & 0xFFFF) == 0xFFFF) stop.check();
}

// The same for pieces of work of many sizes: asks once in so many steps of all together.
class Pace {
 public:
  void step(std::size_t work, const StopFlag& stop) {
    done_ += work;
    if (done_ < (std::size_t{1} << 16)) return;
    done_ = 0;
    stop.check();
  }

 private:
  std::size_t done_ = 0;
};

struct ParallelOptions {
  std::size_t threads = 1;
  std::size_t cost = 0;               // bytes or tokens of the whole work: decides whether threads pay
  std::function<bool()> interrupted;  // asked by the calling thread every few milliseconds; may be empty
};

inline constexpr std::size_t kCostPerThread = std::size_t{1} << 16;

// Calls body(state, i, stop) for every i in [0, count), each thread with its own make_state(). The
// calling thread does its share: with one thread there is no other. Which thread takes which i is left
// to chance, so body must write only what belongs to i. The first exception is rethrown after every
// thread has stopped.
template <class MakeState, class Body>
void parallel_for(std::size_t count, const ParallelOptions& options, MakeState&& make_state, Body&& body) {
  const std::size_t useful = std::max<std::size_t>(1, options.cost / kCostPerThread);
  const std::size_t threads = std::max<std::size_t>(1, std::min({options.threads, useful, count}));
  // Small enough to balance uneven segments, large enough that the counter is not contended.
  const std::size_t grain = std::clamp<std::size_t>(count / (threads * 16), 1, 64);
  std::atomic<bool> requested{false};
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::condition_variable done;
  std::size_t ended = 0;
  bool interrupted = false;
  std::exception_ptr failure;

  const auto work = [&](const StopFlag& stop) {
    try {
      auto state = make_state();
      for (;;) {
        stop.check();
        const std::size_t begin = next.fetch_add(grain, std::memory_order_relaxed);
        if (begin >= count) break;
        const std::size_t end = std::min(count, begin + grain);
        for (std::size_t i = begin; i < end; ++i) body(state, i, stop);
      }
    } catch (const Interrupted&) {
      // Whoever asked for it knows; a worker was told by a flag that is explained elsewhere.
      const std::lock_guard lock(mutex);
      interrupted = true;
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
      requested.store(true, std::memory_order_relaxed);
    }
  };

  std::vector<std::thread> workers;
  workers.reserve(threads - 1);
  while (workers.size() + 1 < threads) {
    try {
      workers.emplace_back([&] {
        work(StopFlag(requested, {}));
        const std::lock_guard lock(mutex);
        ++ended;
        done.notify_one();
      });
    } catch (const std::system_error&) {
      break;  // no more threads to be had: those that run, and the caller, do the work
    }
  }
  const StopFlag stop(requested, options.interrupted);
  work(stop);
  {
    std::unique_lock lock(mutex);
    while (!done.wait_for(lock, std::chrono::milliseconds(30), [&] { return ended == workers.size(); })) {
      if (interrupted || failure) continue;
      lock.unlock();
      bool stopped = false;
      try {
        stop.check();
      } catch (const Interrupted&) {
        stopped = true;
      }
      lock.lock();
      interrupted |= stopped;
    }
  }
  for (std::thread& worker : workers) worker.join();
  if (failure) std::rethrow_exception(failure);
  if (interrupted) throw Interrupted();
}

}  // namespace cocarde
