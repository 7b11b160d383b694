#include "broadloom/vocabulary.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace broadloom {
inline namespace v1 {
namespace {

// Each table ends with an empty row, for values that are not in its enum.

constexpr DTypeInfo kDTypes[] = {
#define ROW(symbol, name, bits, kind, doc) \
  {DType::symbol, name, bits, DTypeKind::kind, doc},
    BROADLOOM_DTYPES(ROW)
#undef ROW
        {}};

constexpr OpInfo kOps[] = {
#define ROW(symbol, name, method, least, most, types, result, attribute, \
            default_rule, notation, doc)                                 \
  {Op::symbol,                                                           \
   name,                                                                 \
   method,                                                               \
   least,                                                                \
   most,                                                                 \
   TypeClass::types,                                                     \
   ResultType::result,                                                   \
   OpAttribute::attribute,                                               \
   Rule::default_rule,                                                   \
   notation,                                                             \
   doc},
    BROADLOOM_OPS(ROW)
#undef ROW
        {}};

constexpr RuleInfo kRules[] = {
#define ROW(symbol, name, title, doc) {Rule::symbol, name, title, doc},
    BROADLOOM_RULES(ROW)
#undef ROW
        {}};

constexpr ErrorClassInfo kErrorClasses[] = {
#define ROW(symbol, name, doc) {ErrorClass::symbol, name, doc},
    BROADLOOM_ERROR_CLASSES(ROW)
#undef ROW
        {}};

constexpr DetailInfo kDetails[] = {
#define ROW(symbol, name, doc) {Detail::symbol, name, doc},
    BROADLOOM_DETAILS(ROW)
#undef ROW
        {}};

constexpr DocumentInfo kDocuments[] = {
#define ROW(symbol, name, title) {Document::symbol, name, title},
    BROADLOOM_DOCUMENTS(ROW)
#undef ROW
        {}};

constexpr ClauseInfo kClauses[] = {
#define ROW(symbol, name, document, place, text) \
  {Clause::symbol, name, Document::document, place, text},
    BROADLOOM_CLAUSES(ROW)
#undef ROW
        {}};

template <class Row, size_t kRows>
std::span<const Row> All(const Row (&rows)[kRows]) {
  return std::span(rows).first(kRows - 1);
}

template <class Row, size_t kRows, class Enum>
const Row& RowOf(const Row (&rows)[kRows], Enum value) {
  const size_t row = static_cast<size_t>(value);
  return rows[row < kRows ? row : kRows - 1];
}

// The row of `rows` with that name, or null.
template <class Row, size_t kRows>
const Row* FindRow(const Row (&rows)[kRows], std::string_view name) {
  for (const Row& row : All(rows)) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace

std::span<const DTypeInfo> AllDTypes() noexcept { return All(kDTypes); }
std::span<const OpInfo> AllOps() noexcept { return All(kOps); }
std::span<const RuleInfo> AllRules() noexcept { return All(kRules); }
std::span<const ErrorClassInfo> AllErrorClasses() noexcept {
  return All(kErrorClasses);
}
std::span<const DetailInfo> AllDetails() noexcept { return All(kDetails); }
std::span<const DocumentInfo> AllDocuments() noexcept {
  return All(kDocuments);
}
std::span<const ClauseInfo> AllClauses() noexcept { return All(kClauses); }

const DTypeInfo& Info(DType dtype) noexcept { return RowOf(kDTypes, dtype); }
const OpInfo& Info(Op op) noexcept { return RowOf(kOps, op); }
const RuleInfo& Info(Rule rule) noexcept { return RowOf(kRules, rule); }
const ErrorClassInfo& Info(ErrorClass error_class) noexcept {
  return RowOf(kErrorClasses, error_class);
}
const DetailInfo& Info(Detail detail) noexcept {
  return RowOf(kDetails, detail);
}
const DocumentInfo& Info(Document document) noexcept {
  return RowOf(kDocuments, document);
}
const ClauseInfo& Info(Clause clause) noexcept {
  return RowOf(kClauses, clause);
}

std::optional<DType> FindDType(std::string_view name) noexcept {
  const DTypeInfo* row = FindRow(kDTypes, name);
  if (row == nullptr) return std::nullopt;
  return row->dtype;
}

std::optional<Op> FindOp(std::string_view name) noexcept {
  const OpInfo* row = FindRow(kOps, name);
  if (row == nullptr) return std::nullopt;
  return row->op;
}

std::optional<Rule> FindRule(std::string_view name) noexcept {
  const RuleInfo* row = FindRow(kRules, name);
  if (row == nullptr) return std::nullopt;
  return row->rule;
}

}  // namespace v1
}  // namespace broadloom
