// The class Expander, which expands an operand into tiles of the first-level
// cache. Its larger functions are compiled in expander.cc.

#if defined(BROADLOOM_KERNELS_ROWS_EXPANDER_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_EXPANDER_INL_H_
#undef BROADLOOM_KERNELS_ROWS_EXPANDER_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_EXPANDER_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "broadloom/internal/nest.h"
#include "hwy/highway.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/tile_loops.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Expands an operand into dense tiles. An operator's loop then needs to know
// nothing of broadcasting: elements that are repeated, or lie apart in the
// operand's memory, are consecutive in a tile, in the order of the result.
//
// The innermost levels of the tile are its leaf. Leaves have three forms:
//
//   shuffles  Each vector of the tile is a shuffle of one or two vectors of the
//             operand. The shuffles repeat after as many elements as the inner
//             levels and a vector have in common: this is a cycle. Their tables
//             are computed once and kept. [a b c ...] repeated three times in
//             vectors of 4 is (aaab bbcc cddd), and the next cycle is the same
//             4 elements further on.
//   segments  About a vector or more of consecutive elements, or of one element
//             that is repeated: copied or filled.
//   elements  Copied one by one: strided views whose neighbours lie further
//             apart.
//
// The levels around the leaf move on in the operand, or copy what has been
// expanded.
class Expander {
 public:
  // For the loops of operand `operand` inside loop `split` and `steps` steps of
  // that loop, with elements of `bytes` bytes. A tile has at most 2^15
  // elements; `elements` is about how many all tiles have that will be asked
  // for. `memory` is where the tiles read from. `gaps`: but memory between
  // their elements must not be read. `stays`: the contents of `memory` do not
  // change. `for_loop`: AsShuffles will be called, rather than Expand.
  void Prepare(const LoopNest& nest, size_t operand, size_t split,
               int64_t steps, size_t bytes, int64_t elements,
               std::span<const uint8_t> memory, bool gaps, bool stays,
               bool for_loop);

  // Writes the first `count` elements of the tile to `to`, for an operand that
  // begins at `from`. Memory from `to` to `limit` may be overwritten.
  void Expand(const uint8_t* from, size_t count, uint8_t* to,
              const uint8_t* limit) const {
    expand_(*this, from, count * lanes_per_element_, to, limit);
  }
  // The same if `to` is a place in the result, whose lines may be prefetched.
  void ExpandToResult(const uint8_t* from, size_t count, uint8_t* to,
                      const uint8_t* limit) const {
    expand_to_result_(*this, from, count * lanes_per_element_, to, limit);
  }

  // The first `count` elements as shuffles that a loop can do itself, for an
  // operand that begins at `from`. False if they are anything else than
  // shuffles of one vector each.
  bool AsShuffles(const uint8_t* from, size_t count, Shuffles& out) const {
    if (!is_shuffles()) return false;
    const uint8_t* const begin = Begin(from, count);
    if (begin == nullptr) return false;
    out = {0,      begin, table_, begins_, shuffles_, advance_ * element_bytes_,
           blocks_};
    return true;
  }
  // Whether AsShuffles may return true.
  bool is_shuffles() const {
    return leaf_ == Leaf::kShuffles && leaf_top_ + 1 == loops_.count() &&
           !two_vectors_ && !loops_.goes_back() && !has_gaps() &&
           lanes_per_element_ == 1;
  }

  // Whether the tiles of the following runs of the split loop continue the same
  // shuffles.
  bool shuffles_continue() const {
    return is_shuffles() && repeats_ && splits_;
  }

  const TileLoops& loops() const { return loops_; }

 private:
  enum class Leaf : uint8_t { kSegments, kShuffles, kElements };
  using Level = TileLoops::Level;

  // A table of so many shuffles has at most 4 KiB.
  static constexpr int64_t kMostVectorBytes = hn::MaxLanes(ByteTag());
  static constexpr int64_t kMostShuffles = kMostVectorBytes < 64 ? 128 : 64;
  static constexpr int64_t kLeastShuffles = 8;
  static constexpr int64_t kVectorsAShuffle = 16;
  static constexpr int64_t kVectorsACopiedShuffle = 4;
  static constexpr int64_t kVectorsACall = 8;
  static constexpr int64_t kMostPeriod = 1024;
  static constexpr int64_t kLongSegment = 8;  // vectors
  // Whether a shuffle takes longer than to copy a segment of a vector or more:
  // that of AVX2, since few of its instructions cross the middle of a vector.
  // In an operator's loop it saves a tile, whose vectors the loop would load
  // while they are still being stored: there only shuffles of two vectors of 1
  // or 2 bytes take longer, which are ten instructions.
  static constexpr bool kShufflesAreSlow = HWY_TARGET == HWY_AVX2;
  // To prepare a segment for RepeatSegment takes about as long as to write it
  // so many times.
  static constexpr size_t kLeastRepeats = 16;
  static constexpr size_t kTailBytes = 8 * kVectorBytes;
  // The table has an index for each lane. Where lanes are looked up by their
  // bytes, it has the indices of the bytes: computing those from the lanes'
  // indices each time would double the time.
  static constexpr bool kTableOfBytes = HWY_ARCH_WASM;
  // WebAssembly's loops also wait for each instruction that reads a table or
  // computes an address. There the tables of few shuffles stay in registers:
  // kLeastInRegisters to kMostInRegisters of them, and
  // kVectorsATableInRegisters says how many vectors make that worth it.
  static constexpr bool kTablesInRegisters = kTableOfBytes;
  static constexpr int64_t kLeastInRegisters = 3;
  static constexpr int64_t kMostInRegisters = 8;
  // More shuffles than this stay in registers only if they share one load.
  static constexpr int64_t kMostLoadsInRegisters = 4;
  static constexpr int64_t kVectorsATableInRegisters = 64;
  // A short period that repeats: as many whole periods as fit in so many
  // vectors are stored from registers at a time, if at least two fit.
  static constexpr int64_t kHeldVectors = 4;
  // The last cycle of a step of ShuffleSteps is stored whole. With more
  // shuffles than this, too much of it could lie beyond the step.
  static constexpr size_t kMostStepShuffles = 8;

  [[nodiscard]] bool has_gaps() const { return kMindsGaps && gaps_; }

  // --- expander.cc: choosing the leaf ---

  template <class T>
  void PrepareAs(std::span<const uint8_t> memory, bool stays);
  // Whether the innermost level gives segments: consecutive elements or one
  // element.
  bool MakesSegments() const;
  // And at least about a vector of them.
  bool MakesLongSegments(int64_t lanes) const;
  // Whether shuffles of the levels up to `top` take less time, with that for
  // their tables, than segments, and than shuffles of fewer levels.
  bool PaysForTables(size_t top, int64_t lanes) const;
  // How many shuffles the levels up to `top` need.
  int64_t ShufflesOf(size_t top, int64_t lanes) const;
  // Makes the tables of the shuffles of the levels up to `top`. False if there
  // would be more than `most` of them, or if elements of one vector of the tile
  // are further apart than two vectors.
  template <class T>
  bool MakeShuffles(size_t top, int64_t lanes, int64_t most,
                    int64_t most_copies);
  // Where the elements of one period lie: of the levels inside `top`, or of
  // level 0 if `top` is 0. False if they are too far apart.
  bool OffsetsOfPeriod(size_t top, int16_t* offsets) const;
  template <class T>
  void SetSource(int64_t lane, int64_t source);
  // The same, as the indices of the lane's bytes.
  template <class T>
  void SetBytes(int64_t lane, int64_t source);
  // For operands with gaps: which lanes the shuffles use (targets with masked
  // loads), or else how far one step of the leaf's outermost level reads beyond
  // its beginning, and whether its steps follow each other without overlap.
  template <class T>
  void PrepareForGaps(int64_t lanes);
  // Shuffles read whole vectors, `cycle_bytes` in each cycle, and the operand's
  // memory may end before that. Its last bytes are copied to where more can be
  // read after them.
  void KeepTail(std::span<const uint8_t> memory, size_t cycle_bytes);

  // --- expand-inl.h: expanding ---

  // kPrefetches: cache lines of the result are prefetched before they are
  // written.
  template <class T, bool kPrefetches>
  static void ExpandAs(const Expander& self, const uint8_t* from, size_t count,
                       uint8_t* to, const uint8_t* limit);
  // The first `count` elements of the levels up to `level`.
  template <class T, bool kPrefetches>
  void ExpandLevel(size_t level, const T* from, size_t count, T* to,
                   const T* limit) const;
  template <class T, bool kPrefetches>
  void ExpandSegments(const T* from, size_t count, T* to, const T* limit) const;
  // For segments of less than a vector that are all the same.
  template <bool kPrefetches, class D, class T = hn::TFromD<D>>
  void RepeatSegment(D d, const T* from, size_t count, T* to,
                     const T* limit) const;
  // ExpandSegments for WebAssembly, in less code.
  template <class T>
  void ExpandSegmentsInBytes(const T* from, size_t count, T* to,
                             const T* limit) const;
  template <class T, bool kPrefetches>
  void ExpandShuffles(const T* from, size_t count, T* to, const T* limit) const;
  template <class T>
  void ExpandElements(const T* from, size_t count, T* to) const;

  // What the loops of shuffles look up: where the table has bytes, one loop
  // serves elements of every width.
  template <class T>
  using LaneOf = std::conditional_t<kTableOfBytes, uint8_t, T>;

  // `count` elements, if all vectors that they need can be read.
  template <bool kPrefetches, class T>
  void ShuffleAll(const T* from, size_t count, T* to, const T* limit) const;
  // The first of `steps` steps of the level around the leaf: as many as can be
  // read and written by whole vectors. Returns how many. To call
  // ExpandShuffles for each step takes several times as long.
  template <bool kPrefetches, class Lane>
  size_t ShuffleSteps(const uint8_t* from, size_t steps, const Level& level,
                      uint8_t* to, const uint8_t* limit) const;
  // What a shuffle reads: 16 bytes (kBlocksAreFast), a vector, or two.
  enum class Reads : uint8_t { kBlock, kOneVector, kTwoVectors };
  // Calls run(what the shuffles read).
  template <class Lane, class Run>
  void WithReads(const Run& run) const;
  template <bool kPrefetches, Reads kReads, class D, class T = hn::TFromD<D>>
  void Shuffle(D d, const T* from, size_t count, T* to, const T* limit) const;
  struct Cycle {
    size_t vectors;   // shuffles, the first ones of the table
    int64_t advance;  // bytes of the operand from one cycle to the next
    // Bytes of the tile from one cycle to the next. Vectors that end beyond
    // them are overwritten by the next cycle.
    size_t bytes;
  };
  Cycle WholeCycle() const {
    return {shuffles_, advance_ * element_bytes_,
            cycle_elements_ * static_cast<size_t>(element_bytes_)};
  }
  template <bool kPrefetches, Reads kReads, class D, class T = hn::TFromD<D>>
  void ShuffleCycles(D d, const T* from, size_t cycles, Cycle cycle,
                     T* to) const;
  // One cycle.
  template <bool kPrefetches, Reads kReads, class D, class T = hn::TFromD<D>>
  void ShuffleCycle(D d, const T* from, size_t vectors, T* to) const;
  // Vector `v` of a cycle that begins at `from`.
  template <Reads kReads, class D, class T = hn::TFromD<D>>
  hn::Vec<D> Shuffled(D d, const T* from, size_t v) const;
  // Whether the registers hold the vectors of a cycle that does not advance, or
  // the tables of one that does.
  bool TablesFitRegisters(Cycle cycle) const {
    const size_t vectors = cycle.vectors;
    const bool is_short = vectors == 3 || vectors == 4;
    if (cycle.advance == 0) return is_short || vectors == kMostInRegisters;
    return !two_vectors_ &&
           (is_short || (shares_load_ && vectors > kMostLoadsInRegisters &&
                         vectors <= kMostInRegisters));
  }
  // `cycles` cycles of the vectors that have been stored before `to`, each of
  // `bytes` bytes.
  template <size_t... kVector>
  static void RepeatFromRegisters(std::index_sequence<kVector...>,
                                  size_t cycles, size_t bytes, uint8_t* to);
  // `cycles` cycles of shuffles of one vector. Their tables stay in registers.
  // Five shuffles are computed as six, seven as eight: the last vector of a
  // cycle is overwritten by the next one, and that of the last cycle lies
  // beyond its end.
  template <size_t... kShuffle>
  void ShuffleFromRegisters(std::index_sequence<kShuffle...>,
                            const uint8_t* from, size_t cycles, Cycle cycle,
                            uint8_t* to) const;

  // Up to a cycle whose vectors cannot all be read: those that end after `end`
  // are made element by element.
  template <class D, class T = hn::TFromD<D>>
  void ShuffleChecked(D d, const T* from, const uint8_t* end, size_t count,
                      T* to) const;
  // Elements [begin, end), one by one.
  template <class T>
  void CopyOneByOne(const T* from, size_t begin, size_t end, T* to) const;
  // For operands with gaps: reads only whole vectors without gaps, or only the
  // lanes that are used.
  template <class D, class T = hn::TFromD<D>>
  void ShuffleWithGaps(D d, const T* from, size_t count, T* to) const;
  // Up to a cycle, of which only the lanes that are used are read.
  template <bool kTwoVectors, class D, class T = hn::TFromD<D>>
  void ShuffleMasked(D d, const T* from, size_t count, T* to) const;

  template <class T>
  int64_t Readable(const T* from) const {
    return reinterpret_cast<const T*>(end_) - from;
  }

  // Where the shuffles of `count` elements can read, for an operand that begins
  // at `from`: there, or in the copy of the operand's end. Null: in neither can
  // all of them be read.
  const uint8_t* Begin(const uint8_t* from, size_t count) const {
    const int64_t readable = end_ - from;
    // The bytes that the whole leaf reads are known; it may be cut short.
    if (readable >= leaf_bytes_ && count <= leaf_elements_) return from;
    const int64_t cycles =
        static_cast<int64_t>((count + cycle_elements_ - 1) / cycle_elements_);
    if (readable >= CycleBytes(cycles)) return from;
    return from < tail_begin_ ? nullptr : tail_ + (from - tail_begin_);
  }

  // The bytes that `cycles` cycles of the shuffles read.
  int64_t CycleBytes(int64_t cycles) const {
    const int64_t advance = std::max<int64_t>(advance_, 0);
    return (cycle_reach_ + advance * (cycles - 1)) * element_bytes_;
  }

  // The element that a lane of the table comes from, counted from where its
  // vector begins.
  template <class T>
  int64_t SourceOf(size_t lane) const {
    if (kTableOfBytes || (kBlocksAreFast<T> && blocks_)) {
      return table_[lane * sizeof(T)] / static_cast<int64_t>(sizeof(T));
    } else {
      return static_cast<int64_t>(reinterpret_cast<const T*>(table_)[lane]);
    }
  }

  // Which lanes shuffle `v` uses of its two vectors, one bit for each. They are
  // stored in tail_, because no tail is kept of operands with gaps.
  using LaneBits =
      std::conditional_t<(kMostVectorBytes < 64), uint32_t, uint64_t>;
  LaneBits* LanesUsed(size_t v) {
    static_assert(sizeof(tail_) >= kMostShuffles * 2 * sizeof(LaneBits));
    return reinterpret_cast<LaneBits*>(tail_) + 2 * v;
  }
  const LaneBits* LanesUsed(size_t v) const {
    return reinterpret_cast<const LaneBits*>(tail_) + 2 * v;
  }

  int64_t all_elements_ = 0;  // of all tiles
  bool gaps_ = false;         // memory between the elements must not be read
  bool for_loop_ = false;     // AsShuffles will be called
  TileLoops loops_;
  size_t lanes_per_element_ = 1;
  size_t lanes_ = 1;           // of a vector
  int64_t element_bytes_ = 1;  // of a lane
  size_t leaf_top_ = 0;        // the outermost level of the leaf
  Leaf leaf_ = Leaf::kSegments;
  using ExpandFunction = void (*)(const Expander& self, const uint8_t* from,
                                  size_t count, uint8_t* to,
                                  const uint8_t* limit);
  ExpandFunction expand_ = nullptr;
  ExpandFunction expand_to_result_ = nullptr;
  // The shuffles of a cycle: how many; for each the bytes of the operand from
  // the cycle's beginning to its vector; the greatest of these in elements; and
  // how many elements the operand advances from one cycle to the next.
  size_t shuffles_ = 0;
  size_t cycle_elements_ = 0;  // of the tile, from one cycle to the next
  bool two_vectors_ = false;   // some shuffles are of two vectors
  bool blocks_ = false;        // all are of 16 bytes; the table has bytes
  bool shares_load_ = true;    // all are of the first vector of the cycle
  bool repeats_ = false;       // after a cycle the shuffles are the same
  bool splits_ = false;        // the outermost level is the split loop
  int32_t begins_[kMostShuffles];
  int64_t furthest_ = 0;
  int64_t advance_ = 0;
  int64_t cycle_reach_ = 0;   // elements that one cycle reads
  size_t leaf_elements_ = 0;  // that all cycles of the leaf make
  int64_t leaf_bytes_ = 0;    // that they read
  alignas(kVectorBytes) uint8_t table_[kMostShuffles * kMostVectorBytes];
  int64_t step_reach_ = 0;  // see PrepareForGaps
  bool steps_adjoin_ = false;
  // The end of the operand's memory; and a copy of its last bytes, from
  // `tail_begin_` on, with room for a cycle after them.
  const uint8_t* end_ = nullptr;
  const uint8_t* tail_begin_ = nullptr;
  alignas(kVectorBytes) uint8_t tail_[2 * kTailBytes];
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_EXPANDER_INL_H_
