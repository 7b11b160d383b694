// Loops that apply an operator of two operands to a row. An operator is a class
// with a static function Apply(d, a, b) of vectors; lane types (lanes-inl.h)
// say how elements become vectors.

#if defined(BROADLOOM_KERNELS_ROWS_LOOP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_LOOP_INL_H_
#undef BROADLOOM_KERNELS_ROWS_LOOP_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_LOOP_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/rows/lanes-inl.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/rows_loop-inl.h"
#include "kernels/rows/rows_operand-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whether an operator on elements of T takes few instructions, so that a loop
// gains from several copies of it. Each operator says so beside its definition.
template <class Operator, class T>
inline constexpr bool kIsShort = false;

// Whether loops of the operator take short rows. One of many instructions
// computes those faster from tiles, in whole vectors.
template <class Operator, class T>
inline constexpr bool kTakesShortRows = kIsShort<Operator, T>;

// Whether vectors of T have an instruction for most operations. Those of 64-bit
// integers have few, except with AVX-512.
template <class T>
inline constexpr bool kHasMostOperations =
    sizeof(T) < 8 || hwy::IsFloat<T>() ||
    (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3);

// An operand's elements in one row after the other. One that is repeated is
// made a splat.
template <class T>
class RowOperands {
 public:
  HWY_INLINE RowOperands(const Row& row, size_t operand)
      : next_(static_cast<const T*>(row.in[operand])),
        row_step_(row.row_step[operand]),
        group_step_(row.group_step[operand]),
        group_rows_(row.group_rows),
        splats_(row.step[operand] == 0 && !row.has_splats) {}

  HWY_INLINE const T* Next() {
    const T* const row = next_;
    if constexpr (!kLoopsTakeRows) return row;
    if (--group_left_ == 0) {
      group_left_ = group_rows_;
      next_ = AddBytes(next_, group_step_);
    } else {
      next_ = AddBytes(next_, row_step_);
    }
    if (!splats_) return row;
    Splat(reinterpret_cast<const uint8_t*>(row), sizeof(T), splat_);
    return reinterpret_cast<const T*>(splat_);
  }

 private:
  const T* next_;
  const int64_t row_step_;
  const int64_t group_step_;
  const size_t group_rows_;
  size_t group_left_ = group_rows_;
  const bool splats_;
  alignas(kVectorBytes) uint8_t splat_[kVectorBytes];
};

// Most loops compute whole vectors and one last vector that ends with the row:
// see StoreEnd.
//
// The first vector begins with the row, even if the result is not aligned
// there. If vectors began where the result is aligned, loads from an operand's
// tile would straddle two vectors just stored to the tile, and such a load
// waits until both stores have left the store buffer. Unaligned stores take up
// to 1.2 times as long in the caches, which is less than such waits.

template <class Operator, class Lhs, class Rhs, class Out>
void BinaryLoop(const Row& row) {
  const typename Lhs::Tag d;
  const size_t lanes = hn::Lanes(d);
  RowOperands<typename Lhs::Element> lhs_rows(row, 0);
  RowOperands<typename Rhs::Element> rhs_rows(row, 1);
  auto* out = static_cast<typename Out::Element*>(row.out);
  const size_t end = row.count - lanes;
  const size_t lhs_step = row.step[0] * lanes;
  const size_t rhs_step = row.step[1] * lanes;
  const size_t lhs_end = row.step[0] * end;
  const size_t rhs_end = row.step[1] * end;
  const int64_t out_step = row.out_step;
  for (size_t left = row.rows;;) {
    const auto* lhs = lhs_rows.Next();
    const auto* rhs = rhs_rows.Next();
    const auto* const lhs_last = lhs + lhs_end;
    const auto* const rhs_last = rhs + rhs_end;
    size_t i = 0;
    const auto compute = [&](size_t k) HWY_ATTR {
      return Operator::Apply(d, Lhs::Load(d, lhs + k * lhs_step),
                             Rhs::Load(d, rhs + k * rhs_step));
    };
    // Several vectors at a time: a prefetch after each vector delays the loads
    // in between. A vector of 64 bytes takes 2.5 cycles in the first-level
    // cache one by one, and 1.8 in pairs.
    constexpr size_t kStep = kVectorsAStep<decltype(d), Out>;
    for (; i + kStep * lanes <= end; i += kStep * lanes) {
      StoreStep<Out, kStep>(d, compute, out + i);
      lhs += kStep * lhs_step;
      rhs += kStep * rhs_step;
    }
    const auto compute_last = [&]() HWY_ATTR {
      return Operator::Apply(d, Lhs::Load(d, lhs_last), Rhs::Load(d, rhs_last));
    };
    StoreEnd<Out, kStep>(d, compute, compute_last, out, i, end);
    if (!kLoopsTakeRows || --left == 0) return;
    out = AddBytes(out, out_step);
  }
}

// As BinaryLoop, for many rows, which may be shorter.
template <class Operator, class Lhs, class Rhs, class Out>
using BinaryRows = RowsLoop<Operator, typename Lhs::Tag, Out,
                            kTakesShortRows<Operator, typename Lhs::Element>,
                            &BinaryLoop<Operator, Lhs, Rhs, Out>, Lhs, Rhs>;

// For rows of whole vectors (kLoopsTakeWholeVectors). A short operator takes
// four vectors at a time, which are as long as a splat: so that the vectors lie
// at fixed distances from the first one, whether the operand's step is 0 or 1.
// It has other loops for rows in which one operand is one element: there a
// register repeats it, which takes half as long for short rows as to write a
// splat for each row and to load it.
template <class Operator, class Lhs, class Rhs, class Out>
struct WholeVectorLoop {
  using Tag = typename Lhs::Tag;
  static constexpr bool kCompares = hwy::IsSame<Out, TruthByte>();
  // Whether the loop has several copies of the operator.
  static constexpr bool kCopies = kIsSame<Lhs> && kIsSame<Rhs> &&
                                  (kCompares || kIsSame<Out>) &&
                                  kIsShort<Operator, typename Lhs::Element>;
  static constexpr size_t kVectors = kCopies ? 4 : 1;
  static constexpr size_t kElements = kVectors * hn::MaxLanes(Tag());

  static void Run(const Row& row) {
    if constexpr (kCopies) {
      // Then one operand has step 0 and the other one step 1
      // (RowLoop::takes_constants).
      if (!row.has_splats) {
        const size_t constant = row.step[0];
        if (kInterchange || constant == 1) {
          return RunConstants<Lhs, Rhs, false>(row, constant);
        }
        return RunConstants<Rhs, Lhs, true>(row, constant);
      }
    }
    const Tag d;
    const size_t lanes = hn::Lanes(d);
    const auto* lhs = static_cast<const typename Lhs::Element*>(row.in[0]);
    const auto* rhs = static_cast<const typename Rhs::Element*>(row.in[1]);
    auto* out = static_cast<typename Out::Element*>(row.out);
    const size_t lhs_step = row.step[0] * kElements;
    const size_t rhs_step = row.step[1] * kElements;
    const auto compute = [&](size_t k) HWY_ATTR {
      return Operator::Apply(d, Lhs::Load(d, lhs + k * lanes),
                             Rhs::Load(d, rhs + k * lanes));
    };
    for (size_t left = row.rows;;) {
      const auto* const end = out + row.count;
      do {
        StoreStep<Out, kVectors>(d, compute, out);
        lhs += lhs_step;
        rhs += rhs_step;
        out += kElements;
      } while (out != end);
      if (--left == 0) return;
      // These distances stay in memory: the inner loop needs the registers.
      lhs = AddBytes(lhs, row.row_step[0]);
      rhs = AddBytes(rhs, row.row_step[1]);
      out = AddBytes(out, row.out_step);
    }
  }

 private:
  static constexpr bool kInterchange = kInterchangeable<Operator> > 1 &&
                                       hwy::IsSame<Lhs, Rhs>();

  // The same if operand `constant` has one element in each row, and no splat.
  // kConstantFirst: it is the operator's first operand. The inner loop needs
  // fewer registers, so that the distances of rows have some, too.
  template <class Given, class Constant, bool kConstantFirst>
  static HWY_INLINE void RunConstants(const Row& row, size_t constant) {
    const Tag d;
    const size_t lanes = hn::Lanes(d);
    using T = typename Constant::Element;
    const size_t given = 1 - constant;
    const auto* in = static_cast<const typename Given::Element*>(row.in[given]);
    const auto* element = static_cast<const uint8_t*>(row.in[constant]);
    auto* out = static_cast<typename Out::Element*>(row.out);
    const ptrdiff_t in_step = row.row_step[given];
    const ptrdiff_t element_step = row.row_step[constant];
    const ptrdiff_t out_step = row.out_step;
    const size_t count = row.count;
    for (size_t left = row.rows;;) {
      const auto repeated = Constant::Repeat(d, ReadAs<T>(element));
      const auto compute = [&](size_t k) HWY_ATTR {
        const auto loaded = Given::Load(d, in + k * lanes);
        if constexpr (kConstantFirst) {
          return Operator::Apply(d, repeated, loaded);
        } else {
          return Operator::Apply(d, loaded, repeated);
        }
      };
      const auto* const end = out + count;
      do {
        StoreStep<Out, kVectors>(d, compute, out);
        in += kElements;
        out += kElements;
      } while (out != end);
      if (--left == 0) return;
      in = AddBytes(in, in_step);
      element = AddBytes(element, element_step);
      out = AddBytes(out, out_step);
    }
  }
};

// For rows of whole vectors of three operands, kVectorBytes of the result at a
// time: step(a, b, c, out), for all steps of all rows.
template <class A, class B, class C, class Out, class Step>
HWY_INLINE void ForStepsOfThree(const Row& row, const Step& step) {
  constexpr size_t kElements = kVectorBytes / sizeof(Out);
  const auto* a = static_cast<const A*>(row.in[0]);
  const auto* b = static_cast<const B*>(row.in[1]);
  const auto* c = static_cast<const C*>(row.in[2]);
  auto* out = static_cast<Out*>(row.out);
  const size_t a_step = row.step[0] * kElements;
  const size_t b_step = row.step[1] * kElements;
  const size_t c_step = row.step[2] * kElements;
  for (size_t left = row.rows;;) {
    const Out* const end = out + row.count;
    do {
      step(a, b, c, out);
      a += a_step;
      b += b_step;
      c += c_step;
      out += kElements;
    } while (out != end);
    if (--left == 0) return;
    a = AddBytes(a, row.row_step[0]);
    b = AddBytes(b, row.row_step[1]);
    c = AddBytes(c, row.row_step[2]);
    out = AddBytes(out, row.out_step);
  }
}

// As BinaryLoop for one row, with streaming stores for the aligned whole
// vectors and ordinary ones for what is left at both ends.
template <class Operator, class Lhs, class Rhs, class Out>
void StreamingLoop(const Row& row) {
  const typename Lhs::Tag d;
  const size_t lanes = hn::Lanes(d);
  const auto* lhs = static_cast<const typename Lhs::Element*>(row.in[0]);
  const auto* rhs = static_cast<const typename Rhs::Element*>(row.in[1]);
  auto* out = static_cast<typename Out::Element*>(row.out);
  const size_t end = row.count - lanes;
  const size_t begin = ElementsToAligned(out, lanes);
  const size_t lhs_step = row.step[0];
  const size_t rhs_step = row.step[1];
  const auto compute = [&](size_t i) HWY_ATTR {
    return Operator::Apply(d, Lhs::Load(d, lhs + lhs_step * i),
                           Rhs::Load(d, rhs + rhs_step * i));
  };

  const auto first = compute(0);
  const auto last = compute(end);
  size_t i = begin;
  for (; i <= end; i += lanes) Out::Stream(d, compute(i), out + i);
  if (begin != 0) Out::Store(d, first, out);
  if (i != row.count) Out::Store(d, last, out + end);
}

template <class Operator, class Lhs, class Rhs, class Out>
constexpr void (*StreamingLoopOf())(const Row& row) {
  if constexpr (requires { requires Out::kCanStream; }) {
    return &StreamingLoop<Operator, Lhs, Rhs, Out>;
  } else {
    return nullptr;
  }
}

// As ShuffledLoop, for shuffles of 16 bytes (kBlocks) or of vectors.
template <class Operator, class Lhs, class Rhs, class Out, size_t kShuffled,
          bool kBlocks>
HWY_INLINE void ShuffleRow(const Row& row, const Shuffles& shuffles) {
  const typename Lhs::Tag d;
  using T = typename Lhs::Element;
  const size_t lanes = hn::Lanes(d);
  const size_t given = 1 - shuffles.operand;
  const T* other = static_cast<const T*>(row.in[given]);
  const size_t step = row.step[given] * lanes;
  auto* out = static_cast<typename Out::Element*>(row.out);
  const auto* from = static_cast<const uint8_t*>(shuffles.from);
  const auto* const table =
      static_cast<const hwy::MakeUnsigned<T>*>(shuffles.table);
  const int32_t* const begins = shuffles.begins;
  const size_t cycle = shuffles.count;

  const auto shuffled = [&](size_t v) HWY_ATTR {
    const T* const source = reinterpret_cast<const T*>(from + begins[v]);
    if constexpr (kBlocks) {
      return ShuffledBlock(d, source,
                           reinterpret_cast<const T*>(table) + v * lanes);
    } else {
      return hn::TableLookupLanes(LoadFrom(d, source),
                                  hn::SetTableIndices(d, table + v * lanes));
    }
  };
  const auto compute = [&](size_t v, hn::Vec<decltype(d)> theirs) HWY_ATTR {
    const auto ours = shuffled(v);
    if constexpr (kShuffled == 0) {
      return Operator::Apply(d, ours, theirs);
    } else {
      return Operator::Apply(d, theirs, ours);
    }
  };
  size_t left = row.count;
  for (; left >= cycle * lanes; left -= cycle * lanes) {
    size_t v = 0;
    for (; v + 1 < cycle; v += 2) {
      PrefetchToWrite(Ahead(out));
      PrefetchToWrite(Ahead(out + lanes));
      Out::Store(d, compute(v, LoadFrom(d, other)), out);
      Out::Store(d, compute(v + 1, LoadFrom(d, other + step)), out + lanes);
      out += 2 * lanes;
      other += 2 * step;
    }
    if (v < cycle) {
      Out::Store(d, compute(v, LoadFrom(d, other)), out);
      out += lanes;
      other += step;
    }
    from += shuffles.advance;
  }
  size_t v = 0;
  for (; left >= lanes; left -= lanes) {
    Out::Store(d, compute(v++, LoadFrom(d, other)), out);
    out += lanes;
    other += step;
  }
  if (left == 0) return;
  const auto theirs =
      step == 0 ? LoadFrom(d, other) : LoadLanes(d, other, left);
  Out::StoreFirst(d, compute(v, theirs), out, left);
}

// One operand, `kShuffled` if they may not change places, is shuffled out of
// its memory vector by vector; the other operand is given by the row.
template <class Operator, class Lhs, class Rhs, class Out, size_t kShuffled>
void ShuffledLoop(const Row& row, const Shuffles& shuffles) {
  if constexpr (kBlocksAreFast<typename Lhs::Element>) {
    if (shuffles.blocks) {
      return ShuffleRow<Operator, Lhs, Rhs, Out, kShuffled, true>(row,
                                                                  shuffles);
    }
  }
  ShuffleRow<Operator, Lhs, Rhs, Out, kShuffled, false>(row, shuffles);
}

template <class Operator, class Lhs, class Rhs, class Out, size_t kShuffled>
constexpr void (*ShuffledLoopOf())(const Row& row, const Shuffles& shuffles) {
  // Only lanes that are the elements in memory can be shuffled there.
  if constexpr (kIsSame<Lhs> && kIsSame<Rhs> &&
                requires { &Out::template StoreFirst<typename Lhs::Tag>; }) {
    return &ShuffledLoop<Operator, Lhs, Rhs, Out, kShuffled>;
  } else {
    return nullptr;
  }
}

template <class Operator, class Lhs, class Rhs, class Out>
constexpr RowLoop BinaryLoopOf() {
  RowLoop loop = {
      nullptr,
      2,
      {sizeof(typename Lhs::Element), sizeof(typename Rhs::Element), 0},
      sizeof(typename Out::Element),
      hn::MaxLanes(typename Lhs::Tag())};
  if constexpr (kLoopsTakeWholeVectors) {
    using Loop = WholeVectorLoop<Operator, Lhs, Rhs, Out>;
    loop.run = &Loop::Run;
    loop.least_count = Loop::kElements;
    loop.takes_whole_vectors = true;
    loop.takes_constants = Loop::kCopies;
  } else {
    loop.run = &BinaryLoop<Operator, Lhs, Rhs, Out>;
    using Rows = BinaryRows<Operator, Lhs, Rhs, Out>;
    if constexpr (Rows::kHasSeams || Rows::kOverlaps) {
      loop.rows = &Rows::Run;
      loop.least_row_count = Rows::kLeast;
    }
    loop.stream = StreamingLoopOf<Operator, Lhs, Rhs, Out>();
    loop.shuffle[0] = ShuffledLoopOf<Operator, Lhs, Rhs, Out, 0>();
    // One loop for both, if the operands may change places.
    loop.shuffle[1] = ShuffledLoopOf<Operator, Lhs, Rhs, Out,
                                     kInterchangeable<Operator> == 1 ? 1 : 0>();
  }
  return loop;
}

template <class Operator, class Lhs, class Rhs = Lhs, class Out = Lhs>
inline constexpr RowLoop kBinaryLoop = BinaryLoopOf<Operator, Lhs, Rhs, Out>();

// For operators that no target computes in vectors: calls Operator::Apply for
// one pair of elements after the other.
template <class T, class Operator, class Rhs = T>
void ElementLoop(const Row& row) {
  RowOperands<Unaligned<T>> lhs_rows(row, 0);
  RowOperands<Unaligned<Rhs>> rhs_rows(row, 1);
  auto* out = static_cast<Unaligned<T>*>(row.out);
  for (size_t left = row.rows;;) {
    const Unaligned<T>* const lhs = lhs_rows.Next();
    const Unaligned<Rhs>* const rhs = rhs_rows.Next();
    for (size_t i = 0; i < row.count; ++i) {
      out[i].value = Operator::Apply(T{lhs[i * row.step[0]].value},
                                     Rhs{rhs[i * row.step[1]].value});
    }
    if (!kLoopsTakeRows || --left == 0) return;
    out = AddBytes(out, row.out_step);
  }
}

template <class Operator, class T, class Rhs = T>
inline constexpr RowLoop kElementLoop = {&ElementLoop<T, Operator, Rhs>,
                                         2,
                                         {sizeof(T), sizeof(Rhs), 0},
                                         sizeof(T),
                                         1};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_LOOP_INL_H_
