#include "broadloom/internal/schedule.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

#include "broadloom/internal/arithmetic.h"
#include "broadloom/internal/nest.h"
#include "broadloom/memory.h"

namespace broadloom {
inline namespace v1 {
namespace {

// The costs that the header explains.
constexpr double kRunCost = 420;
constexpr double kConstantCost = 40;
constexpr double kTileCost = 200;

struct VectorCosts {
  double bytes;  // of a vector
  double row;
  double call;
  double tile_rows;
  double tile_vector;
  double shuffle_vector;
};
#if defined(__wasm__)
constexpr VectorCosts kVectorCosts[] = {{16, 40, 400, 800, 9.6, 9.6}};
constexpr double kFarTileCost = 0;  // rows, the other choice, take longer
// To load a vector of an only operand. A constant stays in a register.
constexpr double kLoadCost = 4;
// Of a direct row of an only operand that has less than
// Schedule::kLongRowBytes. 0: as of any row.
constexpr double kOnlyRowCost = 12;
constexpr double kStoreCost = 7;
// The bytes of a short row that are stored at a time, a power of two. 0: those
// of a vector, or of half of one.
constexpr int64_t kStepBytes = Schedule::kVectorBytes;
// Whether short rows may have any number of operands. If not, they have two.
constexpr bool kShortRowsOfAny = false;
// Whether rows of any length may have groups, or only short ones.
constexpr bool kGroupsOfAny = true;
constexpr double kGroupCost = 150;
#else
constexpr VectorCosts kVectorCosts[] = {{16, 64, 130, 560, 10, 6},
                                        {32, 40, 250, 800, 40, 28},
                                        {64, 20, 100, 800, 60, 28}};
constexpr double kFarTileCost = 0.25;  // of a byte
constexpr double kLoadCost = 0;
constexpr double kOnlyRowCost = 0;
constexpr double kStoreCost = 10;
constexpr int64_t kStepBytes = 0;
constexpr bool kShortRowsOfAny = true;
constexpr bool kGroupsOfAny = false;
constexpr double kGroupCost = 0;
#endif

// Of vectors of so many bytes, or of the widest ones that are listed.
const VectorCosts& CostsOf(uint8_t vector) {
  const VectorCosts* costs = kVectorCosts;
  while (costs->bytes < vector && costs + 1 != std::end(kVectorCosts)) ++costs;
  return *costs;
}

// A tile that is used again after more bytes than this have been read and
// written is no longer in the first-level cache.
constexpr double kNearTileBytes = 24576;

// An operand that has more bytes than this in one turn of the split loop is not
// in the first-level cache for the next turn, since the result is written there
// as well; runs of kNearBytes are.
constexpr int64_t kFarBytes = 16384;
constexpr int64_t kNearBytes = 8192;
// Operands and a result that have more bytes than this are read and written
// fastest row by row, each in order (Zen 4, whose core gets a part of the
// third-level cache).
constexpr int64_t kMostNearBytes = int64_t{10} << 20;

// The longest block of rows for which Schedule::kNearBlockBytes does not hold.
constexpr int64_t kFarBlockBytes = 262144;

// Shorter runs are not considered if the loop around would make them longer.
constexpr int64_t kLeastBytes = 128;

int64_t Bytes(uint8_t bits) { return bits < 8 ? 1 : bits / 8; }

// An operand that has one tile for each run, if it has tiles.
OperandRun RunOf(RunForm form) {
  const bool tile = form == RunForm::kTile;
  return {form, static_cast<uint8_t>(tile), static_cast<uint16_t>(tile)};
}

// The form of an operand along the loops inside some loop.
struct Inside {
  RunForm form;
  int64_t dense;  // if direct: how many consecutive elements it has
};

// The same with the next loop, of `extent` steps of `inner_elements` each.
Inside Join(Inside inside, int64_t inner_elements, int64_t extent,
            int64_t stride) {
  const bool alone = inner_elements == 1;  // there are no loops inside
  if (stride == 0 && (alone || inside.form == RunForm::kConstant)) {
    return {RunForm::kConstant, 0};
  }
  if (alone ? stride == 1
            : inside.form == RunForm::kDirect && stride == inside.dense) {
    return {RunForm::kDirect, SaturatingMultiply(stride, extent)};
  }
  return {RunForm::kTile, 0};
}

}  // namespace

namespace {
struct Here;
}  // namespace

// A template for the same reason as Aligner in rules/align.cc.
template <class File>
class Scheduler {
 public:
  Scheduler(const LoopNest& nest, std::span<const uint8_t> operand_bits,
            uint8_t result_bits, int64_t widest, bool packed, KernelRuns runs,
            const Allocator& allocator, Schedule& out)
      : nest_(nest),
        operand_bits_(operand_bits),
        result_bytes_(Bytes(result_bits)),
        widest_(widest),
        packed_(packed),
        takes_rows_(runs.use == RunUse::kRows && !packed),
        makes_blocks_(runs.use == RunUse::kBlocks),
        costs_(CostsOf(runs.loops.vector)),
        least_row_bytes_(
            kShortRowsOfAny || (operand_bits.size() == 2 && !nest.has_result())
                ? runs.loops.least_row
                : Schedule::kVectorBytes),
        takes_short_rows_(least_row_bytes_ < Schedule::kVectorBytes),
        allocator_(allocator),
        out_(out) {}

  bool Make() {
    if (makes_blocks_) return MakeBlocks();
    const size_t operands = operand_bits_.size();
    if (!inside_.ResetForOverwrite(operands, allocator_) ||
        !forms_.ResetForOverwrite(operands, allocator_)) {
      return false;
    }
    Inside* const inside = inside_.data();
    for (size_t k = 0; k < operands; ++k) {
      inside[k] = {RunForm::kConstant, 0};
    }
    // The bytes of an element are a power of two: shifts replace slow
    // divisions.
    const int shift = std::countr_zero(static_cast<uint64_t>(widest_));
    int64_t inner = 1;
    for (size_t loop = nest_.loop_count(); loop-- > 0;) {
      const int64_t extent = nest_.extent(loop);
      // A shorter run costs much more than one that includes the next loop.
      const int64_t least = takes_rows_ ? least_row_bytes_ - 1 : kLeastBytes;
      if (loop == 0 || extent > (least >> shift) / inner) {
        Try(loop, inner);
      }
      const int64_t* const strides = nest_.strides(loop);
      for (size_t k = 0; k < operands; ++k) {
        inside[k] = Join(inside[k], inner, extent, strides[k]);
      }
      inner = SaturatingMultiply(inner, extent);
      // From here on one step would be longer than a run with tiles may be. The
      // elements are compared, because their bytes could overflow.
      if (inner > Schedule::kTileBytes >> shift) break;
    }
    for (size_t loop = 0; loop < out_.split_; ++loop) {
      out_.runs_ = SaturatingMultiply(out_.runs_, nest_.extent(loop));
    }
    if (RepeatsFarRow()) {
      if (AllBytes() > kMostNearBytes) {
        out_.interleaves_rows_ = !HasTiles(out_.operands_);
      } else if (!MakesTilesAgain()) {
        out_.swaps_outer_loop_ = true;
        ShortenRuns();
      }
    }
    out_.runs_ = SaturatingMultiply(out_.runs_, out_.turn_);
    out_.has_rows_ = HasRows(out_.split_, out_.turn_, out_.operands_);
    return true;
  }

 private:
  // Splits the outermost loop of which a step fits into a block.
  bool MakeBlocks() {
    const int64_t most_bytes = LongestRow() >= Schedule::kVectorBytes / widest_
                                   ? Schedule::kNearBlockBytes
                                   : kFarBlockBytes;
    const int64_t most = most_bytes / widest_;
    size_t split = nest_.loop_count() - 1;
    int64_t step = 1;
    for (; split > 0; --split) {
      const int64_t more = SaturatingMultiply(step, nest_.extent(split));
      const size_t loops = nest_.loop_count() - split;
      if (more > most || loops == Schedule::kMostBlockLoops) break;
      step = more;
    }
    out_.split_ = split;
    out_.step_ = step;
    out_.extent_ = nest_.extent(split);
    out_.run_steps_ = Steps(out_.extent_, step, most_bytes);
    out_.turn_ = CeilDiv(out_.extent_, out_.run_steps_);
    out_.runs_ = out_.turn_;
    for (size_t loop = 0; loop < split; ++loop) {
      out_.runs_ = SaturatingMultiply(out_.runs_, nest_.extent(loop));
    }
    for (size_t k = 0; k < operand_bits_.size(); ++k) {
      out_.operands_[k] = RunOf(RunForm::kDirect);
    }
    return true;
  }

  // The elements of the innermost loops together in which no operand has a
  // tile.
  int64_t LongestRow() const {
    int64_t row = INT64_MAX;
    for (size_t k = 0; k < operand_bits_.size(); ++k) {
      Inside inside = {RunForm::kConstant, 0};
      int64_t inner = 1;
      for (size_t loop = nest_.loop_count(); loop-- > 0;) {
        const int64_t extent = nest_.extent(loop);
        inside = Join(inside, inner, extent, nest_.stride(k, loop));
        if (inside.form == RunForm::kTile) {
          row = std::min(row, inner);
          break;
        }
        inner = SaturatingMultiply(inner, extent);
      }
    }
    return row;
  }

  // Considers splitting `loop`, one step of which has `inner` elements. Keeps
  // it if it is the cheapest so far.
  void Try(size_t loop, int64_t inner) {
    const int64_t extent = nest_.extent(loop);
    bool tiles = false;
    for (size_t k = 0; k < operand_bits_.size(); ++k) {
      const Inside joined =
          Join(inside_[k], inner, extent, nest_.stride(k, loop));
      forms_[k] = RunOf(joined.form);
      tiles = tiles || joined.form == RunForm::kTile;
    }
    // Packed elements are unpacked into tiles in any form.
    int64_t most =
        tiles || packed_ ? Schedule::kTileBytes : Schedule::kRunBytes;
    int64_t steps = Steps(extent, inner, most);
    // If there is no room to keep all tiles that would be used again, there may
    // be with shorter ones.
    while (TrySteps(loop, inner, steps) && steps > 1 &&
           most > Schedule::kTileBytes / 4) {
      most /= 2;
      steps = Steps(extent, inner, most);
    }
  }

  // Considers runs of `steps` steps. Keeps them if they are the cheapest so
  // far. Returns whether there is too little room for all tiles.
  bool TrySteps(size_t loop, int64_t inner, int64_t steps) {
    const int64_t extent = nest_.extent(loop);
    const int64_t turn = steps == extent ? 1 : CeilDiv(extent, steps);
    // Of a run, on average: the last one of a turn may be shorter.
    const double elements = static_cast<double>(extent) *
                            static_cast<double>(inner) /
                            static_cast<double>(turn);
    const double least = least_cost_ * elements;
    // Rows share the cost of one call.
    const bool rows = HasRows(loop, turn, forms_);
    const int64_t next = NextRuns(loop, turn);
    bool tile_rows = !rows && takes_rows_ && next > 1;
    const int64_t row_bytes = steps * inner * widest_;
    const double row =
        rows && IsOnlyRow(row_bytes) ? kOnlyRowCost : RowCost(row_bytes);
    double cost = rows ? row + CallCost(loop) : tile_rows ? row : kRunCost;
    if (least_cost_ != 0 && cost >= least) return false;
    int64_t room = Schedule::KeptBytes(operand_bits_.size());
    // One of two operands, if its tile serves one run, is shuffled by the
    // operator's loop.
    bool has_shuffles = false;
    bool lacks_room = false;
    for (size_t k = 0; k < operand_bits_.size(); ++k) {
      const RunForm form = forms_[k].form;
      if (kLoadCost != 0 && operand_bits_.size() == 1 &&
          form != RunForm::kConstant) {
        cost +=
            kLoadCost * elements * static_cast<double>(widest_) / costs_.bytes;
      }
      if (form == RunForm::kDirect) continue;
      if (form == RunForm::kConstant) {
        if (!rows && !tile_rows)
          cost += kConstantCost / Keep(k, loop, turn, 1).repeats;
        continue;
      }
      const int64_t bytes = steps * inner * Bytes(operand_bits_[k]);
      const int64_t vectors = Schedule::WholeVectors(bytes);
      const Kept kept = Keep(
          k, loop, turn,
          packed_ ? 1 : std::min(Schedule::kMostTiles, room / vectors + 1));
      lacks_room = lacks_room || (kept.lacks_room && !packed_);
      room -= (kept.tiles - 1) * vectors;
      forms_[k].tiles = static_cast<uint8_t>(kept.tiles);
      forms_[k].serves =
          static_cast<uint16_t>(std::min<double>(kept.repeats, UINT16_MAX));
      const bool shuffles =
          kept.repeats == 1 && operand_bits_.size() == 2 && !has_shuffles;
      has_shuffles = has_shuffles || shuffles;
      cost += (kTileCost + TileBytesCost(bytes, shuffles)) / kept.repeats;
      if (kFarTileCost != 0 && kept.tiles > 1) {
        const double near = NearRepeats(k, loop, turn, steps * inner);
        cost += kFarTileCost * static_cast<double>(bytes) *
                std::max(1 / near - 1 / kept.repeats, 0.0);
      }
      tile_rows =
          tile_rows && (kept.tiles >= next || NextStride(k, loop, turn) == 0);
    }
    if (!rows && takes_rows_ && next > 1) {
      cost += tile_rows ? costs_.tile_rows / static_cast<double>(next)
                        : kRunCost - row;
    }
    if (least_cost_ != 0 && cost >= least) return lacks_room;
    least_cost_ = cost / elements;
    out_.split_ = loop;
    out_.step_ = inner;
    out_.run_steps_ = steps;
    out_.extent_ = extent;
    out_.turn_ = turn;
    for (size_t k = 0; k < operand_bits_.size(); ++k) {
      out_.operands_[k] = forms_[k];
    }
    return lacks_room;
  }

  // Whether runs that are whole turns of `loop` are rows (Schedule::has_rows).
  template <class Runs>
  bool HasRows(size_t loop, int64_t turn, const Runs& runs) const {
    return loop > 0 && turn == 1 && takes_rows_ && !HasTiles(runs);
  }

  template <class Runs>
  bool HasTiles(const Runs& runs) const {
    for (size_t k = 0; k < operand_bits_.size(); ++k) {
      if (runs[k].form == RunForm::kTile) return true;
    }
    return false;
  }

  // Whether kOnlyRowCost is the cost of a row of `bytes` bytes with the forms
  // that are considered.
  bool IsOnlyRow(int64_t bytes) const {
    return kOnlyRowCost != 0 && bytes < Schedule::kLongRowBytes &&
           operand_bits_.size() == 1 && forms_[0].form == RunForm::kDirect;
  }

  // Of a row of `bytes` bytes.
  double RowCost(int64_t bytes) const {
    if (!takes_short_rows_) return costs_.row;
    const auto vector = static_cast<int64_t>(costs_.bytes);
    const int64_t stores =
        kStepBytes != 0 ? RoundUp(bytes, kStepBytes) / vector
                        : CeilDiv(bytes, bytes < vector ? vector / 2 : vector);
    return kStoreCost *
           (static_cast<double>(1 + stores) -
            static_cast<double>(bytes) / static_cast<double>(vector));
  }

  // Of the bytes of a tile, or of the shuffles that take its place.
  double TileBytesCost(int64_t bytes, bool shuffles) const {
    return (shuffles ? costs_.shuffle_vector : costs_.tile_vector) *
           static_cast<double>(bytes) / costs_.bytes;
  }

  // What a row that is a whole turn of `loop` costs as a part of its call and
  // its group. A call takes the rows of one loop, or of two.
  double CallCost(size_t loop) const {
    const auto rows = static_cast<double>(nest_.extent(loop - 1));
    if (loop < 2 || nest_.has_result() ||
        !(kGroupsOfAny || takes_short_rows_)) {
      return costs_.call / rows;
    }
    const auto groups = static_cast<double>(nest_.extent(loop - 2));
    return costs_.call / (rows * groups) + kGroupCost / rows;
  }

  // How many runs differ in the innermost loop around them only, and how many
  // elements an operand advances from one of them to the next.
  int64_t NextRuns(size_t loop, int64_t turn) const {
    return turn > 1 ? turn : loop > 0 ? nest_.extent(loop - 1) : 1;
  }
  int64_t NextStride(size_t operand, size_t loop, int64_t turn) const {
    return nest_.stride(operand, turn > 1 ? loop : loop - 1);
  }

  struct Kept {
    int64_t tiles;
    double repeats;   // for how many runs each of them is used
    bool lacks_room;  // with more tiles each would be used for more runs
  };

  // How many tiles or constants an operand should keep, at most `most`: as few
  // as are used for the most runs each.
  Kept Keep(size_t operand, size_t split, int64_t turn, int64_t most) const {
    Kept kept{1, 1, false};
    int64_t steps = 1;  // of the loops so far in which the operand advances
    bool fits = true;
    const auto serve = [&](int64_t extent, int64_t stride) {
      if (stride != 0) {
        fits = fits && extent <= most / steps;
        if (fits) steps *= extent;
      } else if (fits) {
        kept = {steps, kept.repeats * static_cast<double>(extent), false};
      } else {
        kept.lacks_room = true;
      }
    };
    if (turn > 1) serve(turn, nest_.stride(operand, split));
    for (size_t loop = split; loop-- > 0 && !kept.lacks_room;) {
      serve(nest_.extent(loop), nest_.stride(operand, loop));
    }
    return kept;
  }

  // For how many runs, of `elements` elements each, a tile of the operand is
  // used before it leaves the first-level cache.
  double NearRepeats(size_t operand, size_t split, int64_t turn,
                     int64_t elements) const {
    int64_t element_bytes = result_bytes_;  // and of the operands
    for (const uint8_t bits : operand_bits_) element_bytes += Bytes(bits);
    // What the loops so far read and write.
    double bytes = static_cast<double>(elements * element_bytes);
    double repeats = 1;
    bool advances = false;
    const auto serve = [&](int64_t extent, int64_t stride) {
      const auto times = static_cast<double>(extent);
      if (stride != 0) {
        advances = true;
      } else if (!advances || bytes <= kNearTileBytes) {
        repeats *= times;
      }
      bytes *= times;
    };
    if (turn > 1) serve(turn, nest_.stride(operand, split));
    for (size_t loop = split; loop-- > 0;) {
      serve(nest_.extent(loop), nest_.stride(operand, loop));
    }
    return repeats;
  }

  // Whether a direct operand repeats along the loop around the split one, and
  // has too many bytes in a turn of the split loop for the first-level cache.
  bool RepeatsFarRow() const {
    if (out_.split_ == 0 || packed_) return false;
    for (size_t k = 0; k < operand_bits_.size(); ++k) {
      if (out_.operands_[k].form != RunForm::kDirect ||
          nest_.stride(k, out_.split_ - 1) != 0) {
        continue;
      }
      const int64_t bytes =
          SaturatingMultiply(SaturatingMultiply(out_.extent_, out_.step_),
                             Bytes(operand_bits_[k]));
      if (bytes > kFarBytes) return true;
    }
    return false;
  }

  // Whether the tile of an operand would be expanded again in each step of the
  // loop around the split one, if the two were swapped.
  bool MakesTilesAgain() const {
    for (size_t k = 0; k < operand_bits_.size(); ++k) {
      if (out_.operands_[k].form == RunForm::kTile &&
          nest_.stride(k, out_.split_ - 1) != 0 &&
          nest_.stride(k, out_.split_) == 0) {
        return true;
      }
    }
    return false;
  }

  // Of the operands and the result, each element once.
  int64_t AllBytes() const {
    int64_t all = 0;
    for (size_t k = 0; k <= operand_bits_.size(); ++k) {
      const bool is_result = k == operand_bits_.size();
      int64_t bytes = is_result ? result_bytes_ : Bytes(operand_bits_[k]);
      for (size_t loop = 0; loop < nest_.loop_count(); ++loop) {
        if (is_result || nest_.stride(k, loop) != 0) {
          bytes = SaturatingMultiply(bytes, nest_.extent(loop));
        }
      }
      all = SaturatingAdd(all, bytes);
    }
    return all;
  }

  // Makes runs so short that they stay in the first-level cache while the outer
  // loop repeats them.
  void ShortenRuns() {
    // The outer loop is now inside: a tile is used for all its steps in a row.
    const int64_t serves = nest_.extent(out_.split_ - 1);
    for (size_t k = 0; k < operand_bits_.size(); ++k) {
      OperandRun& run = out_.operands_[k];
      if (run.form != RunForm::kTile) continue;
      run.tiles = 1;
      run.serves = static_cast<uint16_t>(std::min<int64_t>(serves, UINT16_MAX));
    }
    const int64_t steps = kNearBytes / (out_.step_ * widest_);
    if (steps == 0 || steps >= out_.run_steps_) return;
    out_.run_steps_ = steps;
    out_.turn_ = CeilDiv(out_.extent_, steps);
  }

  // The steps of runs that have at most `most` bytes and about equal lengths.
  // Where that is possible, each run begins at a whole vector of the result.
  int64_t Steps(int64_t extent, int64_t inner, int64_t most) const {
    if (extent <= most && extent * inner * widest_ <= most) return extent;
    const int64_t at_most = std::max<int64_t>(most / (inner * widest_), 1);
    int64_t whole = Schedule::kVectorBytes;  // a power of two
    int64_t odd = inner * result_bytes_;
    while (whole > 1 && odd % 2 == 0) {
      whole /= 2;
      odd /= 2;
    }
    const int64_t turn = CeilDiv(extent, at_most);
    const int64_t steps = CeilDiv(extent, turn);
    const int64_t up = RoundUp(steps, whole);
    const int64_t aligned = up <= at_most ? up : at_most - at_most % whole;
    if (aligned == 0) return steps;
    // Not if that made the last of few runs much shorter than the others.
    const int64_t runs = CeilDiv(extent, aligned);
    const int64_t last = extent - (runs - 1) * aligned;
    return runs > 8 || 2 * last >= aligned ? aligned : steps;
  }

  const LoopNest& nest_;
  const std::span<const uint8_t> operand_bits_;
  const int64_t result_bytes_;
  const int64_t widest_;  // bytes of the widest element
  const bool packed_;     // some operand has packed elements
  const bool takes_rows_;
  const bool makes_blocks_;
  const VectorCosts& costs_;
  const int64_t least_row_bytes_;
  const bool takes_short_rows_;
  const Allocator& allocator_;
  Schedule& out_;
  double least_cost_ = 0;  // of an element; 0: none yet
  InlineArray<Inside, kInlineOperands + 1> inside_;
  InlineArray<OperandRun, kInlineOperands + 1> forms_;
};

namespace {

// `source` has the indices of one step, `inner` of them. Appends those of the
// other steps.
void Repeat(int64_t inner, int64_t extent, int64_t stride, uint8_t* source) {
  int64_t further = stride;
  int64_t i = 0;
  for (int64_t to = inner; to < inner * extent; ++to) {
    source[to] = static_cast<uint8_t>(source[i] + further);
    if (++i < inner) continue;
    i = 0;
    further += stride;
  }
}

}  // namespace

// Not inlined: the loop over operands would then keep its values in memory.
[[gnu::noinline]] bool Schedule::MakeShuffle(const LoopNest& nest,
                                             size_t operand,
                                             int64_t elements) noexcept {
  const size_t operands = nest.operand_count();
  const int64_t* const extents = nest.extents();
  const int64_t* const strides = nest.strides(0) + operand;
  uint8_t* const source = shuffles_[operand].source;
  std::fill_n(source, kVectorBytes, uint8_t{0});
  uint64_t last = 0;
  int64_t inner = 1;
  for (size_t loop = nest.loop_count(); loop-- > 0;) {
    const int64_t extent = extents[loop];
    const int64_t stride = strides[loop * operands];
    if (stride < 0) return false;
    last = SaturatingAdd(last,
                         SaturatingMultiply(static_cast<uint64_t>(extent - 1),
                                            static_cast<uint64_t>(stride)));
    if (last >= static_cast<uint64_t>(elements)) return false;
    Repeat(inner, extent, stride, source);
    inner *= extent;
  }
  return true;
}

bool Schedule::TakeWhole(const LoopNest& nest, int64_t elements,
                         bool shuffles) noexcept {
  const size_t operands = nest.operand_count();
  const size_t loops = nest.loop_count();
  const int64_t* const extents = nest.extents();
  const int64_t* const strides = nest.strides(0);
  for (size_t k = 0; k < operands; ++k) {
    // A result of one element has constants only.
    bool repeats = true;
    bool dense = true;
    int64_t inner = 1;
    for (size_t loop = loops; loop-- > 0;) {
      const int64_t stride = strides[loop * operands + k];
      repeats = repeats && stride == 0;
      dense = dense && stride == inner;
      inner *= extents[loop];
    }
    if (repeats) {
      operands_[k] = RunOf(RunForm::kConstant);
    } else if (dense) {
      operands_[k] = RunOf(RunForm::kDirect);
    } else {
      operands_[k] = RunOf(RunForm::kTile);
      if (shuffles && !MakeShuffle(nest, k, elements)) shuffles = false;
    }
  }
  return shuffles;
}

bool Schedule::Reset(const LoopNest& nest,
                     std::span<const uint8_t> operand_bits, uint8_t result_bits,
                     KernelRuns runs, const Allocator& allocator) noexcept {
  const size_t operands = operand_bits.size();
  uint8_t widest = std::max<uint8_t>(result_bits, 8);
  uint8_t narrowest = 8;
  for (const uint8_t bits : operand_bits) {
    widest = std::max(widest, bits);
    narrowest = std::min(narrowest, bits);
  }
  const bool packed = narrowest < 8;
  split_ = 0;
  step_ = run_steps_ = extent_ = turn_ = runs_ = 1;
  swaps_outer_loop_ = false;
  interleaves_rows_ = false;
  has_rows_ = false;
  is_small_ = false;
  vector_bytes_ = kFitsNone;

  const size_t loops = nest.loop_count();
  int64_t step = 1;
  for (size_t loop = 1; loop < loops; ++loop) {
    step = SaturatingMultiply(step, nest.extent(loop));
  }
  const int64_t extent = loops > 0 ? nest.extent(0) : 1;
  const int64_t elements = SaturatingMultiply(step, extent);
  const int shift = std::countr_zero(widest) - 3;
  // What takes results of one vector, or of a few hundred bytes, stores them
  // densely.
  const bool dense = !packed && !nest.has_result();
  const bool fits = dense && elements <= kVectorBytes >> shift;
  const bool shuffles = fits && operands <= kInlineOperands;
  if (!operands_.ResetForOverwrite(operands, allocator) ||
      !shuffles_.ResetForOverwrite(shuffles ? operands : 0, allocator)) {
    return false;
  }
  const bool has_many_loops =
      runs.use == RunUse::kBlocks && loops > kMostBlockLoops;
  if (elements > kSmallBytes >> shift || has_many_loops) {
    return Scheduler<Here>(nest, operand_bits, result_bits, widest / 8, packed,
                           runs, allocator, *this)
        .Make();
  }
  const bool shuffled = TakeWhole(nest, elements, shuffles);
  if (!shuffled && !shuffles_.ResetForOverwrite(0, allocator)) return false;
  if (fits) vector_bytes_ = static_cast<size_t>(elements) << shift;
  if (elements == 0) {
    runs_ = 0;
  } else {
    extent_ = run_steps_ = extent;
    step_ = step;
    is_small_ = dense && loops > 0;
  }
  return true;
}

}  // namespace v1
}  // namespace broadloom
