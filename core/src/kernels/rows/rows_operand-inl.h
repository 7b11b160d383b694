// Operands of loops that take several rows: where each row begins, and its
// vectors.

#if defined(BROADLOOM_KERNELS_ROWS_ROWS_OPERAND_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_ROWS_OPERAND_INL_H_
#undef BROADLOOM_KERNELS_ROWS_ROWS_OPERAND_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_ROWS_OPERAND_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

#include "hwy/highway.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/row.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whether there are such operands: vectors of unknown length cannot be members
// of a class.
inline constexpr bool kHasRowsOperands = !HWY_HAVE_SCALABLE;

// An operand with consecutive elements in each row.
template <class Lanes, class D, bool kIsRepeated>
class RowsOperand {
 public:
  static constexpr bool kRepeats = false;

  HWY_INLINE RowsOperand(const Row& row, size_t operand)
      : row_(static_cast<const Element*>(row.in[operand])),
        row_step_(row.row_step[operand]),
        operand_(operand) {}

  // Call one of these first at the end of each row that another one follows:
  // one of the same group, or one that is as far away as `steps` says for each
  // operand.
  HWY_INLINE void FindNext() { next_ = AddBytes(row_, row_step_); }
  HWY_INLINE void FindNext(const ptrdiff_t* steps) {
    next_ = AddBytes(row_, steps[operand_]);
  }
  // Call last.
  HWY_INLINE void Next() { row_ = next_; }

  // The vector that begins with element i of the row.
  HWY_INLINE hn::Vec<D> At(D d, size_t i) const {
    return Lanes::Load(d, row_ + i);
  }
  // Its first `count` lanes.
  HWY_INLINE hn::Vec<D> PartAt(D d, size_t i, size_t count) const {
    return Lanes::LoadFirst(d, row_ + i, count);
  }
  // The same, and the beginning of the next row in the others.
  HWY_INLINE hn::Vec<D> SeamAt(D d, size_t i, size_t count) const {
    return Lanes::LoadSeam(d, row_ + i, count, next_ - count);
  }

 private:
  using Element = typename Lanes::Element;

  const Element* row_;
  const Element* next_ = nullptr;
  const int64_t row_step_;
  const size_t operand_;
};

// An operand with one element in each row.
template <class Lanes, class D>
class RowsOperand<Lanes, D, true> {
 public:
  static constexpr bool kRepeats = true;

  HWY_INLINE RowsOperand(const Row& row, size_t operand)
      : row_(static_cast<const uint8_t*>(row.in[operand])),
        row_step_(row.row_step[operand]),
        operand_(operand),
        splat_(Get()),
        next_(splat_) {}

  HWY_INLINE void FindNext() { Find(row_step_); }
  HWY_INLINE void FindNext(const ptrdiff_t* steps) { Find(steps[operand_]); }
  HWY_INLINE void Next() { splat_ = next_; }

  HWY_INLINE hn::Vec<D> At(D, size_t) const { return splat_; }
  HWY_INLINE hn::Vec<D> PartAt(D, size_t, size_t) const { return splat_; }
  HWY_INLINE hn::Vec<D> SeamAt(D d, size_t, size_t count) const {
    return hn::IfThenElse(hn::FirstN(d, count), splat_, next_);
  }

 private:
  HWY_INLINE hn::Vec<D> Get() const {
    return Lanes::Repeat(D(), ReadAs<typename Lanes::Element>(row_));
  }

  HWY_INLINE void Find(int64_t step) {
    row_ = AddBytes(row_, step);
    next_ = Get();
  }

  const uint8_t* row_;
  const int64_t row_step_;
  const size_t operand_;
  hn::Vec<D> splat_;
  hn::Vec<D> next_;
};

// How many of an operator's operands, from the first one on, may change places
// without changing the result, but for the bits of a NaN.
template <class Operator>
inline constexpr size_t kInterchangeable = 1;

// Whether all of a row's first `operands` operands have one element.
HWY_INLINE bool AllRepeat(const Row& row, size_t operands) {
  size_t steps = 0;
  for (size_t k = 0; k < operands; ++k) steps += row.step[k];
  return steps == 0;
}

// A row's operands as objects: a type for each form of all of them. Operands
// that may change places come in the order of their forms, those with
// consecutive elements first: that leaves few forms. kTakesRepeated is whether
// there is also the form in which all operands repeat.
template <class Operator, bool kTakesRepeated, class D, class... Lanes>
class RowsOperands {
 public:
  HWY_INLINE explicit RowsOperands(const Row& row) : row_(row) {
    size_t next = 0;
    for (const bool repeats : {false, true}) {
      for (size_t k = 0; k < kSorted; ++k) {
        if ((row.step[k] == 0) == repeats) order_[next++] = k;
      }
    }
    for (; next < kCount; ++next) order_[next] = next;
  }

  // run(operands...)
  template <class Run>
  HWY_INLINE void With(const Run& run) const {
    Add<0, false, true>(run);
  }

 private:
  static constexpr size_t kCount = sizeof...(Lanes);
  // Operands in different lanes keep their places.
  using First = std::tuple_element_t<0, std::tuple<Lanes...>>;
  static constexpr size_t kSorted =
      (std::is_same_v<First, Lanes> && ...)
          ? std::min(kInterchangeable<Operator>, kCount)
          : 1;

  // Adds operand `k` and those after it. kLastRepeats, kAllRepeat: whether the
  // operand before it, and all before it, repeat.
  template <size_t k, bool kLastRepeats, bool kAllRepeat, class Run,
            class... Operands>
  HWY_INLINE void Add(const Run& run, Operands... operands) const {
    if constexpr (k == kCount) {
      run(operands...);
    } else {
      constexpr bool kMustRepeat = k < kSorted && kLastRepeats;
      constexpr bool kOthersRepeat =
          k + 1 == kCount || (k == 0 && kSorted == kCount);
      constexpr bool kMustMove = kAllRepeat && kOthersRepeat && !kTakesRepeated;
      using Of = std::tuple_element_t<k, std::tuple<Lanes...>>;
      const size_t operand = order_[k];
      if constexpr (!kMustMove) {
        if (kMustRepeat || row_.step[operand] == 0) {
          return Add<k + 1, true, kAllRepeat>(
              run, operands..., RowsOperand<Of, D, true>(row_, operand));
        }
      }
      if constexpr (!kMustRepeat) {
        Add<k + 1, false, false>(run, operands...,
                                 RowsOperand<Of, D, false>(row_, operand));
      }
    }
  }

  const Row& row_;
  size_t order_[kCount];
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_ROWS_OPERAND_INL_H_
