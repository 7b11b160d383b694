// The loops that apply an operator to a Row. How elements become vectors and
// vectors elements is said by lane types, what is computed by the operators of
// ops-inl.h; a kernel is one combination of them.

#if defined(BROADLOOM_KERNELS_ROWS_LOOP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_LOOP_INL_H_
#undef BROADLOOM_KERNELS_ROWS_LOOP_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_LOOP_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/rows/convert-inl.h"
#include "kernels/rows/copy-inl.h"
#include "kernels/rows/drive-inl.h"
#include "kernels/rows/float16-inl.h"
#include "kernels/rows/row.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using FullTag = hn::CappedTag<T, kVectorBytes / sizeof(T)>;

// Whether an operator on elements of T is a few instructions, so that a loop
// gains by several copies of it. Operators say so (ops-inl.h).
template <class Operator, class T>
inline constexpr bool kIsShort = false;

// --- Lane types -------------------------------------------------------------
// Element is what lies in memory, Tag the vectors that are computed with.
// kCanStream: results can go past the caches, by Stream.

// Elements computed with as they are.
template <class T>
struct Same {
  using Element = T;
  using Tag = FullTag<T>;

  template <class D>
  static HWY_INLINE hn::Vec<D> Load(D d, const T* p) {
    return LoadFrom(d, p);
  }
  template <class D>
  static HWY_INLINE void Store(D d, hn::Vec<D> v, T* p) {
    StoreTo(v, d, p);
  }
  // The first `n` lanes.
  template <class D>
  static HWY_INLINE void StoreFirst(D d, hn::Vec<D> v, T* p, size_t n) {
    StoreLanes(d, v, p, n);
  }
  static constexpr bool kCanStream = true;
  template <class D>
  static HWY_INLINE void Stream(D d, hn::Vec<D> v, T* p) {
    hn::Stream(v, d, p);
  }
};

template <class Lanes>
inline constexpr bool kIsSame = false;
template <class T>
inline constexpr bool kIsSame<Same<T>> = true;

struct F16 {
  using Element = uint16_t;
  using Tag = FullTag<float>;
  // No target streams less than 16 bytes.
  static constexpr bool kCanStream = hn::MaxLanes(Tag()) >= 8;

  template <class D>
  static HWY_INLINE hn::Vec<D> Decode(D d, HalfBits<D> bits) {
    return F32FromF16(d, bits);
  }
  template <class D>
  static HWY_INLINE HalfBits<D> Encode(D d, hn::Vec<D> v) {
    return F16FromF32(d, v);
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> Load(D d, const uint16_t* p) {
    return Decode(d, LoadFrom(hn::Rebind<uint16_t, D>(), p));
  }
  template <class D>
  static HWY_INLINE void Store(D d, hn::Vec<D> v, uint16_t* p) {
    StoreTo(Encode(d, v), hn::Rebind<uint16_t, D>(), p);
  }
  template <class D>
  static HWY_INLINE void Stream(D d, hn::Vec<D> v, uint16_t* p) {
    hn::Stream(Encode(d, v), hn::Rebind<uint16_t, D>(), p);
  }
};

struct BF16 {
  using Element = uint16_t;
  using Tag = FullTag<float>;
  // No target streams less than 16 bytes.
  static constexpr bool kCanStream = hn::MaxLanes(Tag()) >= 8;

  template <class D>
  static HWY_INLINE hn::Vec<D> Decode(D d, HalfBits<D> bits) {
    return F32FromBF16(d, bits);
  }
  template <class D>
  static HWY_INLINE HalfBits<D> Encode(D d, hn::Vec<D> v) {
    return BF16FromF32(d, v);
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> Load(D d, const uint16_t* p) {
    return Decode(d, LoadFrom(hn::Rebind<uint16_t, D>(), p));
  }
  template <class D>
  static HWY_INLINE void Store(D d, hn::Vec<D> v, uint16_t* p) {
    StoreTo(Encode(d, v), hn::Rebind<uint16_t, D>(), p);
  }
  template <class D>
  static HWY_INLINE void Stream(D d, hn::Vec<D> v, uint16_t* p) {
    hn::Stream(Encode(d, v), hn::Rebind<uint16_t, D>(), p);
  }
};

// The result of a comparison: a mask, stored as bytes 0 and 1.
struct TruthByte {
  using Element = uint8_t;

  template <class D>
  static HWY_INLINE void Store(D d, hn::Mask<D> mask, uint8_t* p) {
    (void)d;
    const hn::RebindToUnsigned<D> du;
    const hn::Rebind<uint8_t, D> d8;
    const auto truth =
        hn::IfThenElseZero(hn::RebindMask(du, mask), hn::Set(du, 1));
    if constexpr (sizeof(hn::TFromD<D>) == 1) {
      StoreTo(truth, d8, p);
    } else {
      StoreTo(hn::TruncateTo(d8, truth), d8, p);
    }
  }
  // Of lanes that are no bytes four masks make one or two vectors, or a half.
  template <class D, class M = hn::Mask<D>>
  static HWY_INLINE void StoreFour(D d, M m0, M m1, M m2, M m3, uint8_t* p) {
    StoreTwo(Narrow<D>(), Join(d, m0, m1), Join(d, m2, m3), p);
  }
  template <class D>
  static HWY_INLINE void StoreFirst(D d, hn::Mask<D> mask, uint8_t* p,
                                    size_t n) {
    alignas(kVectorBytes) uint8_t all[kVectorBytes];
    Store(d, mask, all);
    const hn::Rebind<uint8_t, D> d8;
    StoreLanes(d8, hn::Load(d8, all), p, n);
  }

 private:
  // Lanes half as wide, twice as many.
  template <class D>
  using Narrow = hn::RepartitionToNarrow<hn::RebindToUnsigned<D>>;

  template <class D, class M = hn::Mask<D>>
  static HWY_INLINE hn::Mask<Narrow<D>> Join(D, M m0, M m1) {
    const hn::RebindToUnsigned<D> du;
    return hn::OrderedDemote2MasksTo(Narrow<D>(), du, hn::RebindMask(du, m0),
                                     hn::RebindMask(du, m1));
  }
  template <class D, class M = hn::Mask<D>>
  static HWY_INLINE void StoreTwo(D d, M m0, M m1, uint8_t* p) {
    if constexpr (sizeof(hn::TFromD<D>) == 1) {
      Store(d, m0, p);
      Store(d, m1, p + hn::Lanes(d));
    } else {
      Store(Narrow<D>(), Join(d, m0, m1), p);
    }
  }
};

// --- Loops ------------------------------------------------------------------
// Most take whole vectors and one more that ends with the row. It may overlap
// its neighbour; in place its operands would by then be results, so it is
// computed first and stored last.
//
// Vectors begin with the row, wherever the result lies. To begin where it is
// aligned would have an operand's tile read across the vectors that have just
// been written to it, which waits for all stores before; and a line of the
// cache that is there before it is written takes two stores as well as one.

template <class Operator, class Lhs, class Rhs, class Out>
void BinaryLoop(const Row& row) {
  const typename Lhs::Tag d;
  const size_t lanes = hn::Lanes(d);
  const auto* lhs = static_cast<const typename Lhs::Element*>(row.in[0]);
  const auto* rhs = static_cast<const typename Rhs::Element*>(row.in[1]);
  auto* out = static_cast<typename Out::Element*>(row.out);
  const size_t end = row.count - lanes;
  const size_t lhs_step = row.step[0] * lanes;
  const size_t rhs_step = row.step[1] * lanes;

  const auto last = Operator::Apply(d, Lhs::Load(d, lhs + row.step[0] * end),
                                    Rhs::Load(d, rhs + row.step[1] * end));
  size_t i = 0;
  // Two vectors at a time, since what is asked for one by one holds up the
  // loads between: 2.5 cycles a vector in the first-level cache, and 1.8 in
  // pairs.
  for (; i + lanes < end; i += 2 * lanes) {
    PrefetchToWrite(Ahead(out + i));
    PrefetchToWrite(Ahead(out + i + lanes));
    Out::Store(d, Operator::Apply(d, Lhs::Load(d, lhs), Rhs::Load(d, rhs)),
               out + i);
    Out::Store(d,
               Operator::Apply(d, Lhs::Load(d, lhs + lhs_step),
                               Rhs::Load(d, rhs + rhs_step)),
               out + i + lanes);
    lhs += 2 * lhs_step;
    rhs += 2 * rhs_step;
  }
  for (; i < end; i += lanes) {
    Out::Store(d, Operator::Apply(d, Lhs::Load(d, lhs), Rhs::Load(d, rhs)),
               out + i);
    lhs += lhs_step;
    rhs += rhs_step;
  }
  Out::Store(d, last, out + end);
}

// The same for whole blocks, where the driver sees to the end of a row: a loop
// without an end is half the code. A block of a short operator is as long as
// the splat of an element, so that the vectors of a block lie at fixed places
// after the first one, whatever the operand's step is.
template <class Operator, class Lhs, class Rhs, class Out>
struct BlockLoop {
  using Tag = typename Lhs::Tag;
  static constexpr bool kCompares = hwy::IsSame<Out, TruthByte>();
  static constexpr bool kPacks = kCompares && sizeof(typename Lhs::Element) > 1;
  static constexpr bool kCopies = kIsSame<Lhs> && kIsSame<Rhs> &&
                                  (kCompares || kIsSame<Out>) &&
                                  kIsShort<Operator, typename Lhs::Element>;
  static constexpr size_t kVectors = kCopies ? 4 : 1;
  static constexpr size_t kElements = kVectors * hn::MaxLanes(Tag());

  static void Run(const Row& row) {
    const Tag d;
    const size_t lanes = hn::Lanes(d);
    const auto* lhs = static_cast<const typename Lhs::Element*>(row.in[0]);
    const auto* rhs = static_cast<const typename Rhs::Element*>(row.in[1]);
    auto* out = static_cast<typename Out::Element*>(row.out);
    const auto* const end = out + row.count;
    const size_t lhs_step = row.step[0] * kElements;
    const size_t rhs_step = row.step[1] * kElements;
    const auto compute = [&](size_t i) HWY_ATTR {
      return Operator::Apply(d, Lhs::Load(d, lhs + i), Rhs::Load(d, rhs + i));
    };

    do {
      if constexpr (kVectors == 1) {
        Out::Store(d, compute(0), out);
      } else if constexpr (kPacks) {
        Out::StoreFour(d, compute(0), compute(lanes), compute(2 * lanes),
                       compute(3 * lanes), out);
      } else {
        Out::Store(d, compute(0), out);
        Out::Store(d, compute(lanes), out + lanes);
        Out::Store(d, compute(2 * lanes), out + 2 * lanes);
        Out::Store(d, compute(3 * lanes), out + 3 * lanes);
      }
      lhs += lhs_step;
      rhs += rhs_step;
      out += kElements;
    } while (out != end);
  }
};

// Elements until `out`, which is aligned to them, is aligned to vectors of
// `lanes` of them.
template <class T>
HWY_INLINE size_t ElementsToAligned(const T* out, size_t lanes) {
  const size_t vector = lanes * sizeof(T);
  const size_t skew = (0 - reinterpret_cast<uintptr_t>(out)) % vector;
  return skew / sizeof(T);
}

// The same past the caches: whole vectors are streamed, and only what is left
// over at the ends is stored.
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

// One operand is shuffled out of its memory as it is needed, and the other one
// side by side or a splat.
template <class Operator, class Lhs, class Rhs, class Out, size_t kShuffled>
void ShuffledLoop(const Row& row, const Shuffles& shuffles) {
  const typename Lhs::Tag d;
  using T = typename Lhs::Element;
  const size_t lanes = hn::Lanes(d);
  const T* other = static_cast<const T*>(row.in[1 - kShuffled]);
  const size_t step = row.step[1 - kShuffled] * lanes;
  auto* out = static_cast<typename Out::Element*>(row.out);
  const auto* from = static_cast<const uint8_t*>(shuffles.from);
  const auto* const table =
      static_cast<const hwy::MakeUnsigned<T>*>(shuffles.table);
  const int32_t* const begins = shuffles.begins;
  const size_t turn = shuffles.count;

  const auto compute = [&](size_t v, hn::Vec<decltype(d)> theirs) HWY_ATTR {
    const auto ours = hn::TableLookupLanes(
        LoadFrom(d, reinterpret_cast<const T*>(from + begins[v])),
        hn::SetTableIndices(d, table + v * lanes));
    if constexpr (kShuffled == 0) {
      return Operator::Apply(d, ours, theirs);
    } else {
      return Operator::Apply(d, theirs, ours);
    }
  };
  size_t left = row.count;
  for (; left >= turn * lanes; left -= turn * lanes) {
    size_t v = 0;
    for (; v + 1 < turn; v += 2) {
      PrefetchToWrite(Ahead(out));
      PrefetchToWrite(Ahead(out + lanes));
      Out::Store(d, compute(v, LoadFrom(d, other)), out);
      Out::Store(d, compute(v + 1, LoadFrom(d, other + step)), out + lanes);
      out += 2 * lanes;
      other += 2 * step;
    }
    if (v < turn) {
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

template <class Operator, class Lhs, class Rhs, class Out, size_t kShuffled>
constexpr void (*ShuffledLoopOf())(const Row& row, const Shuffles& shuffles) {
  // Lanes are shuffled as they lie in memory.
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
  if constexpr (kLoopsTakeBlocks) {
    using Loop = BlockLoop<Operator, Lhs, Rhs, Out>;
    loop.run = &Loop::Run;
    loop.least_count = Loop::kElements;
    loop.takes_blocks = true;
  } else {
    loop.run = &BinaryLoop<Operator, Lhs, Rhs, Out>;
    loop.stream = StreamingLoopOf<Operator, Lhs, Rhs, Out>();
    loop.shuffle[0] = ShuffledLoopOf<Operator, Lhs, Rhs, Out, 0>();
    loop.shuffle[1] = ShuffledLoopOf<Operator, Lhs, Rhs, Out, 1>();
  }
  return loop;
}

template <class Operator, class Lhs, class Rhs = Lhs, class Out = Lhs>
inline constexpr RowLoop kBinaryLoop = BinaryLoopOf<Operator, Lhs, Rhs, Out>();

template <class Operator, class In, class Out = In>
inline constexpr ElementwiseKernel kBinary = {
    {&RunElementwise}, kBinaryLoop<Operator, In, In, Out>, false};

// Operator(b, a).
template <class Operator, class In, class Out = In>
inline constexpr ElementwiseKernel kSwapped = {
    {&RunElementwise}, kBinaryLoop<Operator, In, In, Out>, true};

// For what no target does in vectors: Operator::Apply of two elements.
template <class T, class Operator, class Rhs = T>
void ElementLoop(const Row& row) {
  const auto* lhs = static_cast<const Unaligned<T>*>(row.in[0]);
  const auto* rhs = static_cast<const Unaligned<Rhs>*>(row.in[1]);
  auto* out = static_cast<Unaligned<T>*>(row.out);
  for (size_t i = 0; i < row.count; ++i) {
    out[i].value = Operator::Apply(T{lhs[i * row.step[0]].value},
                                   Rhs{rhs[i * row.step[1]].value});
  }
}

template <class Operator, class T, class Rhs = T>
inline constexpr RowLoop kElementLoop = {&ElementLoop<T, Operator, Rhs>,
                                         2,
                                         {sizeof(T), sizeof(Rhs), 0},
                                         sizeof(T),
                                         1};

template <class Operator, class T>
inline constexpr ElementwiseKernel kElements = {
    {&RunElementwise}, kElementLoop<Operator, T>, false};

// The kernel of an operator on floats: f32 and f64 as they are, f16 and bf16
// through f32 in registers. Null for other types.
template <class Operator>
const Kernel* FloatKernel(DType dtype) {
  switch (dtype) {
    case DType::kF16:
      return WhereBuilt<DType::kF16>(&kBinary<Operator, F16>);
    case DType::kBF16:
      return WhereBuilt<DType::kBF16>(&kBinary<Operator, BF16>);
    case DType::kF32:
      return WhereBuilt<DType::kF32>(&kBinary<Operator, Same<float>>);
    case DType::kF64:
      return WhereBuilt<DType::kF64>(&kBinary<Operator, Same<double>>);
    default:
      return nullptr;
  }
}

// The kernel of an operator on integers whose bits do not depend on the sign.
template <class Operator>
const Kernel* SignlessKernel(DType dtype) {
  switch (dtype) {
    case DType::kI8:
    case DType::kU8:
      return WhereBuilt<DType::kI8, DType::kU8>(
          &kBinary<Operator, Same<uint8_t>>);
    case DType::kI16:
    case DType::kU16:
      return WhereBuilt<DType::kI16, DType::kU16>(
          &kBinary<Operator, Same<uint16_t>>);
    case DType::kI32:
    case DType::kU32:
      return WhereBuilt<DType::kI32, DType::kU32>(
          &kBinary<Operator, Same<uint32_t>>);
    case DType::kI64:
    case DType::kU64:
      return WhereBuilt<DType::kI64, DType::kU64>(
          &kBinary<Operator, Same<uint64_t>>);
    default:
      return nullptr;
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_LOOP_INL_H_
