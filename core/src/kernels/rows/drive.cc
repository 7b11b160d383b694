// Drives the loops of operators through tasks: run by run, each operand is
// handed to the loop as elements side by side or as one element, whatever the
// schedule says it takes to make it so.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "kernels/rows/row.h"
#include "kernels/rows/walk.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows/drive.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/rows/copy-inl.h"
#include "kernels/rows/drive-inl.h"
#include "kernels/rows/expand-inl.h"
#include "kernels/rows/packed-inl.h"

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
// Operands that can keep tiles of their own.
constexpr size_t kMostKept = kMostRowOperands;
// Tiles of all of them, and what is kept beside (schedule.h).
constexpr size_t kTilesBytes =
    kMostKept * Schedule::kTileBytes + Schedule::kKeptBytes;

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
    used_ += bytes;
    return taken;
  }

 private:
  alignas(kVectorBytes) uint8_t memory_[kTilesBytes];
  size_t used_ = 0;
};

// What becomes of an operand's tiles: they are kept as the schedule says, in
// memory of its own; made for the run at hand alone, in memory that others use
// as well; or expanded to the result for each run.
enum class TileUse : uint8_t { kKept, kLent, kMoved };

// One operand, run by run.
class Source {
 public:
  HWY_NOINLINE void Prepare(const Walk& walk, const Task& task, size_t operand,
                            size_t bits, TileUse use, uint8_t* tiles) {
    const Schedule& schedule = task.work->schedule;
    const OperandRun& run = schedule.operand(operand);
    data_ = static_cast<const uint8_t*>(task.operands[operand].data);
    readable_ = task.operands[operand].Readable(bits);
    has_gaps_ = task.operands[operand].has_gaps();
    bits_ = bits;
    bytes_ = bits < 8 ? 1 : bits / 8;
    form_ = run.form;
    BeginOperand(walk, task, operand, first_);
    tiles_ = tiles;
    made_[0] = kNothing;
    several_ = use == TileUse::kKept && run.tiles > 1;
    fresh_ = run.serves == 1 && bits >= 8 && use == TileUse::kKept;
    if (form_ != RunForm::kTile) return;
    const int64_t run_elements =
        schedule.run_steps() * schedule.step_elements();
    const int64_t elements = use == TileUse::kLent ? run_elements
                             : use == TileUse::kMoved
                                 ? task.work->nest.element_count()
                                 : task.work->nest.element_count() / run.serves;
    expander_.Prepare(task.work->nest, operand, schedule.split(),
                      schedule.run_steps(), bytes_, elements, Expanded(),
                      bits >= 8 && has_gaps_, bits >= 8, fresh_);
    tile_bytes_ = static_cast<size_t>(
        Schedule::WholeVectors(run_elements * static_cast<int64_t>(bytes_)));
    if (several_) PrepareSeveral(walk, task, operand, run.tiles);
  }

  static size_t TileBytes(const Task& task, size_t operand, size_t bits) {
    // Packed elements are unpacked before they are expanded.
    if (bits < 8) return 2 * Schedule::kTileBytes;
    const OperandRun& run = task.work->schedule.operand(operand);
    if (run.form != RunForm::kTile) return 0;
    const int64_t elements =
        task.work->schedule.run_steps() * task.work->schedule.step_elements();
    return run.tiles * static_cast<size_t>(Schedule::WholeVectors(
                           elements * static_cast<int64_t>(bits / 8)));
  }

  // Goes on as the walk did.
  HWY_INLINE void Follow(const Walk& walk) {
    first_.Follow(walk);
    if (several_) number_.Follow(walk);
  }

  bool is_tile() const { return form_ == RunForm::kTile; }

  // The `count` elements of the run.
  HWY_INLINE Fetched Fetch(size_t count) {
    const int64_t first = first_.at();
    switch (form_) {
      case RunForm::kDirect:
        if (HWY_LIKELY(bits_ >= 8)) {
          return {data_ + first * static_cast<int64_t>(bytes_), 1};
        }
        return {Elements(first, count, tiles_), 1};
      case RunForm::kConstant:
        if (first != made_[0]) {
          uint8_t unpacked;
          Splat(Elements(first, 1, &unpacked), bytes_, splat_);
          made_[0] = first;
        }
        return {splat_, 0};
      case RunForm::kTile:
        break;
    }
    const size_t number = several_ ? static_cast<size_t>(number_.at()) : 0;
    uint8_t* const tile = tiles_ + number * tile_bytes_;
    if (first != made_[number] || count > made_count_[number]) {
      ExpandTo(first, count, tile, tile + tile_bytes_);
      made_[number] = first;
      made_count_[number] = static_cast<uint16_t>(count);
    }
    return {tile, 1};
  }

  // Whether the run is best left to a loop that shuffles.
  bool is_shuffles() const { return fresh_ && expander_.is_shuffles(); }
  bool AsShuffles(size_t count, Shuffles& out) const {
    return expander_.AsShuffles(
        data_ + first_.at() * static_cast<int64_t>(bytes_), count, out);
  }

  // Whether the runs of a turn are more of the same shuffles.
  bool shuffles_go_on() const { return expander_.goes_on(); }
  void Skip(int64_t following) { first_.Skip(following); }

  // A tile straight to its place.
  void FetchTo(size_t count, uint8_t* to) const {
    expander_.ExpandToResult(data_ + first_.at() * static_cast<int64_t>(bytes_),
                             count, to, to + count * bytes_);
  }

 private:
  static constexpr int64_t kNothing = -1;

  // Numbers the tiles by the innermost levels that the operand walks, as many
  // as the schedule says.
  void PrepareSeveral(const Walk& walk, const Task& task, size_t operand,
                      size_t tiles) {
    for (size_t i = 0; i < tiles; ++i) made_[i] = kNothing;
    int64_t numbered = 1;
    number_.Begin(walk, 0, [&](size_t level) -> int64_t {
      const size_t loop =
          walk.is_run(level) ? task.work->schedule.split() : walk.loop(level);
      if (task.work->nest.stride(operand, loop) == 0 ||
          numbered == static_cast<int64_t>(tiles)) {
        return 0;
      }
      const int64_t stride = numbered;
      numbered *= walk.extent(level);
      return stride;
    });
  }

  // Where tiles are made from. Packed elements are unpacked for each of them,
  // behind the tile.
  std::span<const uint8_t> Expanded() const {
    if (bits_ < 8) return {tiles_ + Schedule::kTileBytes, Schedule::kTileBytes};
    return {data_, static_cast<size_t>(readable_) * bytes_};
  }

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
      expander_.Expand(data_ + first * static_cast<int64_t>(bytes_), count, to,
                       limit);
      return;
    }
    const int64_t reach = std::min(expander_.Reach(), readable_ - first);
    if (!expander_.walks_back() && reach <= Schedule::kTileBytes &&
        !has_gaps_) {
      uint8_t* const unpacked = tiles_ + Schedule::kTileBytes;
      Elements(first, static_cast<size_t>(reach), unpacked);
      expander_.Expand(unpacked, count, to, limit);
      return;
    }
    expander_.ForEachSource(count, [&](size_t i, int64_t source) {
      to[i] = UnpackOne(data_, static_cast<uint64_t>(first + source) * bits_,
                        bits_);
    });
  }

  const uint8_t* data_ = nullptr;
  int64_t readable_ = 0;
  bool has_gaps_ = false;
  size_t bits_ = 0;
  size_t bytes_ = 0;  // of one element where loops see it
  RunForm form_ = RunForm::kDirect;
  bool several_ = false;  // tiles are kept
  bool fresh_ = false;    // a tile would serve one run alone
  Position first_;        // the run's first element
  Position number_;       // the run's tile
  uint8_t* tiles_ = nullptr;
  size_t tile_bytes_ = 0;
  // What the tiles hold, or the splat: so many elements from this one on.
  int64_t made_[Schedule::kMostTiles];
  uint16_t made_count_[Schedule::kMostTiles];
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

// A row that ends within a block: with a block that overlaps another one. In
// place its operands would by then be results, so it is computed first, beside
// its place.
HWY_NOINLINE void RunBlocks(const RowLoop& loop, const Row& row) {
  alignas(kVectorBytes) uint8_t result[kVectorBytes];
  const size_t block = loop.least_count;
  const size_t begin = row.count - block;
  Row last = row;
  for (size_t k = 0; k < loop.operands; ++k) {
    last.in[k] = static_cast<const uint8_t*>(row.in[k]) +
                 begin * row.step[k] * loop.in_bytes[k];
  }
  last.out = result;
  last.count = block;
  loop.run(last);
  Row whole = row;
  whole.count -= whole.count % block;
  loop.run(whole);
  Copy(result, block * loop.out_bytes,
       static_cast<uint8_t*>(row.out) + begin * loop.out_bytes);
}

HWY_INLINE void RunRow(const RowLoop& loop, const Row& row) {
  if (HWY_UNLIKELY(row.count < loop.least_count)) {
    RunPadded(loop, row);
  } else if (kLoopsTakeBlocks && loop.takes_blocks &&
             (row.count & (size_t{loop.least_count} - 1)) != 0) {
    RunBlocks(loop, row);
  } else {
    loop.run(row);
  }
}

// The elements of a result of few, side by side.
template <class T>
HWY_INLINE void GatherAs(const Task& task, size_t operand, uint8_t* to) {
  const LoopNest& nest = task.work->nest;
  const size_t loops = nest.loop_count();
  const OperandMemory& memory = task.operands[operand];
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

// Few operands lie so far apart, and all others would wait for its frame.
HWY_NOINLINE void Gather(const Task& task, size_t operand, size_t bytes,
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

// Whether a result that fits the widest vector of any target can be more than
// one here.
constexpr bool kVectorsShort =
    HWY_MAX_BYTES < Schedule::kVectorBytes || HWY_HAVE_SCALABLE;

// The first `bytes` of a vector of the widest kind, of which so many may be
// read.
HWY_INLINE void LoadFirst(const uint8_t* from, size_t bytes, size_t readable,
                          uint8_t* to) {
  const ByteTag d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  do {
    // To load a part of a short vector is a call.
    const auto v = kVectorsShort && i + lanes <= readable
                       ? LoadFrom(d, from + i)
                       : LoadLanes(d, from + i, bytes - i);
    hn::Store(v, d, to + i);
    i += lanes;
  } while (kVectorsShort && i < bytes);
}

// The tile of an operand that is a shuffle of its elements.
template <class T>
HWY_INLINE void ShuffleAs(const uint8_t* from, size_t readable,
                          const uint8_t* shuffle, size_t count, uint8_t* to) {
  const hn::CappedTag<T, kVectorBytes / sizeof(T)> d;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  const size_t lanes = hn::Lanes(d);
  const T* const source = reinterpret_cast<const T*>(from);
  T* const tile = reinterpret_cast<T*>(to);
  const size_t read = size_t{shuffle[count - 1]} + 1;
  if (read > lanes) {
    const auto* const elements = reinterpret_cast<const Unaligned<T>*>(from);
    for (size_t i = 0; i < count; ++i) tile[i] = elements[shuffle[i]].value;
    return;
  }
  const auto v = kVectorsShort && lanes * sizeof(T) <= readable
                     ? LoadFrom(d, source)
                     : LoadLanes(d, source, read);
  size_t i = 0;
  do {
    const auto loaded = LoadFrom(d8, shuffle + i);
    auto indices = hn::Undefined(d);
    if constexpr (sizeof(T) == 1) {
      indices = loaded;
    } else {
      indices = hn::PromoteTo(d, loaded);
    }
    hn::Store(hn::TableLookupLanes(v, hn::IndicesFromVec(d, indices)), d,
              tile + i);
    i += lanes;
  } while (kVectorsShort && i < count);
}

HWY_INLINE void Shuffle(const uint8_t* from, size_t readable,
                        const uint8_t* shuffle, size_t bytes, size_t count,
                        uint8_t* to) {
  switch (bytes) {
    case 1:
      return ShuffleAs<uint8_t>(from, readable, shuffle, count, to);
    case 2:
      return ShuffleAs<uint16_t>(from, readable, shuffle, count, to);
    case 4:
      return ShuffleAs<uint32_t>(from, readable, shuffle, count, to);
    default:
      return ShuffleAs<uint64_t>(from, readable, shuffle, count, to);
  }
}

// With short vectors it is long.
#undef BROADLOOM_INLINE_COLLECT
#if HWY_MAX_BYTES < 64
#define BROADLOOM_INLINE_COLLECT HWY_NOINLINE
#else
#define BROADLOOM_INLINE_COLLECT HWY_INLINE
#endif

// An operand of a result that fits the widest vector, as one: `count` elements
// side by side. What is behind them are numbers, too.
BROADLOOM_INLINE_COLLECT void Collect(const Task& task, size_t operand,
                                      size_t bytes, size_t count, uint8_t* to) {
  const Schedule& schedule = task.work->schedule;
  const OperandMemory& memory = task.operands[operand];
  const int64_t first = memory.first * static_cast<int64_t>(bytes);
  const auto* from = static_cast<const uint8_t*>(memory.data) + first;
  const size_t readable =
      static_cast<size_t>(memory.bytes - static_cast<uint64_t>(first));
  switch (schedule.operand(operand).form) {
    case RunForm::kDirect:
      return LoadFirst(from, count * bytes, readable, to);
    case RunForm::kConstant:
      return Splat(from, bytes, to);
    case RunForm::kTile:
      break;
  }
  const uint8_t* const shuffle = schedule.shuffle(operand);
  if (shuffle != nullptr && !memory.has_gaps()) {
    return Shuffle(from, readable, shuffle, bytes, count, to);
  }
  std::memset(to, 0, kVectorBytes);
  Gather(task, operand, bytes, to);
}

// The same to the result.
HWY_INLINE void StoreFirst(const uint8_t* from, size_t bytes, void* to) {
  const ByteTag d;
  const size_t lanes = hn::Lanes(d);
  uint8_t* const out = static_cast<uint8_t*>(to);
  size_t i = 0;
  if constexpr (kVectorsShort) {
    for (; i + lanes <= bytes; i += lanes) {
      StoreTo(hn::Load(d, from + i), d, out + i);
    }
    if (i == bytes) return;
  }
  StoreLanes(d, hn::Load(d, from + i), out + i, bytes - i);
}

// Whether the task is a whole result that fits the widest vector of any target,
// and its elements.
HWY_INLINE bool FitsVector(const Task& task) {
  return task.end == 1 && task.work->schedule.FitsVector(kVectorBytes);
}
HWY_INLINE size_t CountOf(const Task& task) {
  return static_cast<size_t>(task.work->schedule.split_extent() *
                             task.work->schedule.step_elements());
}

// What fits a vector: one row, whatever the operands look like.
HWY_NOINLINE void RunVector(const RowLoop& loop, bool swapped,
                            const Task& task) {
  alignas(kVectorBytes) uint8_t in[kMostRowOperands][kVectorBytes];
  alignas(kVectorBytes) uint8_t result[kVectorBytes];
  const size_t count = CountOf(task);
  for (size_t k = 0; k < loop.operands; ++k) {
    const size_t operand = swapped ? loop.operands - 1 - k : k;
    Collect(task, operand, loop.in_bytes[k], count, in[k]);
  }
  const size_t least = loop.least_count;
  const size_t padded = kLoopsTakeBlocks && loop.takes_blocks
                            ? (count + least - 1) / least * least
                            : std::max(count, least);
  loop.run({{in[0], in[1], in[2]}, {1, 1, 1}, result, padded});
  StoreFirst(result, count * loop.out_bytes, task.out);
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
  // Operands that the loop can shuffle by itself.
  bool shuffles[2] = {false, false};
};

// Calls body(part, null) for the parts of `row`, of at most `most` elements;
// `row` becomes each of them in turn. Not a copy of it: to read at once what
// has just been written word by word would wait for all stores before.
template <class Body>
HWY_INLINE void ForEachPart(Row& row, const Layout& layout, const Body& body) {
  size_t left = row.count;
  for (;;) {
    row.count = std::min(left, layout.most);
    body(row, nullptr);
    left -= row.count;
    if (left == 0) return;
    for (size_t k = 0; k < layout.operands; ++k) {
      row.in[k] = static_cast<const uint8_t*>(row.in[k]) +
                  row.step[k] * row.count * layout.in_bytes[k];
    }
    row.out = static_cast<uint8_t*>(row.out) + row.count * layout.out_bytes;
  }
}

// Calls body(row, shuffles) for the task, run by run or part by part. Shuffles,
// of one operand, are only for loops that can; else null.
template <size_t kMostOperands, class Body>
HWY_INLINE void ForEachRow(const Task& task, Layout layout, const Body& body) {
  Walk walk(task);
  Tiles tiles;
  Source sources[kMostOperands];
  for (size_t k = 0; k < layout.operands; ++k) {
    const size_t operand = layout.swapped ? layout.operands - 1 - k : k;
    const size_t bits = layout.in_bytes[k] * 8;
    sources[k].Prepare(walk, task, operand, bits, TileUse::kKept,
                       tiles.Take(Source::TileBytes(task, operand, bits)));
  }
  Position place;
  BeginResult(walk, task, 0, place);
  alignas(kVectorBytes) uint8_t part_result[kStreamBytes];
  const bool beside_it = task.streams() && !layout.streams;
  if (beside_it) {
    layout.most = std::min(layout.most, kStreamBytes / layout.out_bytes);
  }
  size_t shuffled = layout.operands;
  for (size_t k = 0; kLoopsShuffle && k < 2; ++k) {
    if (layout.shuffles[k] && sources[k].is_shuffles()) shuffled = k;
  }
  // What is shuffled needs no tile: without any other the runs of a turn can be
  // one.
  bool joins_runs = kLoopsShuffle && shuffled < layout.operands &&
                    sources[shuffled].shuffles_go_on();
  for (size_t k = 0; k < layout.operands; ++k) {
    joins_runs = joins_runs && (k == shuffled || !sources[k].is_tile());
  }
  Row row = {};
  Shuffles shuffles;
  for (;;) {
    int64_t following = joins_runs ? walk.following() : 0;
    row.count = walk.count(following);
    bool shuffles_run = false;
    while (kLoopsShuffle && shuffled < layout.operands) {
      shuffles_run = sources[shuffled].AsShuffles(row.count, shuffles);
      if (shuffles_run || following == 0) break;
      // The last runs may have to be read from a copy of the operand's end.
      following /= 2;
      row.count = walk.count(following);
    }
    for (size_t k = 0; k < layout.operands; ++k) {
      if (shuffles_run && k == shuffled) continue;
      const Fetched fetched = sources[k].Fetch(row.count);
      row.in[k] = fetched.data;
      row.step[k] = fetched.step;
    }
    row.out = static_cast<uint8_t*>(task.out) +
              static_cast<size_t>(place.at()) * layout.out_bytes;
    if (shuffles_run) {
      shuffles.operand = shuffled;
      body(row, &shuffles);
    } else if (!beside_it) {
      ForEachPart(row, layout, body);
    } else {
      ForEachPart(row, layout, [&](Row& part, const Shuffles*) {
        uint8_t* const to_stream = static_cast<uint8_t*>(part.out);
        part.out = part_result;
        body(part, nullptr);
        part.out = to_stream;
        StreamCopy(part_result, part.count * layout.out_bytes, to_stream);
      });
    }
    if (following > 0) {
      walk.Skip(following);
      place.Skip(following);
      for (size_t k = 0; k < layout.operands; ++k) sources[k].Skip(following);
    }
    if (!walk.Next()) break;
    for (size_t k = 0; k < layout.operands; ++k) sources[k].Follow(walk);
    place.Follow(walk);
  }
  if (task.streams()) hwy::FlushStream();
}

Layout LayoutOf(const RowLoop& loop, bool swapped) {
  return {loop.operands,
          {loop.in_bytes[0], loop.in_bytes[1], loop.in_bytes[2]},
          loop.out_bytes,
          swapped,
          SIZE_MAX};
}

HWY_NOINLINE void RunRows(const RowLoop& loop, bool swapped, const Task& task) {
  Layout layout = LayoutOf(loop, swapped);
  // No vector of elements that are not aligned is.
  const auto address = reinterpret_cast<uintptr_t>(task.out);
  layout.streams =
      loop.stream != nullptr && address % size_t{loop.out_bytes} == 0;
  for (size_t k = 0; k < 2; ++k) {
    layout.shuffles[k] = !task.streams() && loop.shuffle[k] != nullptr;
  }
  RowLoop chosen = loop;
  if (task.streams() && layout.streams) chosen.run = loop.stream;
  ForEachRow<kMostRowOperands>(
      task, layout, [&](const Row& row, const Shuffles* shuffles) {
        if (shuffles != nullptr) {
          chosen.shuffle[shuffles->operand](row, *shuffles);
        } else {
          RunRow(chosen, row);
        }
      });
}

// Not one function of both, whose frame what fits a vector would wait for.
HWY_INLINE void RunLoop(const RowLoop& loop, bool swapped, const Task& task) {
  return FitsVector(task) ? RunVector(loop, swapped, task)
                          : RunRows(loop, swapped, task);
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
HWY_NOINLINE void MoveVector(const Task& task, size_t bytes) {
  alignas(kVectorBytes) uint8_t vector[kVectorBytes];
  const size_t count = CountOf(task);
  Collect(task, 0, bytes, count, vector);
  StoreFirst(vector, count * bytes, task.out);
}

// `filled` has kPartBytes.
HWY_INLINE void MoveRun(Source& source, size_t count, size_t bytes,
                        bool streams, uint8_t* to, uint8_t* filled) {
  const size_t total = count * bytes;
  // To expand it costs no more than to copy a tile.
  if (source.is_tile() && !streams) {
    source.FetchTo(count, to);
    return;
  }
  const Fetched fetched = source.Fetch(count);
  const auto* from = static_cast<const uint8_t*>(fetched.data);
  if (fetched.step == 0) {
    if (!streams) {
      Fill(from, to, total);
      return;
    }
    Fill(from, filled, std::min(total, kPartBytes));
    for (size_t done = 0; done < total; done += kPartBytes) {
      StreamCopy(filled, std::min(total - done, kPartBytes), to + done);
    }
  } else if (from != to) {
    if (streams) {
      StreamCopy(from, total, to);
    } else {
      Copy(from, total, to);
    }
  }
}

HWY_NOINLINE void Move(const Task& task, size_t bits) {
  const size_t bytes = bits / 8;
  if (bytes <= sizeof(uint64_t) && FitsVector(task)) {
    MoveVector(task, bytes);
    return;
  }
  Walk walk(task);
  Tiles tiles;
  Source source;
  source.Prepare(walk, task, 0, bits,
                 task.streams() ? TileUse::kKept : TileUse::kMoved,
                 tiles.Take(Source::TileBytes(task, 0, bits)));
  Position place;
  BeginResult(walk, task, 0, place);
  alignas(kVectorBytes) uint8_t filled[kPartBytes];
  // What goes straight to its place need not stop where a tile is full.
  const bool joins_runs =
      source.is_tile() && !task.streams() && source.shuffles_go_on();
  for (;;) {
    const int64_t following = joins_runs ? walk.following() : 0;
    MoveRun(source, walk.count(following), bytes, task.streams(),
            static_cast<uint8_t*>(task.out) +
                static_cast<size_t>(place.at()) * bytes,
            filled);
    if (following > 0) {
      walk.Skip(following);
      place.Skip(following);
      source.Skip(following);
    }
    if (!walk.Next()) break;
    source.Follow(walk);
    place.Follow(walk);
  }
  if (task.streams()) hwy::FlushStream();
}

// --- Packed types -----------------------------------------------------------

// Calls body(row, first element of the result) for each run, of which it sets
// the count alone. The sources are made ready.
template <class Body>
HWY_INLINE void ForEachPackedRow(const Task& task, Walk& walk, Source* sources,
                                 size_t operands, const Body& body) {
  Position place;
  BeginResult(walk, task, task.out_first, place);
  Row row = {};
  for (;;) {
    row.count = walk.count();
    body(row, static_cast<uint64_t>(place.at()));
    if (!walk.Next()) return;
    for (size_t k = 0; k < operands; ++k) sources[k].Follow(walk);
    place.Follow(walk);
  }
}

// How many elements of the result are before run `run`.
int64_t ElementsBefore(const Schedule& schedule, int64_t run) {
  const int64_t turns = run / schedule.runs_a_turn();
  const int64_t steps = run % schedule.runs_a_turn() * schedule.run_steps();
  return (turns * schedule.split_extent() + steps) * schedule.step_elements();
}

// All runs at once: they lie side by side in the result.
HWY_NOINLINE void MovePacked(const Task& task, size_t bits) {
  const int64_t begin = ElementsBefore(task.work->schedule, task.begin);
  const int64_t end = ElementsBefore(task.work->schedule, task.end);
  if (begin == end) return;
  PackedMover(task, bits)
      .Move(task.operands[0].first, begin, end, task.out_first + begin);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
const char* CompiledTarget() { return hwy::TargetName(HWY_TARGET); }

}  // namespace

void RunElementwise(const Kernel& self, const Task& task) {
  const auto& kernel = static_cast<const ElementwiseKernel&>(self);
  RunLoop(kernel.loop, kernel.swapped, task);
}

namespace {

// What RunThrough and RunSteps have in common: tile by tile, through the loops
// of `kernel` or, where there is none, through `steps`. `layout.most` holds the
// bytes of the widest element.
HWY_NOINLINE void ThroughTiles(const Task& task, Layout layout,
                               const ThroughKernel* kernel,
                               std::span<const RowStep> steps) {
  // With those of ForEachRow they have to stay below 64 KiB.
  constexpr size_t kThroughBytes = kPartBytes - 2 * kVectorBytes;
  alignas(kVectorBytes) uint8_t tiles[2][kThroughBytes];
  alignas(kVectorBytes) uint8_t result[kThroughBytes];
  layout.most = kThroughBytes / layout.most;

  const auto through = [&](const Row& row) {
    const RowLoop& core = *kernel->core;
    Row inner = row;
    for (size_t k = 0; k < core.operands; ++k) {
      if (kernel->enter[k] == nullptr) continue;
      const Fetched entered = Enter(*kernel->enter[k], row, k, tiles[k]);
      inner.in[k] = entered.data;
      inner.step[k] = entered.step;
    }
    if (kernel->leave == nullptr) {
      RunRow(core, inner);
    } else {
      inner.out = result;
      RunRow(core, inner);
      RunRow(*kernel->leave, {{result}, {1}, row.out, row.count});
    }
  };
  const auto step_by_step = [&](const Row& row) {
    const auto* from = static_cast<const uint8_t*>(row.in[0]);
    const size_t bytes = row.count * layout.in_bytes[0];
    if (row.step[0] == 0 || from == row.out) {
      // In place loops of one operand may read what they have written.
      const size_t advance = row.step[0] == 0 ? 0 : kVectorBytes;
      for (size_t i = 0; i < bytes; i += kVectorBytes) {
        std::memcpy(
            tiles[1] + i, from + i / kVectorBytes * advance,
            advance == 0 ? kVectorBytes : std::min(kVectorBytes, bytes - i));
      }
      from = tiles[1];
    }
    for (size_t i = 0; i < steps.size(); ++i) {
      const RowLoop& loop = *steps[i].loop;
      void* const to = i + 1 == steps.size() ? row.out : tiles[i % 2];
      alignas(kVectorBytes) uint8_t constant[kVectorBytes];
      for (size_t k = 0; k < kVectorBytes; k += loop.in_bytes[0]) {
        std::memcpy(constant + k, &steps[i].constant, loop.in_bytes[0]);
      }
      RunRow(loop, {{from, constant}, {1, 0}, to, row.count});
      from = static_cast<const uint8_t*>(to);
    }
  };
  ForEachRow<2>(task, layout, [&](const Row& row, const Shuffles*) {
    if (kernel != nullptr) {
      through(row);
    } else {
      step_by_step(row);
    }
  });
}

}  // namespace

void RunThrough(const Kernel& self, const Task& task) {
  const auto& kernel = static_cast<const ThroughKernel&>(self);
  const RowLoop& core = *kernel.core;
  Layout layout = LayoutOf(core, false);
  for (size_t k = 0; k < core.operands; ++k) {
    if (kernel.enter[k] != nullptr) {
      layout.in_bytes[k] = kernel.enter[k]->in_bytes[0];
    }
  }
  if (kernel.leave != nullptr) layout.out_bytes = kernel.leave->out_bytes;
  layout.most = std::max({core.in_bytes[0], core.in_bytes[1], core.out_bytes});
  ThroughTiles(task, layout, &kernel, {});
}

void RunSteps(std::span<const RowStep> steps, const Task& task) {
  const RowLoop& first = *steps.front().loop;
  if (steps.size() == 1 && first.operands == 1 && FitsVector(task)) {
    RunVector(first, false, task);
    return;
  }
  // Whatever the types between are, the elements of a part have room.
  ThroughTiles(task,
               {1,
                {first.in_bytes[0]},
                steps.back().loop->out_bytes,
                false,
                sizeof(uint64_t)},
               nullptr, steps);
}

void RunFold(const Kernel& self, const Task& task) {
  const auto& kernel = static_cast<const FoldKernel&>(self);
  const size_t bytes = kernel.element_bytes;
  const size_t operands = task.work->nest.operand_count();
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

  constexpr size_t kFoldBytes = Schedule::kTileBytes / 2;
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

  Walk walk(task);
  Tiles tiles;
  Source sources[kMostKept];
  // Of more operands all but the first ones share the last source.
  const size_t kept = operands <= kMostKept ? operands : kMostKept - 1;
  for (size_t k = 0; k < kept; ++k) {
    sources[k].Prepare(walk, task, k, bytes * 8, TileUse::kKept,
                       tiles.Take(Source::TileBytes(task, k, bytes * 8)));
  }
  Source& shared = sources[kMostKept - 1];
  uint8_t* const shared_tile =
      kept == operands ? nullptr : tiles.Take(Schedule::kTileBytes);
  Position place;
  BeginResult(walk, task, 0, place);
  // f32, whatever the operands are.
  const size_t widest = std::max<size_t>(step.in_bytes[0], step.out_bytes);
  const size_t most = kFoldBytes / widest;
  auto* const out = static_cast<uint8_t*>(task.out);
  for (;;) {
    const size_t count = walk.count();
    for (size_t done = 0; done < count; done += most) {
      const size_t n = std::min(most, count - done);
      uint8_t* const there =
          out + (static_cast<size_t>(place.at()) + done) * bytes;
      uint8_t* const to = task.streams() ? result : there;
      const auto fetch = [&](size_t k) -> Fetched {
        if (k >= kept) {
          shared.Prepare(walk, task, k, bytes * 8, TileUse::kLent, shared_tile);
        }
        const Fetched fetched = (k < kept ? sources[k] : shared).Fetch(count);
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
      if (task.streams()) StreamCopy(result, n * bytes, there);
    }
    if (!walk.Next()) break;
    for (size_t k = 0; k < kept; ++k) sources[k].Follow(walk);
    place.Follow(walk);
  }
  if (task.streams()) hwy::FlushStream();
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
  Walk walk(task);
  Tiles tiles;
  Source sources[kMostRowOperands];
  for (size_t k = 0; k < kMostRowOperands; ++k) {
    const size_t operand_bits = k == 0 ? 8 : bits;
    sources[k].Prepare(walk, task, k, operand_bits, TileUse::kKept,
                       tiles.Take(Source::TileBytes(task, k, operand_bits)));
  }
  alignas(kVectorBytes) uint8_t result[Schedule::kTileBytes];
  auto* const out = static_cast<uint8_t*>(task.out);
  ForEachPackedRow(task, walk, sources, kMostRowOperands,
                   [&](Row& row, uint64_t first) {
                     for (size_t k = 0; k < kMostRowOperands; ++k) {
                       const Fetched fetched = sources[k].Fetch(row.count);
                       row.in[k] = fetched.data;
                       row.step[k] = fetched.step;
                     }
                     row.out = result;
                     RunRow(*kernel.loop, row);
                     Pack(result, bits, row.count, out, first * bits);
                   });
}

void RunWideWhere(const Kernel& self, const Task& task) {
  const auto& kernel = static_cast<const ByPartsKernel&>(self);
  const RowLoop& half = *kernel.loop;
  alignas(kVectorBytes) uint8_t twice[kPartBytes / 8];
  const Layout layout = {3, {1, 16, 16}, 16, false, kPartBytes / 16};
  ForEachRow<kMostRowOperands>(
      task, layout, [&](const Row& row, const Shuffles*) {
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
