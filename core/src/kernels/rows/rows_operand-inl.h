// Operands of loops that take several rows: where each row begins, and its
// vectors.

#if defined(BROADLOOM_KERNELS_ROWS_ROWS_OPERAND_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_ROWS_OPERAND_INL_H_
#undef BROADLOOM_KERNELS_ROWS_ROWS_OPERAND_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_ROWS_OPERAND_INL_H_
#endif

#include <cstddef>
#include <cstdint>

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
template <class Lanes, class D, bool kRepeats>
class RowsOperand {
 public:
  HWY_INLINE RowsOperand(const Row& row, size_t operand)
      : row_(static_cast<const Element*>(row.in[operand])),
        row_step_(row.row_step[operand]),
        group_step_(row.group_step[operand]) {}

  // Call first at the end of each row that another one follows.
  HWY_INLINE void FindNext(bool ends_group) {
    next_ = AddBytes(row_, ends_group ? group_step_ : row_step_);
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
  const int64_t group_step_;
};

// An operand with one element in each row.
template <class Lanes, class D>
class RowsOperand<Lanes, D, true> {
 public:
  HWY_INLINE RowsOperand(const Row& row, size_t operand)
      : row_(static_cast<const uint8_t*>(row.in[operand])),
        row_step_(row.row_step[operand]),
        group_step_(row.group_step[operand]),
        splat_(Get()),
        next_(splat_) {}

  HWY_INLINE void FindNext(bool ends_group) {
    row_ = AddBytes(row_, ends_group ? group_step_ : row_step_);
    next_ = Get();
  }
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

  const uint8_t* row_;
  const int64_t row_step_;
  const int64_t group_step_;
  hn::Vec<D> splat_;
  hn::Vec<D> next_;
};

// Calls run(operand) with operand `k` of `row` in vectors of D.
template <class Lanes, class D, class Run>
HWY_INLINE void WithRowsOperand(D, const Row& row, size_t k, const Run& run) {
  if (row.step[k] == 0) {
    run(RowsOperand<Lanes, D, true>(row, k));
  } else {
    run(RowsOperand<Lanes, D, false>(row, k));
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_ROWS_OPERAND_INL_H_
