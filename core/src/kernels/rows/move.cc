// Moves elements as they are, by their width.

#include "kernels/rows/move.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows/move.cc"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/rows/copy-inl.h"
#include "kernels/rows/cursor.h"
#include "kernels/rows/each_row-inl.h"
#include "kernels/rows/packed_mover-inl.h"
#include "kernels/rows/run_odometer.h"
#include "kernels/rows/run_task-inl.h"
#include "kernels/rows/small_result-inl.h"
#include "kernels/rows/source-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {

namespace {

HWY_NOINLINE void MoveSmall(const Task& task, size_t bytes) {
  alignas(kVectorBytes) uint8_t vector[kVectorBytes];
  const size_t count = CountOf(task);
  Collect(task, 0, bytes, count, vector);
  StoreFirst(vector, count * bytes, task.out);
}

// `buffer` has kBufferBytes.
HWY_INLINE void MoveRun(Source& source, size_t count, size_t bytes,
                        bool streams, uint8_t* to, uint8_t* buffer) {
  const size_t total = count * bytes;
  // Expanding a run costs no more than copying it from a tile.
  if (source.is_tile() && !streams) {
    source.FetchTo(count, to);
    return;
  }
  const RowOperand fetched = source.Fetch(count);
  const auto* from = static_cast<const uint8_t*>(fetched.data);
  if (fetched.step == 0) {
    if (!streams) {
      Fill(from, to, total);
      return;
    }
    Fill(from, buffer, std::min(total, kBufferBytes));
    for (size_t done = 0; done < total; done += kBufferBytes) {
      StreamCopy(buffer, std::min(total - done, kBufferBytes), to + done);
    }
  } else if (from != to) {
    if (streams) {
      StreamCopy(from, total, to);
    } else {
      Copy(from, total, to);
    }
  }
}

}  // namespace

HWY_NOINLINE void MoveElements(const Task& task, size_t bits) {
  const size_t bytes = bits / 8;
  if (bytes <= sizeof(uint64_t) && FitsVector(task)) {
    MoveSmall(task, bytes);
    return;
  }
  RunOdometer runs(task);
  TileMemory tiles;
  Source source;
  source.Prepare(runs, task, 0, bits,
                 task.streams() ? TileUse::kKept : TileUse::kToResult,
                 tiles.Take(Source::TileBytes(task, 0, bits)));
  Cursor place;
  BeginResult(runs, task, 0, place);
  alignas(kVectorBytes) uint8_t buffer[kBufferBytes];
  // What is expanded straight to the result need not stop where a tile is full.
  const bool joins_runs =
      source.is_tile() && !task.streams() && source.shuffles_continue();
  for (;;) {
    const int64_t following = joins_runs ? runs.following() : 0;
    MoveRun(source, runs.count(following), bytes, task.streams(),
            static_cast<uint8_t*>(task.out) +
                static_cast<size_t>(place.at()) * bytes,
            buffer);
    if (following > 0) {
      runs.Skip(following);
      place.Skip(following);
      source.Skip(following);
    }
    if (!runs.Next()) break;
    source.Follow(runs);
    place.Follow(runs);
  }
  if (task.streams()) hwy::FlushStream();
}

namespace {

struct MoveKernel : Kernel {
  uint8_t element_bits;
};

void RunMove(const Kernel& self, const Task& task) {
  const size_t bits = static_cast<const MoveKernel&>(self).element_bits;
  if (bits < 8) {
    MovePacked(task, bits);
  } else {
    MoveElements(task, bits);
  }
}

template <uint8_t kBits>
constexpr MoveKernel kMove = {{&RunMove}, kBits};

const Kernel* LookupMoveKernel(size_t bits) {
  switch (bits) {
    case 1:
      return &kMove<1>;
    case 4:
      return &kMove<4>;
    case 8:
      return &kMove<8>;
    case 16:
      return &kMove<16>;
    case 32:
      return &kMove<32>;
    case 64:
      return &kMove<64>;
    case 128:
      return &kMove<128>;
    default:
      return nullptr;
  }
}

}  // namespace

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace {
HWY_EXPORT(LookupMoveKernel);
}  // namespace

const Kernel* FindMoveKernel(size_t bits) noexcept {
  return HWY_DYNAMIC_DISPATCH(LookupMoveKernel)(bits);
}

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
#endif  // HWY_ONCE
