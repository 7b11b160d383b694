// A question with numbers in the place of its symbols, as the core answers it.

#ifndef BROADLOOM_EXPLAIN_SYMBOLS_CORE_H_
#define BROADLOOM_EXPLAIN_SYMBOLS_CORE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "broadloom/alignment.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/symbolic.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"

namespace broadloom {
inline namespace v1 {

using Terms = std::span<const ExtentTerm>;

// A range of values. Contradictory restrictions make it empty.
struct Interval {
  int64_t least = 0;
  int64_t most = kUnbounded;

  bool Has(int64_t value) const { return value >= least && value <= most; }
  bool empty() const { return least > most; }
};

// The rows of a question: the operands, then the target. Their ranks are known
// here; axes of shapes of unknown rank are symbols, too.
class Core {
 public:
  // `rows` must outlive the object. `symbols` is their number.
  Core(const SymbolicRequest& request, std::span<const Terms> rows,
       size_t symbols, Arena& arena);

  // The numbers that stand for symbols, to be set before asking.
  int64_t& operator[](size_t symbol) { return values_[symbol]; }
  std::span<int64_t> values() { return values_; }
  int64_t ValueOf(const ExtentTerm& term) const {
    return term.symbol == kAbsent ? term.number
                                  : values_[static_cast<size_t>(term.symbol)];
  }

  // Places the rows: sets rank() and source_axes(). Returns the error that the
  // shapes have whatever their extents are, if any. Not for xarray's rule.
  std::optional<Error> Place();

  // Places the rows by the names of their axes.
  void PlaceByName();

  size_t row_count() const { return rows_.size(); }
  size_t rank() const { return rank_; }
  Terms row(size_t row) const { return rows_[row]; }
  // For each row and each axis of the result, the row's axis or kAbsent.
  std::span<const int32_t> source_axes() const { return source_axes_; }
  std::span<const std::string_view> names() const { return names_; }

  struct Reply {
    bool fits;
    int64_t extent;  // of the result
  };
  // What the rule says of one axis, for the values.
  Reply AskAxis(size_t axis);
  // Whether all rows fit, for the values. That the result has too many elements
  // is not counted.
  bool AskAll();

  // The error of a request that has no alignment, when one was asked.
  const std::optional<Error>& fault() const { return fault_; }

 private:
  std::optional<Alignment> Ask();

  const SymbolicRequest& request_;
  std::span<const Terms> rows_;
  Arena& arena_;
  std::span<int64_t> values_;
  std::span<int64_t> extents_;
  std::span<ShapeView> shapes_;
  BroadcastRequest concrete_;
  size_t rank_ = 0;
  std::span<int32_t> source_axes_;
  std::span<std::string_view> names_;
  std::optional<Error> fault_;
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_SYMBOLS_CORE_H_
