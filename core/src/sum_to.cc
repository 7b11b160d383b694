#include "broadloom/sum_to.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <span>

#include "broadloom/alignment.h"
#include "broadloom/memory.h"
#include "broadloom/parallel.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/tensor.h"
#include "broadloom/vocabulary.h"
#include "kernels/reduce.h"

namespace broadloom {
inline namespace v1 {
namespace {

using kernels::Accumulators;
using kernels::SumKernel;

// --- Checks -----------------------------------------------------------------

bool IsComplex(DType dtype) {
  return dtype == DType::kC64 || dtype == DType::kC128;
}

// The kernel for a type, which for complex numbers is that of their parts.
const SumKernel* KernelFor(DType dtype) {
  if (dtype == DType::kC64) return kernels::FindSumKernel(DType::kF32);
  if (dtype == DType::kC128) return kernels::FindSumKernel(DType::kF64);
  return kernels::FindSumKernel(dtype);
}

// The rows of the alignment: the input is operand A or the target, the summed
// shape the operand that broadcasts to it.
size_t ShapeRow(const Alignment& alignment) {
  return alignment.has_target() ? 0 : 1;
}
const AlignedCell& InputCell(const Alignment& alignment, size_t axis) {
  return alignment.has_target() ? alignment.target_cell(axis)
                                : alignment.cell(0, axis);
}

Status CheckExtents(ShapeView shape, int32_t operand, Rule rule) {
  const Result<int64_t> count = CountElements(shape);
  if (count || count.error().error_class != ErrorClass::kExtent) return {};
  Error error = count.error();
  error.rule = rule;
  error.operand = operand;
  return std::unexpected(error);
}

// The alignment of the two shapes, which may hold an error. Fails where the
// question itself is wrong.
Result<Alignment> AlignSum(DType dtype, ShapeView input, ShapeView shape,
                           const SumToOptions& options,
                           const Allocator& allocator) {
  const bool has_target = Traits(options.rule).takes_target;
  const ShapeView both[] = {input, shape};
  BroadcastRequest request{.rule = options.rule,
                           .operands = both,
                           .axis = options.axis,
                           .axes_mapping = options.axes_mapping,
                           .dtype = dtype};
  if (has_target) {
    request.operands = request.operands.last(1);
    request.target_shape = input;
  }
  Result<Alignment> alignment = Align(request, allocator);
  if (!alignment && alignment.error().error_class < ErrorClass::kExtent) {
    return alignment;
  }
  if (Status checked = CheckExtents(input, 0, options.rule); !checked) {
    return std::unexpected(checked.error());
  }
  if (Status checked = CheckExtents(shape, kOutputOperand, options.rule);
      !checked) {
    return std::unexpected(checked.error());
  }
  if (KernelFor(dtype) == nullptr) {
    return std::unexpected(Error{.error_class = ErrorClass::kDType,
                                 .detail = Detail::kUnsupported,
                                 .rule = options.rule,
                                 .operand = 0,
                                 .dtype = dtype});
  }
  return alignment;
}

// Whether the shapes broadcast, and to the input's.
Status CheckFit(const Alignment& alignment) {
  if (alignment.error()) return std::unexpected(*alignment.error());
  for (size_t axis = 0; axis < alignment.rank(); ++axis) {
    const AlignedCell& cell = InputCell(alignment, axis);
    if (cell.relation == Relation::kMatch) continue;
    const size_t row = ShapeRow(alignment);
    const AlignedCell& other = alignment.cell(row, axis);
    return std::unexpected(
        Error{.error_class = ErrorClass::kIncompatible,
              .rule = alignment.rule(),
              .clause = cell.clause,
              .operand = alignment.has_target() ? kTargetOperand : 0,
              .other_operand = static_cast<int32_t>(row),
              .axis = static_cast<int32_t>(axis),
              .operand_axis = cell.source_axis,
              .other_axis = other.source_axis,
              .extent = cell.extent,
              .other_extent = other.extent});
  }
  return {};
}

Status CheckDense(const TensorView& input, Rule rule) {
  if (input.strides.empty() && input.offset == 0) return {};
  return std::unexpected(
      Error{.error_class = ErrorClass::kIncompatible,
            .detail = Detail::kStrides,
            .rule = rule,
            .operand = 0,
            .extent = static_cast<int64_t>(input.strides.size()),
            .other_extent = -1,
            .dtype = input.dtype});
}

Status CheckLength(const TensorView& tensor, int32_t operand, Rule rule) {
  const Result<int64_t> bytes = CountBytes(tensor.shape, tensor.dtype);
  const size_t held = tensor.data == nullptr ? 0 : tensor.bytes;
  // What cannot be counted is said by the alignment.
  if (!bytes || static_cast<uint64_t>(*bytes) <= held) return {};
  return std::unexpected(Error{.error_class = ErrorClass::kLength,
                               .rule = rule,
                               .operand = operand,
                               .extent = static_cast<int64_t>(held),
                               .other_extent = *bytes,
                               .dtype = tensor.dtype});
}

// Countable: the alignment has counted it.
size_t BytesOf(const TensorView& tensor) {
  return static_cast<size_t>(
      CountBytes(tensor.shape, tensor.dtype).value_or(0));
}

Status CheckOverlap(const TensorView& input, const TensorView& output,
                    Rule rule) {
  const uintptr_t in = reinterpret_cast<uintptr_t>(input.data);
  const uintptr_t out = reinterpret_cast<uintptr_t>(output.data);
  const size_t in_bytes = BytesOf(input);
  const size_t out_bytes = BytesOf(output);
  if (in_bytes == 0 || out_bytes == 0) return {};
  if (in >= out + out_bytes || out >= in + in_bytes) return {};
  if (in == out && std::ranges::equal(input.shape, output.shape)) return {};
  return std::unexpected(Error{.error_class = ErrorClass::kOverlap,
                               .rule = rule,
                               .operand = kOutputOperand,
                               .other_operand = 0});
}

// --- How the sum is cut -----------------------------------------------------
//
// Axes of extent 1 are gone and neighbours that are alike are one, so that
// loops are kept and summed in turn. Innermost there are columns (kept; one,
// if the innermost loop is summed), then terms, of which each column is the
// sum, then blocks of columns:
//
//   (8,64,56,56) to (64,1,1):   8 + | 64 blocks | 3136 terms | 1 column
//   (768,768,3) to (3):                          589824 terms | 3 columns
//
// A block lies in one piece. Where its columns are few they are summed as if
// there were `copies` of them side by side, until the very end: the sums of
// neighbouring terms then come in whole vectors. And where blocks are tiny, but
// there are many loops around them, inner loops that are summed are taken for
// columns too, until the very end:
//
//   (100,2,2,3) to (2,1,3):     100 terms | 12 columns, which become 6 at last
//
// So each output is the sum of other sums, each in the order of the input. All
// of this is a function of shape and type alone.
//
// The output is cut into tiles, the accumulators of which fit on the stack.
// Where outputs are too few to go around among threads the longest summed loop
// is split as well, and the parts merged in order: again by shape and type
// alone, so that one thread does the same.

// A loop has at least two steps and the steps of all multiply to an int64_t;
// complex numbers have one more.
constexpr size_t kMostLoops = 64;

// Of a tile's accumulators, and of those of all parts.
constexpr size_t kTileBytes = 8192;
constexpr size_t kPartsBytes = 8192;
// A row of copies.
constexpr size_t kCopiesBytes = 256;
// The elements that are walked once for each few columns, as accumulators.
constexpr size_t kNearBytes = 16384;

constexpr size_t kFewRows = 8;
constexpr size_t kLeastCopies = 8;
// Columns are copied for no fewer terms.
constexpr size_t kCopiedTerms = 64;
// Of a single column, that are added without going through rows.
constexpr size_t kShortTerms = 32;
// Blocks of fewer elements are tiny; to gather inner sums at last is worth it
// from so many terms on, well worth it from so many.
constexpr size_t kTinyBlock = 256;
constexpr size_t kWorthTerms = 16;
constexpr size_t kWellWorthTerms = 64;
// Columns that a thread may have for its own.
constexpr size_t kLeastColumns = 64;
// So many outputs, or runs of columns, are enough without parts.
constexpr size_t kEnoughUnits = 16;
constexpr size_t kMostParts = 32;
constexpr size_t kLeastPartElements = 32768;
constexpr size_t kLeastParallelBytes = 256 * 1024;
constexpr size_t kTasksPerThread = 4;

constexpr size_t kNone = static_cast<size_t>(-1);

struct Loop {
  size_t extent;
  size_t in_stride;  // in elements
  bool summed;
};

// Accumulators on the stack.
template <size_t kBytes>
struct SumsMemory {
  alignas(64) unsigned char high[kBytes + kernels::kSlackBytes];
  alignas(64) unsigned char low[kBytes + kernels::kSlackBytes];

  Accumulators view() { return {high, low}; }
};

class Summation {
 public:
  Summation(const Alignment& alignment, const TensorView& input,
            const MutableTensorView& output)
      : kernel_(*KernelFor(input.dtype)),
        in_(static_cast<const unsigned char*>(input.data)),
        end_(in_ + BytesOf(input)),
        out_(static_cast<unsigned char*>(output.data)) {
    MakeLoops(alignment, IsComplex(input.dtype));
  }

  // Whether no axis is summed, so that the output is the input.
  [[nodiscard]] bool IsCopy() const {
    return std::none_of(loops_, loops_ + loop_count_,
                        [](const Loop& loop) { return loop.summed; });
  }

  void Run(const ParallelFor* parallel) {
    MakeBlocks();
    MakeParts();
    const size_t in_bytes = static_cast<size_t>(end_ - in_);
    const bool in_parallel = parallel != nullptr && parallel->threads > 1 &&
                             in_bytes >= kLeastParallelBytes;
    MakeTiles(in_parallel ? parallel->threads : 1);
    if (parts_ == 1) {
      RunTasks(in_parallel ? parallel : nullptr);
    } else {
      RunParts(in_parallel ? parallel : nullptr);
    }
  }

 private:
  // Innermost first.
  void MakeLoops(const Alignment& alignment, bool complex) {
    const size_t row = ShapeRow(alignment);
    size_t stride = 1;
    if (complex) AddLoop(2, stride, false);
    for (size_t axis = alignment.rank(); axis-- > 0;) {
      const size_t extent = static_cast<size_t>(alignment.output()[axis]);
      if (extent == 1) continue;
      AddLoop(extent, stride,
              alignment.cell(row, axis).relation != Relation::kMatch);
    }
  }

  void AddLoop(size_t extent, size_t& stride, bool summed) {
    if (loop_count_ > 0 && loops_[loop_count_ - 1].summed == summed) {
      loops_[loop_count_ - 1].extent *= extent;
    } else {
      loops_[loop_count_++] = {extent, stride, summed};
    }
    stride *= extent;
  }

  // The innermost loops, and how many copies of the columns there are.
  void MakeBlocks() {
    most_sums_ = kTileBytes / kernel_.sum_bytes;
    terms_loop_ = loops_[0].summed ? 0 : 1;
    if (loops_[terms_loop_].in_stride * loops_[terms_loop_].extent <
        kTinyBlock) {
      GatherInnerLoops();
    }
    columns_ = loops_[terms_loop_].in_stride;
    terms_ = loops_[terms_loop_].extent;
    block_elements_ = columns_ * terms_;
    if (terms_loop_ + 1 < loop_count_) blocks_loop_ = terms_loop_ + 1;
    for (size_t i = 0; i < loop_count_; ++i) {
      if (loops_[i].summed) continue;
      (i < terms_loop_ ? outputs_ : total_blocks_) *= loops_[i].extent;
    }

    const size_t most_copies = kCopiesBytes / kernel_.sum_bytes;
    if (columns_ == 1) {
      three_terms_ = terms_ == 3;
      short_terms_ = !three_terms_ && terms_ <= kShortTerms;
      if (three_terms_) {
        copies_ = 1;
      } else if (std::has_single_bit(terms_) && short_terms_) {
        copies_ = terms_;
      } else if (short_terms_) {
        copies_ = std::max(std::bit_ceil(terms_), kLeastCopies);
      } else {
        copies_ = std::min(std::bit_floor(terms_), most_copies);
      }
    } else if (columns_ < most_copies && terms_ >= kCopiedTerms) {
      copies_ = std::bit_floor(
          std::min({terms_ / 4, most_copies, most_sums_ / columns_}));
    }
    block_sums_ = columns_ * copies_;
    // Sums of one block that share a vector with the next one's wait for them.
    const size_t padded = kernels::kPaddedBytes / kernel_.sum_bytes;
    const size_t room = (columns_ + padded - 1) / padded * padded;
    if (copies_ == 1 && !three_terms_ && room != columns_ &&
        room <= most_sums_) {
      padded_ = true;
      block_sums_ = room;
    }
  }

  // Finds the summed loop up to which all is taken for columns: as many as a
  // tile holds, if what is left is worth it.
  void GatherInnerLoops() {
    for (const size_t worth : {kWellWorthTerms, kWorthTerms}) {
      size_t terms = 1;
      for (size_t i = loop_count_; i-- > terms_loop_ + 1;) {
        if (!loops_[i].summed) continue;
        terms *= loops_[i].extent;
        if (terms < worth || loops_[i].in_stride > most_sums_) continue;
        terms_loop_ = i;
        gathers_ = true;
        return;
      }
    }
  }

  void MakeParts() {
    const size_t per_block =
        copies_ == 1 && !gathers_
            ? (columns_ + kLeastColumns - 1) / kLeastColumns
            : 1;
    if (total_blocks_ >= kEnoughUnits ||
        total_blocks_ * per_block >= kEnoughUnits) {
      return;
    }
    for (size_t i = terms_loop_; i < loop_count_; ++i) {
      if (!loops_[i].summed) continue;
      if (parts_loop_ == kNone ||
          loops_[i].extent >= loops_[parts_loop_].extent) {
        parts_loop_ = i;
      }
    }
    if ((three_terms_ || short_terms_) && parts_loop_ == terms_loop_) return;
    const size_t elements = static_cast<size_t>(end_ - in_) / kernel_.in_bytes;
    const size_t room = kPartsBytes / kernel_.sum_bytes;
    parts_ = std::bit_floor(std::min({kMostParts, elements / kLeastPartElements,
                                      loops_[parts_loop_].extent,
                                      room / (total_blocks_ * outputs_)}));
    parts_ = std::max<size_t>(parts_, 1);
  }

  // How many accumulators a tile has does not change what is added to which.
  void MakeTiles(size_t threads) {
    size_t most = most_sums_;
    if (threads > 1) {
      const size_t tiles =
          std::max<size_t>(threads * kTasksPerThread / parts_, 1);
      size_t sums;
      if (!__builtin_mul_overflow(total_blocks_, block_sums_, &sums)) {
        const size_t each = (sums / tiles + kLeastColumns) / kLeastColumns;
        most = std::min(most, each * kLeastColumns);
      }
    }
    if (block_sums_ > most && copies_ == 1 && !gathers_) {
      padded_ = false;
      block_sums_ = columns_;
      tile_columns_ = most;
      tiles_per_block_ = (columns_ + most - 1) / most;
      tiles_ = total_blocks_ * tiles_per_block_;
      return;
    }
    tile_columns_ = columns_;
    size_t inner = block_sums_;
    for (size_t i = terms_loop_ + 1; i < loop_count_; ++i) {
      if (loops_[i].summed) continue;
      if (tile_loop_ != kNone) {
        tiles_ *= loops_[i].extent;
      } else if (inner * loops_[i].extent <= most) {
        inner *= loops_[i].extent;
      } else {
        tile_loop_ = i;
        tile_extent_ = std::max<size_t>(most / inner, 1);
        tiles_ = (loops_[i].extent + tile_extent_ - 1) / tile_extent_;
      }
    }
  }

  // --- Tiles ----------------------------------------------------------------

  // A loop around the blocks of a tile.
  struct Outer {
    size_t extent;
    size_t in_step;
    size_t sums_step;
    size_t index;
  };
  struct Tile {
    const unsigned char* in;
    size_t columns;
    size_t blocks;  // side by side, in the innermost loop of blocks
    size_t first_term;
    size_t terms;
    size_t total_blocks;  // side by side in the output
    size_t first_output;
    size_t outer_count;
    Outer outer[kMostLoops];
  };

  // Indexes [begin, end) of the split loop that part `part` has.
  [[nodiscard]] size_t PartBegin(size_t part) const {
    const size_t extent = loops_[parts_loop_].extent;
    return extent / parts_ * part + std::min(part, extent % parts_);
  }

  void MakeTile(size_t index, size_t part, Tile& tile) const {
    size_t offset = 0;
    size_t output = 0;
    tile.columns = tile_columns_;
    if (tiles_per_block_ > 0) {
      const size_t column = index % tiles_per_block_ * tile_columns_;
      index /= tiles_per_block_;
      tile.columns = std::min(tile_columns_, columns_ - column);
      offset = output = column;
    }
    tile.blocks = 1;
    tile.total_blocks = 1;
    tile.first_term = 0;
    tile.terms = terms_;
    tile.outer_count = 0;
    size_t output_stride = outputs_;
    for (size_t i = terms_loop_; i < loop_count_; ++i) {
      const Loop& loop = loops_[i];
      size_t begin = 0;
      size_t extent = loop.extent;
      if (loop.summed) {
        if (i == parts_loop_ && parts_ > 1) {
          begin = PartBegin(part);
          extent = PartBegin(part + 1) - begin;
        }
        if (i == terms_loop_) {
          tile.first_term = begin;
          tile.terms = extent;
          continue;
        }
      } else if (tiles_per_block_ > 0 ||
                 (tile_loop_ != kNone && i > tile_loop_)) {
        begin = index % extent;
        index /= extent;
        extent = 1;
      } else if (i == tile_loop_) {
        const size_t tiles = (extent + tile_extent_ - 1) / tile_extent_;
        begin = index % tiles * tile_extent_;
        index /= tiles;
        extent = std::min(tile_extent_, extent - begin);
      }
      offset += begin * loop.in_stride;
      size_t sums_step = 0;
      if (!loop.summed) {
        output += begin * output_stride;
        output_stride *= loop.extent;
        sums_step = tile.total_blocks * block_sums_;
        tile.total_blocks *= extent;
      }
      if (i == blocks_loop_) {
        tile.blocks = extent;
      } else if (extent > 1) {
        tile.outer[tile.outer_count++] = {extent,
                                          loop.in_stride * kernel_.in_bytes,
                                          sums_step * kernel_.sum_bytes, 0};
      }
    }
    tile.in = in_ + offset * kernel_.in_bytes;
    tile.first_output = output;
  }

  [[nodiscard]] Accumulators At(Accumulators sums, size_t index) const {
    const size_t bytes = index * kernel_.sum_bytes;
    return {sums.high + bytes, sums.low + bytes};
  }

  // The blocks of a tile that lie side by side.
  void AddBlocks(const Tile& tile, const unsigned char* in,
                 Accumulators sums) const {
    if (three_terms_) {
      kernel_.add_triples(sums, in, tile.blocks);
      return;
    }
    if (short_terms_ && copies_ == terms_) {
      const size_t sums_count = tile.blocks * copies_;
      kernel_.add_rows(sums, {.in = in,
                              .end = end_,
                              .blocks = 1,
                              .block_stride = 0,
                              .sum_stride = 0,
                              .rows = 1,
                              .row_stride = 0,
                              .width = sums_count,
                              .padded = false});
      return;
    }
    if (short_terms_) {
      kernel_.add_short(sums, in, end_, tile.blocks, tile.terms, copies_);
      return;
    }
    in += tile.first_term * columns_ * kernel_.in_bytes;
    const size_t near = kNearBytes / kernel_.sum_bytes;
    const size_t width = copies_ == 1 ? tile.columns : block_sums_;
    const size_t rows = tile.terms / copies_;
    const size_t rest = tile.terms % copies_ * columns_;
    kernels::RowsToAdd add{.in = in,
                           .end = end_,
                           .blocks = 1,
                           .block_stride = block_elements_,
                           .sum_stride = block_sums_,
                           .rows = rows,
                           .row_stride = columns_ * copies_,
                           .width = width,
                           .padded = padded_};
    const size_t at_once = std::max<size_t>(near / block_elements_, 1);
    const size_t rows_at_once = std::max(kFewRows, near / width);
    for (size_t block = 0; block < tile.blocks; block += at_once) {
      const unsigned char* first =
          in + block * block_elements_ * kernel_.in_bytes;
      const Accumulators to = At(sums, block * block_sums_);
      add.blocks = std::min(at_once, tile.blocks - block);
      add.width = width;
      for (size_t row = 0; row < rows; row += rows_at_once) {
        add.in = first + row * add.row_stride * kernel_.in_bytes;
        add.rows = std::min(rows_at_once, rows - row);
        kernel_.add_rows(to, add);
      }
      if (rest == 0) continue;
      add.in = first + rows * add.row_stride * kernel_.in_bytes;
      add.rows = 1;
      add.width = rest;
      kernel_.add_rows(to, add);
    }
  }

  // What is left are the sums of the tile's outputs, side by side.
  void GatherSums(const Tile& tile, Accumulators sums) const {
    const size_t blocks = tile.total_blocks;
    if (padded_) kernel_.compact(sums, blocks, block_sums_, columns_);
    if (columns_ == 1) {
      MergePairs(sums, blocks * copies_, copies_);
    } else if (copies_ > 1) {
      for (size_t block = 0; block < blocks; ++block) {
        const Accumulators own = At(sums, block * block_sums_);
        for (size_t half = block_sums_ / 2; half >= columns_; half /= 2) {
          kernel_.merge(own, At(own, half), half);
        }
        Copy(At(sums, block * columns_), own, columns_);
      }
    }
    if (!gathers_) return;
    size_t count = blocks * columns_;
    size_t width = 1;
    for (size_t i = 0; i < terms_loop_; ++i) {
      const size_t extent = loops_[i].extent;
      if (!loops_[i].summed) {
        width *= extent;
        continue;
      }
      if (width == 1 && std::has_single_bit(extent)) {
        MergePairs(sums, count, extent);
      } else {
        kernel_.fold(sums, count / (extent * width), extent, width);
      }
      count /= extent;
    }
  }

  // Each `terms` neighbours, a power of two, of `count` become one.
  void MergePairs(Accumulators sums, size_t count, size_t terms) const {
    for (; terms > 1; terms /= 2) kernel_.merge_pairs(sums, count /= 2);
  }

  void Copy(Accumulators to, Accumulators from, size_t count) const {
    std::memmove(to.high, from.high, count * kernel_.sum_bytes);
    if (!kernel_.has_low) return;
    std::memmove(to.low, from.low, count * kernel_.sum_bytes);
  }

  void RunTask(size_t task) {
    Tile tile;
    const size_t part = task % parts_;
    MakeTile(task / parts_, part, tile);
    SumsMemory<kTileBytes> memory;
    const Accumulators sums = memory.view();
    kernel_.clear(sums, tiles_per_block_ > 0 ? tile.columns
                                             : tile.total_blocks * block_sums_);
    const unsigned char* in = tile.in;
    size_t at = 0;
    for (;;) {
      AddBlocks(tile, in, {sums.high + at, sums.low + at});
      size_t loop = 0;
      for (; loop < tile.outer_count; ++loop) {
        Outer& outer = tile.outer[loop];
        in += outer.in_step;
        at += outer.sums_step;
        if (++outer.index < outer.extent) break;
        in -= outer.in_step * outer.extent;
        at -= outer.sums_step * outer.extent;
        outer.index = 0;
      }
      if (loop == tile.outer_count) break;
    }
    GatherSums(tile, sums);
    const size_t count =
        tiles_per_block_ > 0 ? tile.columns : tile.total_blocks * outputs_;
    if (parts_ > 1) {
      const size_t outputs = total_blocks_ * outputs_;
      Copy(At(part_sums_, part * outputs + tile.first_output), sums, count);
    } else {
      kernel_.store(sums, out_ + tile.first_output * kernel_.in_bytes, count);
    }
  }

  void RunTasks(const ParallelFor* parallel) {
    const size_t tasks = tiles_ * parts_;
    if (parallel != nullptr && tasks > 1) {
      parallel->run(
          parallel->context, tasks,
          [](void* state, size_t task) {
            static_cast<Summation*>(state)->RunTask(task);
          },
          this);
      return;
    }
    for (size_t task = 0; task < tasks; ++task) RunTask(task);
  }

  void RunParts(const ParallelFor* parallel) {
    SumsMemory<kPartsBytes> memory;
    part_sums_ = memory.view();
    RunTasks(parallel);
    const size_t outputs = total_blocks_ * outputs_;
    for (size_t part = 1; part < parts_; ++part) {
      kernel_.merge(part_sums_, At(part_sums_, part * outputs), outputs);
    }
    kernel_.store(part_sums_, out_, outputs);
  }

  const SumKernel& kernel_;
  const unsigned char* in_;
  const unsigned char* end_;
  unsigned char* out_;
  Loop loops_[kMostLoops];
  size_t loop_count_ = 0;

  size_t columns_ = 1;
  size_t terms_ = 1;
  size_t block_elements_ = 1;
  size_t total_blocks_ = 1;
  size_t copies_ = 1;
  size_t block_sums_ = 1;  // columns times copies, or padded columns
  size_t most_sums_ = 1;   // of a tile
  // How terms are added; else as rows.
  bool three_terms_ = false;
  bool short_terms_ = false;
  bool padded_ = false;
  // Whether columns hold summed loops, and how many outputs a block is.
  bool gathers_ = false;
  size_t outputs_ = 1;
  size_t terms_loop_ = 0;
  size_t blocks_loop_ = kNone;

  size_t parts_ = 1;
  size_t parts_loop_ = kNone;
  Accumulators part_sums_ = {};

  size_t tiles_ = 1;
  size_t tiles_per_block_ = 0;  // 0: a tile has all columns of its blocks
  size_t tile_columns_ = 1;
  size_t tile_loop_ = kNone;  // of which a tile has tile_extent_ steps
  size_t tile_extent_ = 1;
};

}  // namespace

Status CheckSumTo(DType dtype, ShapeView input, ShapeView shape,
                  const SumToOptions& options,
                  const Allocator& allocator) noexcept {
  const Result<Alignment> alignment =
      AlignSum(dtype, input, shape, options, allocator);
  if (!alignment) return std::unexpected(alignment.error());
  return CheckFit(*alignment);
}

Status SumTo(const TensorView& input, const MutableTensorView& output,
             const SumToOptions& options, const Allocator& allocator) noexcept {
  const Result<Alignment> alignment =
      AlignSum(input.dtype, input.shape, output.shape, options, allocator);
  if (!alignment) return std::unexpected(alignment.error());
  if (output.dtype != input.dtype) {
    return std::unexpected(Error{.error_class = ErrorClass::kDType,
                                 .detail = Detail::kOutput,
                                 .rule = options.rule,
                                 .operand = kOutputOperand,
                                 .dtype = output.dtype,
                                 .other_dtype = input.dtype});
  }
  Status checked = CheckDense(input, options.rule);
  if (checked) checked = CheckLength(input, 0, options.rule);
  if (checked) checked = CheckLength(output, kOutputOperand, options.rule);
  if (checked) checked = CheckFit(*alignment);
  if (checked) checked = CheckOverlap(input, output, options.rule);
  if (!checked) return checked;

  const size_t out_bytes = BytesOf(output);
  if (out_bytes == 0) return {};
  if (BytesOf(input) == 0) {
    std::memset(output.data, 0, out_bytes);
    return {};
  }
  Summation summation(*alignment, input, output);
  if (!summation.IsCopy()) {
    summation.Run(options.parallel);
  } else if (output.data != input.data) {
    std::memcpy(output.data, input.data, out_bytes);
  }
  return {};
}

Result<Tensor> SumTo(const TensorView& input, ShapeView shape,
                     const SumToOptions& options,
                     const Allocator& allocator) noexcept {
  // Data too short for its shape says more than what the shapes clash in.
  const Status checked =
      CheckSumTo(input.dtype, input.shape, shape, options, allocator);
  if (checked || checked.error().error_class > ErrorClass::kLength) {
    Status whole = CheckDense(input, options.rule);
    if (whole) whole = CheckLength(input, 0, options.rule);
    if (!whole) return std::unexpected(whole.error());
  }
  if (!checked) return std::unexpected(checked.error());
  Result<Tensor> out = Tensor::Allocate(input.dtype, shape, allocator);
  if (!out) return out;
  if (Status summed = SumTo(input, out->view(), options, allocator); !summed) {
    return std::unexpected(summed.error());
  }
  return out;
}

}  // namespace v1
}  // namespace broadloom
