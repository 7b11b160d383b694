// Lane types: how elements in memory become the lanes of a vector, and back.
//
// Each has Element, the type in memory; Tag, the vectors that an operator
// computes with; and Load and Store. Where kCanStream is true, Stream is Store
// with streaming stores. Repeat fills a vector with one element. LoadFirst and
// StoreFirst load and store the first n lanes only. LoadSeam loads the first n
// lanes from p, and lane i of the others from rest[i].

#if defined(BROADLOOM_KERNELS_ROWS_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_LANES_INL_H_
#undef BROADLOOM_KERNELS_ROWS_LANES_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_LANES_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/rows/float16-inl.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/row.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Lanes are the elements themselves.
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
  template <class D>
  static HWY_INLINE hn::Vec<D> Repeat(D d, T element) {
    return hn::Set(d, element);
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> LoadFirst(D d, const T* p, size_t n) {
    return LoadLanes(d, p, n);
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> LoadSeam(D d, const T* p, size_t n,
                                        const T* rest) {
    return LoadBoth(d, p, n, rest);
  }
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

// Whether `Lanes` is Same<T>.
template <class Lanes>
inline constexpr bool kIsSame = false;
template <class T>
inline constexpr bool kIsSame<Same<T>> = true;

// Floats of 16 bits in memory, f32 in vectors. `Format` decodes and encodes
// them.
template <class Format>
struct HalfLanes {
  using Element = uint16_t;
  using Tag = FullTag<float>;
  // No target has a streaming store of less than 16 bytes.
  static constexpr bool kCanStream = hn::MaxLanes(Tag()) >= 8;

  template <class D>
  static HWY_INLINE hn::Vec<D> Load(D d, const uint16_t* p) {
    return Format::Decode(d, LoadFrom(hn::Rebind<uint16_t, D>(), p));
  }
  template <class D>
  static HWY_INLINE void Store(D d, hn::Vec<D> v, uint16_t* p) {
    StoreTo(Format::Encode(d, v), hn::Rebind<uint16_t, D>(), p);
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> Repeat(D d, uint16_t element) {
    return Format::Decode(d, hn::Set(hn::Rebind<uint16_t, D>(), element));
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> LoadFirst(D d, const uint16_t* p, size_t n) {
    return Format::Decode(d, LoadLanes(hn::Rebind<uint16_t, D>(), p, n));
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> LoadSeam(D d, const uint16_t* p, size_t n,
                                        const uint16_t* rest) {
    return Format::Decode(d, LoadBoth(hn::Rebind<uint16_t, D>(), p, n, rest));
  }
  template <class D>
  static HWY_INLINE void StoreFirst(D d, hn::Vec<D> v, uint16_t* p, size_t n) {
    StoreLanes(hn::Rebind<uint16_t, D>(), Format::Encode(d, v), p, n);
  }
  template <class D>
  static HWY_INLINE void Stream(D d, hn::Vec<D> v, uint16_t* p) {
    hn::Stream(Format::Encode(d, v), hn::Rebind<uint16_t, D>(), p);
  }
};

struct F16 : HalfLanes<F16> {
  template <class D>
  static HWY_INLINE hn::Vec<D> Decode(D d, HalfBits<D> bits) {
    return F32FromF16(d, bits);
  }
  template <class D>
  static HWY_INLINE HalfBits<D> Encode(D d, hn::Vec<D> v) {
    return F16FromF32(d, v);
  }
};

struct BF16 : HalfLanes<BF16> {
  template <class D>
  static HWY_INLINE hn::Vec<D> Decode(D d, HalfBits<D> bits) {
    return F32FromBF16(d, bits);
  }
  template <class D>
  static HWY_INLINE HalfBits<D> Encode(D d, hn::Vec<D> v) {
    return BF16FromF32(d, v);
  }
};

// Results of comparisons: a mask in vectors, bytes 0 and 1 in memory.
struct TruthByte {
  using Element = uint8_t;
  // Whether the same mask serves lanes of any width.
  static constexpr bool kMaskHasABitPerLane =
      HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3;

  template <class D>
  static HWY_INLINE void Store(D d, hn::Mask<D> mask, uint8_t* p) {
    const hn::RebindToUnsigned<D> du;
    const hn::Rebind<uint8_t, D> d8;
    if constexpr (kMaskHasABitPerLane) {
      StoreTo(hn::IfThenElseZero(OfBytes(d, mask), hn::Set(d8, 1)), d8, p);
      return;
    }
    const auto truth =
        hn::IfThenElseZero(hn::RebindMask(du, mask), hn::Set(du, 1));
    if constexpr (sizeof(hn::TFromD<D>) == 1) {
      StoreTo(truth, d8, p);
    } else {
      StoreTo(hn::TruncateTo(d8, truth), d8, p);
    }
  }
  // Four masks of lanes that are wider than bytes: together they make half a
  // vector of bytes (of 64-bit lanes), one vector, or two (of 16-bit lanes).
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
  // The mask of as many bytes.
  template <class D>
  static HWY_INLINE hn::Mask<hn::Rebind<uint8_t, D>> OfBytes(D,
                                                             hn::Mask<D> mask) {
    const hn::RebindToUnsigned<D> du;
    const auto bits = hn::RebindMask(du, mask);
    if constexpr (sizeof(hn::TFromD<D>) == 1) {
      return bits;
    } else {
      using Half = hwy::UnsignedFromSize<sizeof(hn::TFromD<D>) / 2>;
      const hn::Rebind<Half, D> narrow;
      return OfBytes(narrow, hn::DemoteMaskTo(narrow, du, bits));
    }
  }

  // Twice as many lanes, half as wide.
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

// Whether results of vectors of D are much narrower than they: masks of lanes
// that are wider than bytes.
template <class Out, class D>
inline constexpr bool kNarrows =
    hwy::IsSame<Out, TruthByte>() && sizeof(hn::TFromD<D>) > 1;

// Stores the results of kVectors vectors, compute(0), compute(1) and so on,
// which are called in any order, and, if kPrefetches, prefetches the lines of
// later ones. Narrow results are stored without prefetches: they have few
// lines, and prefetching those takes up to 1.3 times as long where the operands
// come from the third-level cache. Where masks are vectors, four are packed and
// stored together: one by one they would be parts of vectors.
template <class Out, size_t kVectors, bool kPrefetches = true, class D,
          class Compute>
HWY_INLINE void StoreStep(D d, const Compute& compute,
                          typename Out::Element* out) {
  const size_t lanes = hn::Lanes(d);
  if constexpr (kPrefetches && !kNarrows<Out, D>) {
    PrefetchAhead(out, kVectors * lanes);
  }
  if constexpr (kNarrows<Out, D> && kVectors == 4 &&
                !TruthByte::kMaskHasABitPerLane) {
    Out::StoreFour(d, compute(0), compute(1), compute(2), compute(3), out);
  } else {
    Out::Store(d, compute(0), out);
    if constexpr (kVectors > 1) Out::Store(d, compute(1), out + lanes);
    if constexpr (kVectors > 2) {
      static_assert(kVectors == 4);
      Out::Store(d, compute(2), out + 2 * lanes);
      Out::Store(d, compute(3), out + 3 * lanes);
    }
  }
}

// Stores the results of `vectors` vectors, at most kMost. Without a loop:
// compilers would unroll it, although it has few iterations, which takes more
// code.
template <class Out, size_t kMost, bool kPrefetches = false, size_t k = 0,
          class D, class Compute>
HWY_INLINE void StoreRest(D d, const Compute& compute,
                          typename Out::Element* out, size_t vectors) {
  if constexpr (k < kMost) {
    if (vectors > k) {
      auto* const to = out + k * hn::Lanes(d);
      if constexpr (kPrefetches) PrefetchToWrite(Ahead(to));
      Out::Store(d, compute(k), to);
      StoreRest<Out, kMost, kPrefetches, k + 1>(d, compute, out, vectors);
    }
  }
}

// Stores the end of a row, of which the elements before `i` are stored: at most
// kMost vectors, compute(0), compute(1) and so on, and one that begins at
// element `end` and ends with the row, compute_last().
//
// That one may overlap the vector before it. In place its operands would then
// have been overwritten by results: so it is computed before any of these
// vectors is stored, and stored last. Not earlier, before the whole row: where
// operands come from memory, each row would wait for the loads of its end.
template <class Out, size_t kMost, class D, class Compute, class ComputeLast>
HWY_INLINE void StoreEnd(D d, const Compute& compute,
                         const ComputeLast& compute_last,
                         typename Out::Element* out, size_t i, size_t end) {
  const size_t lanes = hn::Lanes(d);
  if constexpr (!kNarrows<Out, D>) PrefetchToWrite(Ahead(out + i));
  const auto last = compute_last();
  StoreRest<Out, kMost>(d, compute, out + i, (end + lanes - 1 - i) / lanes);
  Out::Store(d, last, out + end);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_LANES_INL_H_
