// Drives the loops of operators through tasks: run by run, each operand is
// handed to the loop as elements side by side or as one element, whatever the
// schedule says it takes to make it so.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/drive.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/copy-inl.h"
#include "kernels/drive-inl.h"
#include "kernels/expand-inl.h"
#include "kernels/packed-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// What is computed beside the result's place, before it goes there.
constexpr size_t kPartBytes = 4096;
// What is computed before it is streamed: little, so that one part is computed
// while the other one goes to memory.
constexpr size_t kStreamBytes = 1024;
// An expanded tile may end with less than a vector.
constexpr size_t kSlackBytes = kVectorBytes;
// Operands that keep a tile of their own; others share one.
constexpr size_t kMostKept = 4;
// Tiles of all of them, of which one operand's may be a span.
constexpr size_t kTilesBytes = Schedule::kSpanBytes +
                               (kMostKept - 1) * Schedule::kTileBytes +
                               kMostKept * kSlackBytes;

// --- Runs -------------------------------------------------------------------

// Walks the runs of a task.
class Cursor {
 public:
  HWY_NOINLINE explicit Cursor(const Task& task)
      : nest_(*task.nest),
        schedule_(*task.schedule),
        left_(task.end - task.begin),
        inside_(schedule_.walks_outer_inside()),
        outer_loops_(schedule_.split() - (inside_ ? 1 : 0)) {
    int64_t rest = task.begin;
    if (inside_) {
      inner_index_ = rest % nest_.extent(outer_loops_);
      rest /= nest_.extent(outer_loops_);
    }
    run_ = rest % schedule_.runs_a_turn();
    rest /= schedule_.runs_a_turn();
    outer_ = rest;
    for (size_t loop = outer_loops_; loop-- > 0;) {
      index_[loop] = rest % nest_.extent(loop);
      rest /= nest_.extent(loop);
    }
  }

  bool done() const { return left_ == 0; }
  // Whether operands begin anew, at OffsetOf.
  bool turns() const { return turns_; }
  int64_t OffsetOf(size_t operand) const {
    int64_t offset = 0;
    for (size_t loop = 0; loop < outer_loops_; ++loop) {
      offset += index_[loop] * nest_.stride(operand, loop);
    }
    if (inside_) {
      offset += inner_index_ * nest_.stride(operand, outer_loops_);
    }
    return offset;
  }
  // The run's number in its turn.
  int64_t run() const { return run_; }
  // Its elements, and how many of the result are before it.
  size_t count() const {
    const int64_t steps =
        std::min(schedule_.run_steps(),
                 schedule_.split_extent() - run_ * schedule_.run_steps());
    return static_cast<size_t>(steps * schedule_.step_elements());
  }
  int64_t element() const {
    const int64_t turn =
        inside_ ? outer_ * nest_.extent(outer_loops_) + inner_index_ : outer_;
    return (turn * schedule_.split_extent() + run_ * schedule_.run_steps()) *
           schedule_.step_elements();
  }

  void Next() {
    --left_;
    turns_ = true;
    if (inside_) {
      if (++inner_index_ < nest_.extent(outer_loops_)) return;
      inner_index_ = 0;
    }
    if (++run_ < schedule_.runs_a_turn()) {
      turns_ = inside_;
      return;
    }
    run_ = 0;
    ++outer_;
    for (size_t loop = outer_loops_; loop-- > 0;) {
      if (++index_[loop] < nest_.extent(loop)) return;
      index_[loop] = 0;
    }
  }

 private:
  // A loop has at least two steps, and all of them together an int64_t.
  static constexpr size_t kMostLoops = 63;

  const LoopNest& nest_;
  const Schedule& schedule_;
  int64_t left_;
  const bool inside_;         // see Schedule::walks_outer_inside
  const size_t outer_loops_;  // that are walked outside of the runs
  int64_t inner_index_ = 0;
  int64_t run_;
  int64_t outer_;
  bool turns_ = true;
  int64_t index_[kMostLoops];
};

// --- Operands ---------------------------------------------------------------

struct Fetched {
  const void* data;
  size_t step;
};

// Hands out memory for tiles.
class Tiles {
 public:
  uint8_t* Take(size_t bytes) {
    uint8_t* const taken = memory_ + used_;
    used_ +=
        (bytes + kVectorBytes - 1) / kVectorBytes * kVectorBytes + kSlackBytes;
    return taken;
  }

 private:
  alignas(kVectorBytes) uint8_t memory_[kTilesBytes];
  size_t used_ = 0;
};

// One operand, run by run.
class Source {
 public:
  // `keeps`: `tile` is this operand's alone until the task is done.
  HWY_NOINLINE void Prepare(const Task& task, size_t operand, size_t bits,
                            bool keeps, uint8_t* tile) {
    const Schedule& schedule = *task.schedule;
    const OperandRun& run = schedule.operand(operand);
    const TaskOperand& memory = task.operands[operand];
    data_ = static_cast<const uint8_t*>(memory.data);
    first_ = memory.first;
    readable_ = memory.readable;
    bits_ = bits;
    bytes_ = bits < 8 ? 1 : bits / 8;
    form_ = run.form;
    spans_ = run.span && keeps;
    tile_ = tile;
    made_count_ = 0;
    run_stride_ = schedule.split() < task.nest->loop_count()
                      ? schedule.run_steps() *
                            task.nest->stride(operand, schedule.split())
                      : 0;
    run_elements_ =
        static_cast<size_t>(schedule.run_steps() * schedule.step_elements());
    tile_elements_ = static_cast<size_t>(
        spans_ ? schedule.tile_elements(operand)
               : schedule.run_steps() * schedule.step_elements());
    if (form_ == RunForm::kTile) {
      expander_.Prepare(*task.nest, operand, schedule.split(),
                        spans_ ? schedule.split_extent() : schedule.run_steps(),
                        bytes_);
    }
  }

  static size_t TileBytes(const Task& task, size_t operand, size_t bits) {
    const size_t bytes = bits < 8 ? 1 : bits / 8;
    // Packed elements are unpacked before they are expanded.
    if (bits < 8) return 2 * Schedule::kTileBytes;
    if (task.schedule->operand(operand).form != RunForm::kTile) return 0;
    return static_cast<size_t>(task.schedule->tile_elements(operand)) * bytes;
  }

  void Turn(int64_t offset) { turn_ = first_ + offset; }

  bool is_tile() const { return form_ == RunForm::kTile; }
  bool is_direct() const { return form_ == RunForm::kDirect; }
  bool spans() const { return spans_; }

  // `count` elements of run `run` of this turn.
  Fetched Fetch(int64_t run, size_t count) {
    const int64_t offset = Offset(run);
    switch (form_) {
      case RunForm::kDirect:
        return {Elements(offset, count, tile_), 1};
      case RunForm::kConstant:
        if (made_count_ == 0 || offset != made_) {
          uint8_t unpacked;
          Splat(Elements(offset, 1, &unpacked), bytes_, splat_);
          made_ = offset;
          made_count_ = 1;
        }
        return {splat_, 0};
      case RunForm::kTile:
        break;
    }
    const int64_t begin = spans_ ? turn_ : offset;
    if (begin != made_ || count > made_count_) {
      made_count_ = spans_ ? tile_elements_ : count;
      ExpandTo(begin, made_count_, tile_,
               tile_ + tile_elements_ * bytes_ + kSlackBytes);
      made_ = begin;
    }
    const size_t skipped =
        spans_ ? static_cast<size_t>(run) * run_elements_ : 0;
    return {tile_ + skipped * bytes_, 1};
  }

  // A tile straight to its place: `count` elements of run `run`.
  void FetchTo(int64_t run, size_t count, uint8_t* to) const {
    expander_.ExpandToResult(data_ + Offset(run) * static_cast<int64_t>(bytes_),
                             data_ + readable_ * static_cast<int64_t>(bytes_),
                             count, to, to + count * bytes_);
  }

  // Where the elements of a direct run lie, in bits.
  uint64_t FirstBit(int64_t run) const {
    return static_cast<uint64_t>(Offset(run)) * bits_;
  }
  const uint8_t* data() const { return data_; }

 private:
  int64_t Offset(int64_t run) const { return turn_ + run * run_stride_; }

  // `count` elements from number `first` on, side by side as bytes. Packed ones
  // are unpacked to `unpacked`.
  const uint8_t* Elements(int64_t first, size_t count,
                          uint8_t* unpacked) const {
    if (bits_ >= 8) return data_ + first * static_cast<int64_t>(bytes_);
    Unpack(data_, static_cast<uint64_t>(first) * bits_, bits_, count, unpacked);
    return unpacked;
  }

  HWY_NOINLINE void ExpandTo(int64_t first, size_t count, uint8_t* to,
                             const uint8_t* limit) const {
    if (bits_ >= 8) {
      expander_.Expand(data_ + first * static_cast<int64_t>(bytes_),
                       data_ + readable_ * static_cast<int64_t>(bytes_), count,
                       to, limit);
      return;
    }
    // Packed: what the tile reads, as bytes, behind the tile.
    uint8_t* const unpacked = tile_ + Schedule::kTileBytes;
    const int64_t reach = std::min(expander_.Reach(), readable_ - first);
    if (!expander_.walks_back() && reach <= Schedule::kTileBytes) {
      Elements(first, static_cast<size_t>(reach), unpacked);
      expander_.Expand(unpacked, unpacked + reach, count, to, limit);
      return;
    }
    expander_.ForEachSource(count, [&](size_t i, int64_t source) {
      Elements(first + source, 1, to + i);
    });
  }

  const uint8_t* data_ = nullptr;
  int64_t first_ = 0;
  int64_t readable_ = 0;
  int64_t turn_ = 0;
  int64_t run_stride_ = 0;
  size_t run_elements_ = 0;
  size_t tile_elements_ = 0;
  size_t bits_ = 0;
  size_t bytes_ = 0;  // of one element where loops see it
  RunForm form_ = RunForm::kDirect;
  bool spans_ = false;
  // What the tile or the splat holds: so many elements from this one on.
  int64_t made_ = 0;
  size_t made_count_ = 0;
  uint8_t* tile_ = nullptr;
  alignas(kVectorBytes) uint8_t splat_[kVectorBytes];
  Expander expander_;
};

// --- Rows -------------------------------------------------------------------

// A row of less than the loop takes is padded.
HWY_NOINLINE void RunPadded(const RowLoop& loop, const Row& row) {
  alignas(kVectorBytes) uint8_t pad[kMostRowOperands][kVectorBytes];
  alignas(kVectorBytes) uint8_t result[kVectorBytes];
  Row padded = row;
  for (size_t k = 0; k < loop.operands; ++k) {
    if (row.step[k] == 0) continue;
    std::memset(pad[k], 0, kVectorBytes);
    std::memcpy(pad[k], row.in[k], row.count * loop.in_bytes[k]);
    padded.in[k] = pad[k];
  }
  padded.out = result;
  padded.count = loop.least_count;
  loop.run(padded);
  std::memcpy(row.out, result, row.count * loop.out_bytes);
}

HWY_INLINE void RunRow(const RowLoop& loop, const Row& row) {
  if (HWY_LIKELY(row.count >= loop.least_count)) {
    loop.run(row);
  } else {
    RunPadded(loop, row);
  }
}

// The elements of a result of few, side by side.
template <class T>
HWY_INLINE void GatherAs(const Task& task, size_t operand, uint8_t* to) {
  const LoopNest& nest = *task.nest;
  const size_t loops = nest.loop_count();
  const TaskOperand& memory = task.operands[operand];
  const auto* data = static_cast<const uint8_t*>(memory.data) +
                     memory.first * static_cast<int64_t>(sizeof(T));
  constexpr int64_t kSize = static_cast<int64_t>(sizeof(T));
  const int64_t columns = loops > 0 ? nest.extent(loops - 1) : 1;
  const int64_t step = loops > 0 ? nest.stride(operand, loops - 1) * kSize : 0;
  const int64_t rows = loops > 1 ? nest.extent(loops - 2) : 1;
  const int64_t row_step =
      loops > 1 ? nest.stride(operand, loops - 2) * kSize : 0;
  int64_t index[6] = {};  // a loop has two steps or more
  for (;;) {
    const uint8_t* row = data;
    for (int64_t r = 0; r < rows; ++r, row += row_step) {
      for (int64_t c = 0; c < columns; ++c, to += sizeof(T)) {
        std::memcpy(to, row + c * step, sizeof(T));
      }
    }
    size_t loop = loops < 2 ? 0 : loops - 2;
    for (; loop-- > 0;) {
      data += nest.stride(operand, loop) * kSize;
      if (++index[loop] < nest.extent(loop)) break;
      data -= nest.stride(operand, loop) * nest.extent(loop) * kSize;
      index[loop] = 0;
    }
    if (loop == SIZE_MAX) return;
  }
}

HWY_INLINE void Gather(const Task& task, size_t operand, size_t bytes,
                       uint8_t* to) {
  switch (bytes) {
    case 1:
      return GatherAs<uint8_t>(task, operand, to);
    case 2:
      return GatherAs<uint16_t>(task, operand, to);
    case 4:
      return GatherAs<uint32_t>(task, operand, to);
    default:
      return GatherAs<uint64_t>(task, operand, to);
  }
}

// `count` elements of an operand to the vector `pad`, and zeros behind them.
HWY_INLINE void Pad(const Task& task, size_t operand, size_t bytes,
                    size_t count, uint8_t* pad) {
  const ByteTag d;
  if (task.schedule->operand(operand).form != RunForm::kDirect) {
    for (size_t i = 0; i < kVectorBytes; i += hn::Lanes(d)) {
      hn::Store(hn::Zero(d), d, pad + i);
    }
    Gather(task, operand, bytes, pad);
    return;
  }
  const TaskOperand& memory = task.operands[operand];
  const auto* from = static_cast<const uint8_t*>(memory.data) +
                     memory.first * static_cast<int64_t>(bytes);
  for (size_t i = 0, left = count * bytes; i < kVectorBytes;
       i += hn::Lanes(d)) {
    const size_t n = std::min(left, hn::Lanes(d));
    hn::Store(hn::LoadN(d, from + i, n), d, pad + i);
    left -= n;
  }
}

// The first `bytes` of a vector to the result.
HWY_INLINE void Unpad(const uint8_t* pad, size_t bytes, void* to) {
  const ByteTag d;
  auto* const out = static_cast<uint8_t*>(to);
  for (size_t i = 0; i < bytes; i += hn::Lanes(d)) {
    hn::StoreN(hn::Load(d, pad + i), d, out + i,
               std::min(bytes - i, hn::Lanes(d)));
  }
}

// Less than a loop takes: all operands are padded, whatever they look like.
HWY_NOINLINE void RunSmall(const RowLoop& loop, bool swapped, const Task& task,
                           size_t count) {
  alignas(kVectorBytes) uint8_t pad[kMostRowOperands][kVectorBytes];
  alignas(kVectorBytes) uint8_t result[kVectorBytes];
  Row row = {{pad[0], pad[1], pad[2]}, {1, 1, 1}, result, loop.least_count};
  for (size_t k = 0; k < loop.operands; ++k) {
    const size_t operand = swapped ? loop.operands - 1 - k : k;
    Pad(task, operand, loop.in_bytes[k], count, pad[k]);
  }
  loop.run(row);
  Unpad(result, count * loop.out_bytes, task.out);
}

// What ForEachRow has to know of an operator with one to three operands.
struct Layout {
  size_t operands;
  size_t in_bytes[kMostRowOperands];
  size_t out_bytes;
  bool swapped;  // the first row is the second operand
  size_t most;   // elements of a row
  // Whether the rows of a streamed task are given their place, and not one
  // beside it.
  bool streams = false;
};

// Calls body(row) for `row`, in parts of at most `most` elements.
template <class Body>
HWY_INLINE void ForEachPart(const Row& row, const Layout& layout,
                            const Body& body) {
  Row part = row;
  size_t left = row.count;
  for (;;) {
    part.count = std::min(left, layout.most);
    body(part);
    left -= part.count;
    if (left == 0) return;
    for (size_t k = 0; k < layout.operands; ++k) {
      part.in[k] = static_cast<const uint8_t*>(part.in[k]) +
                   part.step[k] * part.count * layout.in_bytes[k];
    }
    part.out = static_cast<uint8_t*>(part.out) + part.count * layout.out_bytes;
  }
}

// Calls body(row) for the task, run by run or part by part.
template <class Body>
HWY_INLINE void ForEachRow(const Task& task, Layout layout, const Body& body) {
  Tiles tiles;
  Source sources[kMostRowOperands];
  for (size_t k = 0; k < layout.operands; ++k) {
    const size_t operand = layout.swapped ? layout.operands - 1 - k : k;
    const size_t bits = layout.in_bytes[k] * 8;
    sources[k].Prepare(task, operand, bits, true,
                       tiles.Take(Source::TileBytes(task, operand, bits)));
  }
  alignas(kVectorBytes) uint8_t part_result[kStreamBytes];
  const bool beside_it = task.streams && !layout.streams;
  if (beside_it) {
    layout.most = std::min(layout.most, kStreamBytes / layout.out_bytes);
  }
  Row row = {};
  for (Cursor cursor(task); !cursor.done(); cursor.Next()) {
    row.count = cursor.count();
    for (size_t k = 0; k < layout.operands; ++k) {
      if (cursor.turns()) {
        const size_t operand = layout.swapped ? layout.operands - 1 - k : k;
        sources[k].Turn(cursor.OffsetOf(operand));
      }
      const Fetched fetched = sources[k].Fetch(cursor.run(), row.count);
      row.in[k] = fetched.data;
      row.step[k] = fetched.step;
    }
    row.out = static_cast<uint8_t*>(task.out) +
              static_cast<size_t>(cursor.element()) * layout.out_bytes;
    ForEachPart(row, layout, [&](const Row& part) {
      if (!beside_it) {
        body(part);
        return;
      }
      Row beside = part;
      beside.out = part_result;
      body(beside);
      StreamCopy(part_result, part.count * layout.out_bytes,
                 static_cast<uint8_t*>(part.out));
    });
  }
  if (task.streams) hwy::FlushStream();
}

Layout LayoutOf(const RowLoop& loop, bool swapped) {
  return {loop.operands,
          {loop.in_bytes[0], loop.in_bytes[1], loop.in_bytes[2]},
          loop.out_bytes,
          swapped,
          SIZE_MAX};
}

void RunLoop(const RowLoop& loop, bool swapped, const Task& task) {
  if (task.end == 1) {
    const int64_t count = task.nest->element_count();
    if (count < loop.least_count) {
      RunSmall(loop, swapped, task, static_cast<size_t>(count));
      return;
    }
  }
  Layout layout = LayoutOf(loop, swapped);
  layout.streams = loop.stream != nullptr;
  RowLoop chosen = loop;
  if (task.streams && layout.streams) chosen.run = loop.stream;
  ForEachRow(task, layout, [&](const Row& row) { RunRow(chosen, row); });
}

// The row's operand `k` after the conversion `enter`, in `tile`.
HWY_INLINE Fetched Enter(const RowLoop& enter, const Row& row, size_t k,
                         uint8_t* tile) {
  if (row.step[k] == 0) {
    uint8_t element[kVectorBytes];
    RunRow(enter, {{row.in[k]}, {0}, element, 1});
    Splat(element, enter.out_bytes, tile);
    return {tile, 0};
  }
  RunRow(enter, {{row.in[k]}, {1}, tile, row.count});
  return {tile, 1};
}

// --- Elements moved as they are ---------------------------------------------

// What fits a vector.
HWY_NOINLINE void MoveSmall(const Task& task, size_t bytes, size_t count) {
  alignas(kVectorBytes) uint8_t pad[kVectorBytes];
  Pad(task, 0, bytes, count, pad);
  Unpad(pad, count * bytes, task.out);
}

HWY_NOINLINE void Move(const Task& task, size_t bits) {
  const size_t bytes = bits / 8;
  if (task.end == 1 && bytes <= sizeof(uint64_t)) {
    const int64_t count = task.nest->element_count();
    if (count <= static_cast<int64_t>(kVectorBytes / bytes)) {
      MoveSmall(task, bytes, static_cast<size_t>(count));
      return;
    }
  }
  Tiles tiles;
  Source source;
  source.Prepare(task, 0, bits, true,
                 tiles.Take(Source::TileBytes(task, 0, bits)));
  alignas(kVectorBytes) uint8_t filled[kPartBytes];
  for (Cursor cursor(task); !cursor.done(); cursor.Next()) {
    if (cursor.turns()) source.Turn(cursor.OffsetOf(0));
    const size_t count = cursor.count();
    const size_t total = count * bytes;
    uint8_t* const to = static_cast<uint8_t*>(task.out) +
                        static_cast<size_t>(cursor.element()) * bytes;
    if (source.is_tile() && !source.spans() && !task.streams) {
      source.FetchTo(cursor.run(), count, to);
      continue;
    }
    const Fetched fetched = source.Fetch(cursor.run(), count);
    const auto* from = static_cast<const uint8_t*>(fetched.data);
    if (fetched.step == 0) {
      if (!task.streams) {
        Fill(from, to, total);
        continue;
      }
      Fill(from, filled, std::min(total, kPartBytes));
      for (size_t done = 0; done < total; done += kPartBytes) {
        StreamCopy(filled, std::min(total - done, kPartBytes), to + done);
      }
    } else if (from != to) {
      if (task.streams) {
        StreamCopy(from, total, to);
      } else {
        Copy(from, total, to);
      }
    }
  }
  if (task.streams) hwy::FlushStream();
}

// --- Packed types -----------------------------------------------------------

// Calls body(row, cursor) for each run, of which it sets the count alone.
template <class Body>
HWY_INLINE void ForEachPackedRow(const Task& task, Source* sources,
                                 size_t operands, const Body& body) {
  Row row = {};
  for (Cursor cursor(task); !cursor.done(); cursor.Next()) {
    row.count = cursor.count();
    for (size_t k = 0; k < operands; ++k) {
      if (cursor.turns()) sources[k].Turn(cursor.OffsetOf(k));
    }
    body(row, cursor);
  }
}

HWY_NOINLINE void MovePacked(const Task& task, size_t bits) {
  Tiles tiles;
  Source source;
  source.Prepare(task, 0, bits, true,
                 tiles.Take(Source::TileBytes(task, 0, bits)));
  alignas(kVectorBytes) uint8_t filled[Schedule::kTileBytes + kSlackBytes];
  auto* const out = static_cast<uint8_t*>(task.out);
  ForEachPackedRow(task, &source, 1, [&](const Row& row, const Cursor& cursor) {
    const uint64_t to_bit =
        static_cast<uint64_t>(task.out_first + cursor.element()) * bits;
    if (source.is_direct() &&
        CopyAligned(source.data(), source.FirstBit(cursor.run()), bits,
                    row.count, out, to_bit)) {
      return;
    }
    const Fetched fetched = source.Fetch(cursor.run(), row.count);
    const auto* elements = static_cast<const uint8_t*>(fetched.data);
    if (fetched.step == 0) {
      Fill(elements, filled, row.count);
      elements = filled;
    }
    Pack(elements, bits, row.count, out, to_bit);
  });
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
const char* CompiledTarget() { return hwy::TargetName(HWY_TARGET); }

}  // namespace

void RunElementwise(const Kernel& self, const Task& task) {
  const auto& kernel = static_cast<const ElementwiseKernel&>(self);
  RunLoop(kernel.loop, kernel.swapped, task);
}

void RunThrough(const Kernel& self, const Task& task) {
  const auto& kernel = static_cast<const ThroughKernel&>(self);
  const RowLoop& core = *kernel.core;
  alignas(kVectorBytes) uint8_t tiles[2][kPartBytes];
  alignas(kVectorBytes) uint8_t result[kPartBytes];

  Layout layout = LayoutOf(core, false);
  for (size_t k = 0; k < core.operands; ++k) {
    if (kernel.enter[k] != nullptr) {
      layout.in_bytes[k] = kernel.enter[k]->in_bytes[0];
    }
  }
  if (kernel.leave != nullptr) layout.out_bytes = kernel.leave->out_bytes;
  layout.most = kPartBytes /
                std::max({core.in_bytes[0], core.in_bytes[1], core.out_bytes});

  ForEachRow(task, layout, [&](const Row& row) {
    Row inner = row;
    for (size_t k = 0; k < core.operands; ++k) {
      if (kernel.enter[k] == nullptr) continue;
      const Fetched entered = Enter(*kernel.enter[k], row, k, tiles[k]);
      inner.in[k] = entered.data;
      inner.step[k] = entered.step;
    }
    if (kernel.leave == nullptr) {
      RunRow(core, inner);
    } else {
      inner.out = result;
      RunRow(core, inner);
      RunRow(*kernel.leave, {{result}, {1}, row.out, row.count});
    }
  });
}

void RunFold(const Kernel& self, const Task& task) {
  const auto& kernel = static_cast<const FoldKernel&>(self);
  const size_t bytes = kernel.element_bytes;
  const size_t operands = task.nest->operand_count();
  const RowLoop& step = *kernel.step;
  if (kernel.enter == nullptr && kernel.finish == nullptr) {
    if (operands == 1) {
      Move(task, bytes * 8);
      return;
    }
    if (operands == 2) {
      RunLoop(step, false, task);
      return;
    }
  }

  constexpr size_t kFoldBytes = 2048;
  alignas(kVectorBytes) uint8_t gathered[kFoldBytes];
  alignas(kVectorBytes) uint8_t result[kFoldBytes];
  alignas(kVectorBytes) uint8_t entered[kVectorBytes];
  alignas(kVectorBytes) uint8_t divisor[kVectorBytes];
  if (kernel.finish != nullptr) {
    const double wide = kernel.divides ? static_cast<double>(operands) : 1.0;
    const float narrow = static_cast<float>(wide);
    const bool is_wide = kernel.finish->in_bytes[1] == sizeof(wide);
    uint8_t element[16] = {};  // as wide as any that Splat takes
    std::memcpy(element, &wide, sizeof(wide));
    if (!is_wide) std::memcpy(element, &narrow, sizeof(narrow));
    Splat(element, kernel.finish->in_bytes[1], divisor);
  }

  Tiles tiles;
  Source kept[kMostKept];
  Source shared;
  alignas(kVectorBytes) uint8_t shared_tile[Schedule::kTileBytes + kSlackBytes];
  const size_t kept_count = std::min(operands, kMostKept);
  for (size_t k = 0; k < kept_count; ++k) {
    kept[k].Prepare(task, k, bytes * 8, true,
                    tiles.Take(Source::TileBytes(task, k, bytes * 8)));
  }
  // f32, whatever the operands are.
  const size_t widest = std::max<size_t>(step.in_bytes[0], step.out_bytes);
  const size_t most = kFoldBytes / widest;
  auto* const out = static_cast<uint8_t*>(task.out);
  for (Cursor cursor(task); !cursor.done(); cursor.Next()) {
    if (cursor.turns()) {
      for (size_t k = 0; k < kept_count; ++k) {
        kept[k].Turn(cursor.OffsetOf(k));
      }
    }
    const size_t count = cursor.count();
    for (size_t done = 0; done < count; done += most) {
      const size_t n = std::min(most, count - done);
      uint8_t* const place =
          out + (static_cast<size_t>(cursor.element()) + done) * bytes;
      uint8_t* const to = task.streams ? result : place;
      const auto fetch = [&](size_t k) -> Fetched {
        Source* source = &kept[k < kMostKept ? k : 0];
        if (k >= kMostKept) {
          source = &shared;
          shared.Prepare(task, k, bytes * 8, false, shared_tile);
          shared.Turn(cursor.OffsetOf(k));
        }
        const Fetched fetched = source->Fetch(cursor.run(), count);
        return {static_cast<const uint8_t*>(fetched.data) +
                    fetched.step * done * bytes,
                fetched.step};
      };
      Fetched sum = fetch(0);
      if (kernel.enter != nullptr) {
        sum = Enter(*kernel.enter, {{sum.data}, {sum.step}, nullptr, n}, 0,
                    sum.step == 0 ? entered : gathered);
      }
      for (size_t k = 1; k < operands; ++k) {
        const Fetched next = fetch(k);
        const bool last = k + 1 == operands && kernel.finish == nullptr;
        void* const next_sum = last ? to : gathered;
        RunRow(step,
               {{sum.data, next.data}, {sum.step, next.step}, next_sum, n});
        sum = {next_sum, 1};
      }
      if (kernel.finish != nullptr) {
        RunRow(*kernel.finish, {{sum.data, divisor}, {sum.step, 0}, to, n});
      }
      if (task.streams) StreamCopy(result, n * bytes, place);
    }
  }
  if (task.streams) hwy::FlushStream();
}

void RunMove(const Kernel& self, const Task& task) {
  const size_t bits = static_cast<const MoveKernel&>(self).element_bits;
  if (bits < 8) {
    MovePacked(task, bits);
  } else {
    Move(task, bits);
  }
}

void RunPackedWhere(const Kernel& self, const Task& task) {
  const auto& kernel = static_cast<const ByPartsKernel&>(self);
  const size_t bits = kernel.element_bits;
  Tiles tiles;
  Source sources[kMostRowOperands];
  for (size_t k = 0; k < kMostRowOperands; ++k) {
    const size_t operand_bits = k == 0 ? 8 : bits;
    sources[k].Prepare(task, k, operand_bits, true,
                       tiles.Take(Source::TileBytes(task, k, operand_bits)));
  }
  alignas(kVectorBytes) uint8_t result[Schedule::kTileBytes];
  auto* const out = static_cast<uint8_t*>(task.out);
  ForEachPackedRow(
      task, sources, kMostRowOperands, [&](Row& row, const Cursor& cursor) {
        for (size_t k = 0; k < kMostRowOperands; ++k) {
          const Fetched fetched = sources[k].Fetch(cursor.run(), row.count);
          row.in[k] = fetched.data;
          row.step[k] = fetched.step;
        }
        row.out = result;
        RunRow(*kernel.loop, row);
        Pack(result, bits, row.count, out,
             static_cast<uint64_t>(task.out_first + cursor.element()) * bits);
      });
}

void RunWideWhere(const Kernel& self, const Task& task) {
  const auto& kernel = static_cast<const ByPartsKernel&>(self);
  const RowLoop& half = *kernel.loop;
  alignas(kVectorBytes) uint8_t twice[kPartBytes / 8];
  const Layout layout = {3, {1, 16, 16}, 16, false, kPartBytes / 16};
  ForEachRow(task, layout, [&](const Row& row) {
    Row halves = row;
    halves.count = row.count * 2;
    if (row.step[0] != 0) {
      const auto* condition = static_cast<const uint8_t*>(row.in[0]);
      for (size_t i = 0; i < row.count; ++i) {
        twice[2 * i] = twice[2 * i + 1] = condition[i];
      }
      halves.in[0] = twice;
    }
    RunRow(half, halves);
  });
}

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
HWY_EXPORT(CompiledTarget);
}  // namespace

const char* TargetName() noexcept {
  return HWY_DYNAMIC_DISPATCH(CompiledTarget)();
}

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
#endif  // HWY_ONCE
