// Cuts blocks into rows. Broadcasting inside a block happens here, once for all
// operators: rows that are long go to the loop one by one, short rows are made
// into long ones by expanding each repeating operand into a tile that stays in
// the first-level cache. (524288,3) * (524288,1) thus runs as a few thousand
// dense rows, beside a tile in which each element of the column stands three
// times.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/block.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/block-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// A tile of each operand and of a result fit the smallest first-level caches,
// and the small stacks of wasm.
constexpr size_t kTileBytes = 8192;
// Rows of so many bytes need no tile.
constexpr size_t kLongRowBytes = 1024;

using ByteTag = hn::CappedTag<uint8_t, kVectorBytes>;

// --- Filling memory ---------------------------------------------------------

template <class T>
HWY_INLINE T ReadAs(const uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

// A few bytes, where a call of memcpy would cost more than the copy.
HWY_INLINE void CopyShort(const uint8_t* from, size_t bytes, uint8_t* to) {
  for (; bytes >= 8; bytes -= 8, from += 8, to += 8) std::memcpy(to, from, 8);
  if (bytes >= 4) {
    std::memcpy(to, from, 4);
    bytes -= 4, from += 4, to += 4;
  }
  if (bytes >= 2) {
    std::memcpy(to, from, 2);
    bytes -= 2, from += 2, to += 2;
  }
  if (bytes != 0) *to = *from;
}

// One element over and over, in kVectorBytes: stored in whole vectors, as it
// will be loaded soon.
HWY_INLINE void Splat(const uint8_t* element, size_t bytes, uint8_t* to) {
  const hn::CappedTag<uint64_t, kVectorBytes / 8> d;
  auto v = hn::Undefined(d);
  if (bytes == 16) {
    v = hn::LoadDup128(d, reinterpret_cast<const uint64_t*>(element));
  } else {
    uint64_t word = 0;
    switch (bytes) {
      case 1:
        word = *element * uint64_t{0x0101010101010101};
        break;
      case 2:
        word = ReadAs<uint16_t>(element) * uint64_t{0x0001000100010001};
        break;
      case 4:
        word = ReadAs<uint32_t>(element) * uint64_t{0x0000000100000001};
        break;
      default:
        word = ReadAs<uint64_t>(element);
        break;
    }
    v = hn::Set(d, word);
  }
  for (size_t i = 0; i < kVectorBytes / 8; i += hn::Lanes(d)) {
    hn::StoreU(v, d, reinterpret_cast<uint64_t*>(to) + i);
  }
}

// `bytes` of a splat; a whole number of elements.
void Fill(const uint8_t* splat, uint8_t* to, size_t bytes) {
  const ByteTag d;
  const size_t lanes = hn::Lanes(d);
  if (bytes < lanes) {
    std::memcpy(to, splat, bytes);
    return;
  }
  const auto v = hn::LoadU(d, splat);
  for (size_t i = 0; i < bytes - lanes; i += lanes) hn::StoreU(v, d, to + i);
  hn::StoreU(v, d, to + bytes - lanes);
}

// `rows` times the same `row_bytes`.
void FillPeriod(const uint8_t* row, size_t row_bytes, size_t rows,
                uint8_t* to) {
  // What has been written is the source of the rest, as long as it is in the
  // first-level cache.
  constexpr size_t kSourceBytes = 4096;
  const size_t total = rows * row_bytes;
  std::memcpy(to, row, row_bytes);
  size_t done = row_bytes;
  while (done < total) {
    const size_t source =
        done < kSourceBytes
            ? done
            : std::max(kSourceBytes / row_bytes, size_t{1}) * row_bytes;
    const size_t bytes = std::min(source, total - done);
    std::memcpy(to + done, to, bytes);
    done += bytes;
  }
}

// Each of `count` elements `times` times, at least a vector of each.
template <class T>
void RepeatLong(const uint8_t* from, size_t count, size_t times, uint8_t* to) {
  const hn::CappedTag<T, kVectorBytes / sizeof(T)> d;
  const size_t lanes = hn::Lanes(d);
  auto* out = reinterpret_cast<T*>(to);
  for (size_t i = 0; i < count; ++i, out += times) {
    const auto v = hn::Set(d, ReadAs<T>(from + i * sizeof(T)));
    for (size_t k = 0; k < times - lanes; k += lanes) hn::StoreU(v, d, out + k);
    hn::StoreU(v, d, out + times - lanes);
  }
}

// The same for fewer: a vector of elements becomes `times` vectors of results.
// Returns how many elements are done; what is left is less than a vector.
template <class T>
size_t RepeatLanes(const uint8_t* from, size_t count, size_t times,
                   uint8_t* to) {
  const hn::CappedTag<T, kVectorBytes / sizeof(T)> d;
  using Index = hwy::MakeSigned<T>;
  const size_t lanes = hn::Lanes(d);
  if (count < lanes) return 0;
  alignas(kVectorBytes)
      Index indices[kVectorBytes / sizeof(T)][kVectorBytes / sizeof(T)];
  size_t index = 0;
  size_t repeated = 0;
  for (size_t k = 0; k < times; ++k) {
    for (size_t lane = 0; lane < lanes; ++lane) {
      indices[k][lane] = static_cast<Index>(index);
      if (++repeated == times) {
        repeated = 0;
        ++index;
      }
    }
  }
  auto* out = reinterpret_cast<T*>(to);
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto v =
        hn::LoadU(d, reinterpret_cast<const T*>(from + i * sizeof(T)));
    for (size_t k = 0; k < times; ++k, out += lanes) {
      hn::StoreU(hn::TableLookupLanes(v, hn::SetTableIndices(d, indices[k])), d,
                 out);
    }
  }
  return i;
}

// Each of `count` elements `times` times. A block of 16 results is a shuffle of
// the 16 bytes from where its first element lies; shuffles repeat as soon as
// a whole number of blocks is a whole number of elements' runs.
void Repeat(const uint8_t* from, size_t bytes, size_t count, size_t times,
            uint8_t* to) {
  const size_t run = bytes * times;
  if (run >= kVectorBytes) {
    switch (bytes) {
      case 1:
        return RepeatLong<uint8_t>(from, count, times, to);
      case 2:
        return RepeatLong<uint16_t>(from, count, times, to);
      case 4:
        return RepeatLong<uint32_t>(from, count, times, to);
      case 8:
        return RepeatLong<uint64_t>(from, count, times, to);
      default:
        break;
    }
    alignas(kVectorBytes) uint8_t splat[kVectorBytes];
    for (size_t i = 0; i < count; ++i) {
      Splat(from + i * bytes, bytes, splat);
      Fill(splat, to + i * run, run);
    }
    return;
  }
  if (bytes == 4 || bytes == 8) {
    const size_t done = bytes == 4
                            ? RepeatLanes<uint32_t>(from, count, times, to)
                            : RepeatLanes<uint64_t>(from, count, times, to);
    from += done * bytes;
    to += done * run;
    count -= done;
    if (count == 0) return;
  }

  const hn::CappedTag<uint8_t, 16> d;
  uint8_t shuffles[kVectorBytes][16];
  uint8_t begins[kVectorBytes];
  size_t period = run;  // in blocks of 16
  for (size_t odd = 16; odd > 1 && period % 2 == 0; odd /= 2) period /= 2;
  const size_t period_from = period * 16 / run * bytes;

  size_t element = 0;  // that the next result byte belongs to
  size_t in_run = 0;   // bytes of its run that are done
  for (size_t block = 0; block < period; ++block) {
    begins[block] = static_cast<uint8_t>(element * bytes);
    const size_t first = element;
    for (size_t i = 0; i < 16; ++i) {
      shuffles[block][i] =
          static_cast<uint8_t>((element - first) * bytes + in_run % bytes);
      if (++in_run == run) {
        in_run = 0;
        ++element;
      }
    }
  }

  const size_t from_bytes = count * bytes;
  const size_t to_bytes = count * run;
  size_t period_begin = 0;
  size_t block = 0;
  size_t done = 0;
  // Where 16 bytes can be loaded; then from a copy of what is left, which is
  // less than 16 and stands for at most as many runs.
  for (; done + 16 <= to_bytes; done += 16) {
    const size_t begin = period_begin + begins[block];
    if (begin + 16 > from_bytes) break;
    hn::StoreU(hn::TableLookupBytes(hn::LoadU(d, from + begin),
                                    hn::LoadU(d, shuffles[block])),
               d, to + done);
    if (++block == period) {
      block = 0;
      period_begin += period_from;
    }
  }
  uint8_t rest[16];
  uint8_t result[16];
  while (done < to_bytes) {
    const size_t begin = period_begin + begins[block];
    std::memset(rest, 0, sizeof(rest));
    std::memcpy(rest, from + begin, std::min(from_bytes - begin, size_t{16}));
    hn::StoreU(
        hn::TableLookupBytes(hn::LoadU(d, rest), hn::LoadU(d, shuffles[block])),
        d, result);
    const size_t bytes_left = std::min(to_bytes - done, size_t{16});
    std::memcpy(to + done, result, bytes_left);
    done += bytes_left;
    if (++block == period) {
      block = 0;
      period_begin += period_from;
    }
  }
}

void CopyRows(const uint8_t* from, int64_t stride_bytes, size_t row_bytes,
              size_t rows, uint8_t* to) {
  for (size_t r = 0; r < rows; ++r) {
    const uint8_t* row = from + static_cast<int64_t>(r) * stride_bytes;
    if (row_bytes <= kVectorBytes) {
      CopyShort(row, row_bytes, to + r * row_bytes);
    } else {
      std::memcpy(to + r * row_bytes, row, row_bytes);
    }
  }
}

// --- Elements of 4 bits and of 1 bit ----------------------------------------
// Worked on as bytes. Nibbles begin at the low end of a byte, single bits at
// the high end.

HWY_INLINE unsigned ShiftOf(size_t bits, size_t slot) {
  return static_cast<unsigned>(bits == 4 ? slot * 4 : 7 - slot);
}

void Unpack(const uint8_t* from, uint64_t first_bit, size_t bits, size_t count,
            uint8_t* to) {
  const size_t slots = 8 / bits;
  const unsigned mask = (1u << bits) - 1;
  from += first_bit / 8;
  size_t slot = first_bit % 8 / bits;
  size_t i = 0;
  for (; i < count && slot != 0; ++i, slot = (slot + 1) % slots) {
    to[i] = static_cast<uint8_t>((*from >> ShiftOf(bits, slot)) & mask);
    if (slot + 1 == slots) ++from;
  }
  if (bits == 4) {
    for (; i + 2 <= count; i += 2, ++from) {
      to[i] = *from & 15;
      to[i + 1] = *from >> 4;
    }
  } else {
    for (; i + 8 <= count; i += 8, ++from) {
      // Bit 7 - k of the byte, alone in byte k of the word, then moved down.
      const uint64_t spread =
          (*from * uint64_t{0x0101010101010101}) & 0x0102040810204080;
      const uint64_t ones =
          ((spread + 0x7F7F7F7F7F7F7F7F) >> 7) & 0x0101010101010101;
      std::memcpy(to + i, &ones, 8);
    }
  }
  for (slot = 0; i < count; ++i, ++slot) {
    to[i] = static_cast<uint8_t>((*from >> ShiftOf(bits, slot)) & mask);
  }
}

void Pack(const uint8_t* from, size_t bits, size_t count, uint8_t* to,
          uint64_t first_bit) {
  const size_t slots = 8 / bits;
  const unsigned mask = (1u << bits) - 1;
  to += first_bit / 8;
  const auto put = [&](size_t slot, uint8_t element) {
    const unsigned shift = ShiftOf(bits, slot);
    *to = static_cast<uint8_t>((*to & ~(mask << shift)) |
                               ((element & mask) << shift));
  };
  size_t slot = first_bit % 8 / bits;
  size_t i = 0;
  for (; i < count && slot != 0; ++i, slot = (slot + 1) % slots) {
    put(slot, from[i]);
    if (slot + 1 == slots) ++to;
  }
  if (bits == 4) {
    for (; i + 2 <= count; i += 2, ++to) {
      *to = static_cast<uint8_t>((from[i] & 15) | (from[i + 1] << 4));
    }
  } else {
    for (; i + 8 <= count; i += 8, ++to) {
      uint64_t ones;
      std::memcpy(&ones, from + i, 8);
      *to = static_cast<uint8_t>((ones * 0x8040201008040201) >> 56);
    }
  }
  for (slot = 0; i < count; ++i, ++slot) put(slot, from[i]);
}

// --- Operands ---------------------------------------------------------------

// What part of the block is at hand: whole rows, or part of one.
struct Chunk {
  size_t row;
  size_t rows;
  size_t column;
  size_t columns;
  size_t count() const { return rows * columns; }
};

struct Fetched {
  const void* data;
  size_t step;
};

enum class Pattern : uint8_t {
  kDense,     // the block's elements, side by side
  kConstant,  // one element for the whole block
  kPeriod,    // one row for all rows
  kSpread,    // one element for each row
  kRows,      // rows that lie apart
};

Pattern PatternOf(const BlockOperand& operand, size_t rows, size_t columns) {
  const bool one_row = rows == 1 || operand.row_stride == 0;
  if (columns == 1) {
    if (one_row) return Pattern::kConstant;
    return operand.row_stride == 1 ? Pattern::kDense : Pattern::kRows;
  }
  if (operand.repeats) return one_row ? Pattern::kConstant : Pattern::kSpread;
  if (rows == 1 || operand.row_stride == static_cast<int64_t>(columns)) {
    return Pattern::kDense;
  }
  return one_row ? Pattern::kPeriod : Pattern::kRows;
}

bool IsLinear(Pattern pattern) {
  return pattern == Pattern::kDense || pattern == Pattern::kConstant;
}

// One operand, handed out in pieces that a loop can take.
class Source {
 public:
  Source() = default;
  Source(const BlockOperand& operand, size_t bits, size_t rows, size_t columns)
      : data_(static_cast<const uint8_t*>(operand.data)),
        first_bit_(operand.first_bit),
        row_stride_(operand.row_stride),
        columns_(columns),
        bits_(bits),
        bytes_(bits < 8 ? 1 : bits / 8),
        pattern_(PatternOf(operand, rows, columns)) {}

  Pattern pattern() const { return pattern_; }

  // Part of one row. `tile` takes kVectorBytes and, for packed types, the
  // chunk.
  Fetched FetchFromRow(const Chunk& chunk, uint8_t* tile) const {
    const bool one_element =
        pattern_ == Pattern::kConstant || pattern_ == Pattern::kSpread;
    const int64_t first = RowBegin(chunk.row) +
                          static_cast<int64_t>(one_element ? 0 : chunk.column);
    if (one_element) {
      uint8_t unpacked;
      Splat(Elements(first, 1, &unpacked), bytes_, tile);
      return {tile, 0};
    }
    return {Elements(first, chunk.columns, tile), 1};
  }

  // Whole rows, `most_rows` of them or fewer. `tile` takes them all and is this
  // operand's until the block is done.
  Fetched FetchRows(const Chunk& chunk, size_t most_rows, uint8_t* tile) {
    if (pattern_ == Pattern::kConstant) return FetchFromRow(chunk, tile);
    if (pattern_ == Pattern::kDense) {
      return {Elements(RowBegin(chunk.row), chunk.count(), tile), 1};
    }
    if (pattern_ == Pattern::kPeriod) {
      if (!expanded_) Expand(0, most_rows, tile);
      expanded_ = true;
    } else {
      Expand(chunk.row, chunk.rows, tile);
    }
    return {tile, 1};
  }

  // Rows `row` and following, side by side (packed types: as bytes).
  void Expand(size_t row, size_t rows, uint8_t* to) const {
    const int64_t first = RowBegin(row);
    const size_t row_bytes = columns_ * bytes_;
    switch (pattern_) {
      case Pattern::kDense:
        CopyElements(first, rows * columns_, to);
        return;
      case Pattern::kConstant: {
        uint8_t unpacked;
        uint8_t splat[kVectorBytes];
        Splat(Elements(first, 1, &unpacked), bytes_, splat);
        Fill(splat, to, rows * row_bytes);
        return;
      }
      case Pattern::kPeriod:
        if (bits_ < 8) {
          CopyElements(first, columns_, to);
          if (rows > 1) FillPeriod(to, row_bytes, rows - 1, to + row_bytes);
        } else {
          FillPeriod(data_ + first * static_cast<int64_t>(bytes_), row_bytes,
                     rows, to);
        }
        return;
      case Pattern::kSpread:
        Spread(row, rows, to);
        return;
      case Pattern::kRows:
        if (bits_ < 8) {
          for (size_t r = 0; r < rows; ++r) {
            CopyElements(RowBegin(row + r), columns_, to + r * row_bytes);
          }
        } else {
          CopyRows(data_ + first * static_cast<int64_t>(bytes_),
                   row_stride_ * static_cast<int64_t>(bytes_), row_bytes, rows,
                   to);
        }
        return;
    }
  }

  // The whole block; packed types excepted.
  void ExpandTo(const Block& block) const {
    if (block.out == data_ && pattern_ == Pattern::kDense) return;
    Expand(0, block.rows, static_cast<uint8_t*>(block.out));
  }

  // `count` elements from number `first` on, side by side as bytes. Packed ones
  // are unpacked to `unpacked`.
  const uint8_t* Elements(int64_t first, size_t count,
                          uint8_t* unpacked) const {
    if (bits_ >= 8) return data_ + first * static_cast<int64_t>(bytes_);
    const int64_t bit =
        static_cast<int64_t>(first_bit_) + first * static_cast<int64_t>(bits_);
    const int64_t byte = bit >> 3;
    Unpack(data_ + byte, static_cast<uint64_t>(bit - byte * 8), bits_, count,
           unpacked);
    return unpacked;
  }

 private:
  int64_t RowBegin(size_t row) const {
    if (row == 0) return 0;
    return static_cast<int64_t>(row) * row_stride_;
  }

  void CopyElements(int64_t first, size_t count, uint8_t* to) const {
    const uint8_t* elements = Elements(first, count, to);
    if (elements != to) std::memcpy(to, elements, count * bytes_);
  }

  void Spread(size_t row, size_t rows, uint8_t* to) const {
    if (row_stride_ == 1 && bits_ >= 8) {
      Repeat(data_ + row * bytes_, bytes_, rows, columns_, to);
      return;
    }
    constexpr size_t kBatch = 64;
    uint8_t batch[kBatch * 16];
    while (rows != 0) {
      const size_t n = std::min(rows, kBatch);
      for (size_t r = 0; r < n; ++r) {
        uint8_t unpacked;
        CopyShort(Elements(RowBegin(row + r), 1, &unpacked), bytes_,
                  batch + r * bytes_);
      }
      Repeat(batch, bytes_, n, columns_, to);
      row += n;
      rows -= n;
      to += n * columns_ * bytes_;
    }
  }

  const uint8_t* data_ = nullptr;
  uint64_t first_bit_ = 0;
  int64_t row_stride_ = 0;
  size_t columns_ = 0;
  size_t bits_ = 0;
  size_t bytes_ = 0;  // of one element where loops see it
  Pattern pattern_ = Pattern::kDense;
  bool expanded_ = false;
};

// --- Chunks -----------------------------------------------------------------

// How a block is cut: into parts of rows, or else into several whole rows.
struct Cut {
  size_t rows;
  size_t columns;
  bool by_rows;
  size_t most;   // elements of a chunk
  size_t least;  // elements of a part of a row, unless the row has less

  size_t most_rows() const { return most / columns; }
};

// A block of dense and constant operands is one long row. `widest` is the
// greatest number of bytes of an element, `most` holds for parts of rows,
// `tile` for whole rows; both are at least twice `least`.
Cut CutBlock(const Block& block, bool linear, size_t widest, size_t most,
             size_t tile, size_t least) {
  if (linear) return {1, block.rows * block.columns, true, most, least};
  const bool by_rows =
      block.columns * widest >= kLongRowBytes || block.columns > tile / 4;
  return {block.rows, block.columns, by_rows, by_rows ? most : tile, least};
}

template <class Body>
HWY_INLINE void ForEachChunk(const Cut& cut, const Body& body) {
  if (cut.by_rows) {
    for (size_t row = 0; row < cut.rows; ++row) {
      for (size_t column = 0; column < cut.columns;) {
        const size_t left = cut.columns - column;
        size_t n = std::min(left, cut.most);
        if (left > n && left - n < cut.least) n -= cut.least;
        body(Chunk{row, 1, column, n});
        column += n;
      }
    }
  } else {
    const size_t most_rows = cut.most_rows();
    for (size_t row = 0; row < cut.rows; row += most_rows) {
      body(Chunk{row, std::min(most_rows, cut.rows - row), 0, cut.columns});
    }
  }
}

HWY_INLINE Fetched Fetch(Source& source, const Cut& cut, const Chunk& chunk,
                         uint8_t* tile) {
  return cut.by_rows ? source.FetchFromRow(chunk, tile)
                     : source.FetchRows(chunk, cut.most_rows(), tile);
}

// --- Rows -------------------------------------------------------------------

// A row of less than the loop takes is padded.
void RunPadded(const RowLoop& loop, const Row& row) {
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

// What ForEachRow has to know of an operator with one to three operands.
struct Layout {
  size_t operands;
  size_t in_bytes[kMostRowOperands];
  size_t out_bytes;
  bool swapped;  // the first row is the second operand
  size_t most;   // elements of a row
  size_t least;  // elements of a row, unless the block has less
};

// The elements of a block of few, side by side.
template <class T>
HWY_INLINE void GatherAs(const BlockOperand& operand, const Block& block,
                         uint8_t* to) {
  const auto* row = static_cast<const uint8_t*>(operand.data);
  const int64_t stride = operand.row_stride * static_cast<int64_t>(sizeof(T));
  const size_t step = operand.repeats ? 0 : sizeof(T);
  for (size_t r = 0; r < block.rows; ++r, row += stride) {
    for (size_t c = 0; c < block.columns; ++c, to += sizeof(T)) {
      std::memcpy(to, row + c * step, sizeof(T));
    }
  }
}

HWY_INLINE void Gather(const BlockOperand& operand, const Block& block,
                       size_t bytes, uint8_t* to) {
  switch (bytes) {
    case 1:
      return GatherAs<uint8_t>(operand, block, to);
    case 2:
      return GatherAs<uint16_t>(operand, block, to);
    case 4:
      return GatherAs<uint32_t>(operand, block, to);
    default:
      return GatherAs<uint64_t>(operand, block, to);
  }
}

// Less than a loop takes: all operands are padded, whatever they look like.
void RunSmall(const RowLoop& loop, bool swapped, const Block& block) {
  alignas(kVectorBytes) uint8_t pad[kMostRowOperands][kVectorBytes] = {};
  alignas(kVectorBytes) uint8_t result[kVectorBytes];
  Row row = {{pad[0], pad[1], pad[2]}, {1, 1, 1}, result, loop.least_count};
  for (size_t k = 0; k < loop.operands; ++k) {
    const size_t operand = swapped ? loop.operands - 1 - k : k;
    Gather(block.operands[operand], block, loop.in_bytes[k], pad[k]);
  }
  loop.run(row);
  CopyShort(result, block.rows * block.columns * loop.out_bytes,
            static_cast<uint8_t*>(block.out));
}

// Calls body(row) for the block, row by row or tile by tile.
template <size_t kTile, class Body>
HWY_INLINE void ForEachRow(const Block& block, const Layout& layout,
                           const Body& body) {
  alignas(kVectorBytes) uint8_t tiles[kMostRowOperands][kTile];
  Source sources[kMostRowOperands];
  bool linear = true;
  bool constant = true;
  size_t widest = layout.out_bytes;
  for (size_t k = 0; k < layout.operands; ++k) {
    const size_t operand = layout.swapped ? layout.operands - 1 - k : k;
    sources[k] = Source(block.operands[operand], layout.in_bytes[k] * 8,
                        block.rows, block.columns);
    linear = linear && IsLinear(sources[k].pattern());
    constant = constant && sources[k].pattern() == Pattern::kConstant;
    widest = std::max(widest, layout.in_bytes[k]);
  }
  const Cut cut = CutBlock(block, linear, widest, layout.most,
                           std::min(layout.most, kTile / widest), layout.least);
  auto* out = static_cast<uint8_t*>(block.out);
  Row row = {};

  if (constant) {
    alignas(kVectorBytes) uint8_t result[kVectorBytes];
    for (size_t k = 0; k < layout.operands; ++k) {
      row.in[k] = sources[k].FetchFromRow({0, 1, 0, 1}, tiles[k]).data;
    }
    row.out = result;
    row.count = kVectorBytes / layout.out_bytes;
    body(row);
    Fill(result, out, block.rows * block.columns * layout.out_bytes);
    return;
  }

  ForEachChunk(cut, [&](const Chunk& chunk) {
    for (size_t k = 0; k < layout.operands; ++k) {
      const Fetched fetched = Fetch(sources[k], cut, chunk, tiles[k]);
      row.in[k] = fetched.data;
      row.step[k] = fetched.step;
    }
    row.out = out;
    row.count = chunk.count();
    body(row);
    out += row.count * layout.out_bytes;
  });
}

Layout LayoutOf(const RowLoop& loop, bool swapped) {
  return {
      loop.operands,  {loop.in_bytes[0], loop.in_bytes[1], loop.in_bytes[2]},
      loop.out_bytes, swapped,
      SIZE_MAX,       loop.least_count};
}

void RunLoop(const RowLoop& loop, bool swapped, const Block& block) {
  if (block.rows < loop.least_count &&
      block.rows * block.columns < loop.least_count) {
    RunSmall(loop, swapped, block);
    return;
  }
  ForEachRow<kTileBytes>(block, LayoutOf(loop, swapped),
                         [&](const Row& row) { RunRow(loop, row); });
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

// --- Packed types -----------------------------------------------------------

// Where both begin at the same bit of a byte, whole bytes are copied.
bool CopyAligned(const uint8_t* from, uint64_t from_bit, size_t bits,
                 size_t count, uint8_t* to, uint64_t to_bit) {
  if (from_bit % 8 != to_bit % 8) return false;
  uint8_t edge[8];
  const size_t head =
      std::min(count, static_cast<size_t>((8 - to_bit % 8) % 8 / bits));
  Unpack(from, from_bit, bits, head, edge);
  Pack(edge, bits, head, to, to_bit);
  from_bit += head * bits;
  to_bit += head * bits;
  count -= head;
  const size_t bytes = count * bits / 8;
  if (bytes != 0) std::memcpy(to + to_bit / 8, from + from_bit / 8, bytes);
  from_bit += bytes * 8;
  to_bit += bytes * 8;
  count -= bytes * 8 / bits;
  Unpack(from, from_bit, bits, count, edge);
  Pack(edge, bits, count, to, to_bit);
  return true;
}

// Results as bytes, packed to their place.
class PackedOutput {
 public:
  PackedOutput(const Block& block, size_t bits)
      : out_(static_cast<uint8_t*>(block.out)),
        bit_(block.out_first_bit),
        bits_(bits) {}

  void Write(const uint8_t* elements, size_t count) {
    Pack(elements, bits_, count, out_, bit_);
    bit_ += count * bits_;
  }

 private:
  uint8_t* out_;
  uint64_t bit_;
  size_t bits_;
};

void MovePacked(const Block& block, size_t bits) {
  const BlockOperand& operand = block.operands[0];
  Source source(operand, bits, block.rows, block.columns);
  const bool linear = IsLinear(source.pattern());
  if (source.pattern() == Pattern::kDense &&
      CopyAligned(static_cast<const uint8_t*>(operand.data), operand.first_bit,
                  bits, block.rows * block.columns,
                  static_cast<uint8_t*>(block.out), block.out_first_bit)) {
    return;
  }
  alignas(kVectorBytes) uint8_t tile[kTileBytes];
  alignas(kVectorBytes) uint8_t filled[kTileBytes];
  const Cut cut = CutBlock(block, linear, 1, kTileBytes, kTileBytes, 1);
  PackedOutput out(block, bits);
  ForEachChunk(cut, [&](const Chunk& chunk) {
    const Fetched fetched = Fetch(source, cut, chunk, tile);
    const auto* elements = static_cast<const uint8_t*>(fetched.data);
    if (fetched.step == 0) {
      Fill(elements, filled, chunk.count());
      elements = filled;
    }
    out.Write(elements, chunk.count());
  });
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
const char* CompiledTarget() { return hwy::TargetName(HWY_TARGET); }

}  // namespace

void RunElementwise(const Kernel& self, const Block& block) {
  const auto& kernel = static_cast<const ElementwiseKernel&>(self);
  RunLoop(kernel.loop, kernel.swapped, block);
}

void RunThrough(const Kernel& self, const Block& block) {
  const auto& kernel = static_cast<const ThroughKernel&>(self);
  const RowLoop& core = *kernel.core;
  constexpr size_t kTile = kTileBytes / 2;
  alignas(kVectorBytes) uint8_t tiles[2][kTile];
  alignas(kVectorBytes) uint8_t result[kTile];

  Layout layout = LayoutOf(core, false);
  for (size_t k = 0; k < core.operands; ++k) {
    if (kernel.enter[k] != nullptr) {
      layout.in_bytes[k] = kernel.enter[k]->in_bytes[0];
    }
  }
  if (kernel.leave != nullptr) layout.out_bytes = kernel.leave->out_bytes;
  layout.most =
      kTile / std::max({core.in_bytes[0], core.in_bytes[1], core.out_bytes});

  ForEachRow<kTile>(block, layout, [&](const Row& row) {
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

void RunFold(const Kernel& self, const Block& block) {
  const auto& kernel = static_cast<const FoldKernel&>(self);
  const size_t bytes = kernel.element_bytes;
  if (kernel.enter == nullptr && kernel.finish == nullptr) {
    if (block.operand_count == 1) {
      Source(block.operands[0], bytes * 8, block.rows, block.columns)
          .ExpandTo(block);
      return;
    }
    if (block.operand_count == 2) {
      RunLoop(*kernel.step, false, block);
      return;
    }
  }

  constexpr size_t kTile = kTileBytes / 2;
  alignas(kVectorBytes) uint8_t gathered[kTile];
  alignas(kVectorBytes) uint8_t first_tile[kTile];
  alignas(kVectorBytes) uint8_t next_tile[kTile];
  alignas(kVectorBytes) uint8_t entered[kVectorBytes];
  alignas(kVectorBytes) uint8_t divisor[kVectorBytes];
  if (kernel.finish != nullptr) {
    const double wide =
        kernel.divides ? static_cast<double>(block.operand_count) : 1.0;
    const float narrow = static_cast<float>(wide);
    const bool is_wide = kernel.finish->in_bytes[1] == sizeof(wide);
    uint8_t element[16] = {};  // as wide as any that Splat takes
    std::memcpy(element, &wide, sizeof(wide));
    if (!is_wide) std::memcpy(element, &narrow, sizeof(narrow));
    Splat(element, kernel.finish->in_bytes[1], divisor);
  }

  const auto source_of = [&](size_t k) {
    return Source(block.operands[k], bytes * 8, block.rows, block.columns);
  };
  bool linear = true;
  for (size_t k = 0; k < block.operand_count; ++k) {
    linear = linear && IsLinear(source_of(k).pattern());
  }
  const RowLoop& step = *kernel.step;
  const size_t most = kTile / step.out_bytes;
  const size_t least = kVectorBytes;
  const Cut cut = CutBlock(block, linear, step.out_bytes, most, most, least);
  auto* out = static_cast<uint8_t*>(block.out);
  ForEachChunk(cut, [&](const Chunk& chunk) {
    const size_t count = chunk.count();
    Source first = source_of(0);
    Fetched sum = Fetch(first, cut, chunk, first_tile);
    if (kernel.enter != nullptr) {
      sum = Enter(*kernel.enter, {{sum.data}, {sum.step}, nullptr, count}, 0,
                  sum.step == 0 ? entered : gathered);
    }
    for (size_t k = 1; k < block.operand_count; ++k) {
      Source source = source_of(k);
      const Fetched next = Fetch(source, cut, chunk, next_tile);
      const bool last =
          k + 1 == block.operand_count && kernel.finish == nullptr;
      void* to = last ? static_cast<void*>(out) : gathered;
      RunRow(step, {{sum.data, next.data}, {sum.step, next.step}, to, count});
      sum = {to, 1};
    }
    if (kernel.finish != nullptr) {
      RunRow(*kernel.finish, {{sum.data, divisor}, {sum.step, 0}, out, count});
    }
    out += count * bytes;
  });
}

void RunMove(const Kernel& self, const Block& block) {
  const size_t bits = static_cast<const MoveKernel&>(self).element_bits;
  if (bits < 8) {
    MovePacked(block, bits);
  } else {
    Source(block.operands[0], bits, block.rows, block.columns).ExpandTo(block);
  }
}

void RunPackedWhere(const Kernel& self, const Block& block) {
  const auto& kernel = static_cast<const ByPartsKernel&>(self);
  alignas(kVectorBytes) uint8_t tiles[kMostRowOperands][kTileBytes / 2];
  alignas(kVectorBytes) uint8_t result[kTileBytes / 2];
  Source sources[kMostRowOperands];
  bool linear = true;
  for (size_t k = 0; k < kMostRowOperands; ++k) {
    sources[k] = Source(block.operands[k], k == 0 ? 8 : kernel.element_bits,
                        block.rows, block.columns);
    linear = linear && IsLinear(sources[k].pattern());
  }
  const Cut cut = CutBlock(block, linear, 1, sizeof(result), sizeof(result),
                           kernel.loop->least_count);
  PackedOutput out(block, kernel.element_bits);
  ForEachChunk(cut, [&](const Chunk& chunk) {
    Row row = {};
    for (size_t k = 0; k < kMostRowOperands; ++k) {
      const Fetched fetched = Fetch(sources[k], cut, chunk, tiles[k]);
      row.in[k] = fetched.data;
      row.step[k] = fetched.step;
    }
    row.out = result;
    row.count = chunk.count();
    RunRow(*kernel.loop, row);
    out.Write(result, row.count);
  });
}

void RunWideWhere(const Kernel& self, const Block& block) {
  const auto& kernel = static_cast<const ByPartsKernel&>(self);
  const RowLoop& half = *kernel.loop;
  constexpr size_t kTile = kTileBytes / 2;
  alignas(kVectorBytes) uint8_t twice[kTile / 8];
  const Layout layout = {3,     {1, 16, 16}, 16,
                         false, kTile / 16,  kVectorBytes / 16};
  ForEachRow<kTile>(block, layout, [&](const Row& row) {
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
