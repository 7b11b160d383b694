// Loops over rows whose results follow each other without gaps.
//
// All stores but the first and the last one are aligned to vectors, as a store
// that crosses a cache line takes as long as two. So a vector of the result may
// have the end of one row and the beginning of the next one: a seam. There
// every operand is loaded in two parts, with masks.

#if defined(BROADLOOM_KERNELS_ROWS_SEAM_LOOP_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_SEAM_LOOP_INL_H_
#undef BROADLOOM_KERNELS_ROWS_SEAM_LOOP_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_SEAM_LOOP_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

// Whether operands of these lanes can be loaded, and results stored, in parts
// (see lanes-inl.h). Vectors of unknown length cannot be members of a class.
template <class Lanes>
inline constexpr bool kLoadsSeams =
    !HWY_HAVE_SCALABLE && kMasksLanes<typename Lanes::Element> &&
    requires { &Lanes::template LoadSeam<typename Lanes::Tag>; };
template <class Lanes, class D>
inline constexpr bool kStoresParts =
    requires { &Lanes::template StoreFirst<D>; };

// An operand with consecutive elements in each row.
template <class Lanes, bool kRepeats>
class SeamOperand {
 public:
  HWY_INLINE SeamOperand(const Row& row, size_t operand)
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
  template <class D>
  HWY_INLINE hn::Vec<D> At(D d, size_t i) const {
    return Lanes::Load(d, row_ + i);
  }
  // Its first `count` lanes.
  template <class D>
  HWY_INLINE hn::Vec<D> PartAt(D d, size_t i, size_t count) const {
    return Lanes::LoadFirst(d, row_ + i, count);
  }
  // The same, and the beginning of the next row in the others.
  template <class D>
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
template <class Lanes>
class SeamOperand<Lanes, true> {
 public:
  HWY_INLINE SeamOperand(const Row& row, size_t operand)
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

  template <class D>
  HWY_INLINE hn::Vec<D> At(D, size_t) const {
    return splat_;
  }
  template <class D>
  HWY_INLINE hn::Vec<D> PartAt(D, size_t, size_t) const {
    return splat_;
  }
  template <class D>
  HWY_INLINE hn::Vec<D> SeamAt(D d, size_t, size_t count) const {
    return hn::IfThenElse(hn::FirstN(d, count), splat_, next_);
  }

 private:
  using Tag = typename Lanes::Tag;

  HWY_INLINE hn::Vec<Tag> Get() const {
    return Lanes::Repeat(Tag(), ReadAs<typename Lanes::Element>(row_));
  }

  const uint8_t* row_;
  const int64_t row_step_;
  const int64_t group_step_;
  hn::Vec<Tag> splat_;
  hn::Vec<Tag> next_;
};

// out = Operator(operands...) for all rows of `row`, each of a vector of D or
// more.
template <class Operator, class D, class Out, class... Operands>
HWY_INLINE void SeamLoop(D d, const Row& row, Operands... operands) {
  const size_t lanes = hn::Lanes(d);
  const size_t count = row.count;
  auto* out = static_cast<typename Out::Element*>(row.out);
  // Elements of the row that have been computed.
  size_t done = ElementsToAligned(out, lanes);
  if (done != 0) {
    Out::StoreFirst(d, Operator::Apply(d, operands.At(d, 0)...), out, done);
  }
  const auto begin_next = [&](auto ends_group) HWY_ATTR {
    (operands.FindNext(ends_group), ...);
    const size_t rest = count - done;
    if (rest != 0) {
      PrefetchToWrite(Ahead(out + done));
      Out::Store(d, Operator::Apply(d, operands.SeamAt(d, done, rest)...),
                 out + done);
      done += lanes;
    }
    (operands.Next(), ...);
    out += count;
    done -= count;
  };
  const auto store = [&](size_t i) HWY_ATTR {
    Out::Store(d, Operator::Apply(d, operands.At(d, done + i)...),
               out + done + i);
  };
  // What is only moved is stored a cache line at a time: two lines would take
  // 1.3 times as long.
  constexpr size_t kStep =
      sizeof...(Operands) == 1 ? kVectorsALine<D, Out> : kVectorsAStep<D, Out>;
  for (size_t left = row.rows;;) {
    size_t group_left = std::min(left, row.group_rows);
    left -= group_left;
    for (;;) {
      // Several vectors at a time: see BinaryLoop.
      for (; done + kStep * lanes <= count; done += kStep * lanes) {
        PrefetchAhead(out + done, kStep * lanes);
        for (size_t k = 0; k < kStep; ++k) store(k * lanes);
      }
      while (done + lanes <= count) {
        PrefetchToWrite(Ahead(out + done));
        store(0);
        done += lanes;
      }
      if (--group_left == 0) break;
      begin_next(std::false_type());
    }
    if (left == 0) break;
    begin_next(std::true_type());
  }
  if (const size_t rest = count - done; rest != 0) {
    Out::StoreFirst(d, Operator::Apply(d, operands.PartAt(d, done, rest)...),
                    out + done, rest);
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_SEAM_LOOP_INL_H_
