#include "broadloom/vocabulary.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace broadloom {
inline namespace v1 {
namespace {

constexpr DTypeInfo kDTypes[] = {
#define ROW(symbol, name, bits, kind, doc) \
  {DType::symbol, name, bits, DTypeKind::kind, doc},
    BROADLOOM_DTYPES(ROW)
#undef ROW
};

constexpr OpInfo kOps[] = {
#define ROW(symbol, name, method, least, most, types, result, attribute, \
            notation, doc)                                               \
  {Op::symbol,                                                           \
   name,                                                                 \
   method,                                                               \
   least,                                                                \
   most,                                                                 \
   TypeClass::types,                                                     \
   ResultType::result,                                                   \
   OpAttribute::attribute,                                               \
   notation,                                                             \
   doc},
    BROADLOOM_OPS(ROW)
#undef ROW
};

constexpr RuleInfo kRules[] = {
#define ROW(symbol, name, title, doc) {Rule::symbol, name, title, doc},
    BROADLOOM_RULES(ROW)
#undef ROW
};

constexpr ErrorClassInfo kErrorClasses[] = {
#define ROW(symbol, name, doc) {ErrorClass::symbol, name, doc},
    BROADLOOM_ERROR_CLASSES(ROW)
#undef ROW
};

constexpr DetailInfo kDetails[] = {
#define ROW(symbol, name, doc) {Detail::symbol, name, doc},
    BROADLOOM_DETAILS(ROW)
#undef ROW
};

constexpr DocumentInfo kDocuments[] = {
#define ROW(symbol, name, title) {Document::symbol, name, title},
    BROADLOOM_DOCUMENTS(ROW)
#undef ROW
};

constexpr ClauseInfo kClauses[] = {
#define ROW(symbol, name, document, place, text) \
  {Clause::symbol, name, Document::document, place, text},
    BROADLOOM_CLAUSES(ROW)
#undef ROW
};

// The row of `rows` with that name, or null.
template <class Row, size_t kRows>
const Row* FindRow(const Row (&rows)[kRows], std::string_view name) {
  for (const Row& row : rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace

std::span<const DTypeInfo> AllDTypes() noexcept { return kDTypes; }
std::span<const OpInfo> AllOps() noexcept { return kOps; }
std::span<const RuleInfo> AllRules() noexcept { return kRules; }
std::span<const ErrorClassInfo> AllErrorClasses() noexcept {
  return kErrorClasses;
}
std::span<const DetailInfo> AllDetails() noexcept { return kDetails; }
std::span<const DocumentInfo> AllDocuments() noexcept { return kDocuments; }
std::span<const ClauseInfo> AllClauses() noexcept { return kClauses; }

const DTypeInfo& Info(DType dtype) noexcept {
  return kDTypes[static_cast<size_t>(dtype)];
}
const OpInfo& Info(Op op) noexcept { return kOps[static_cast<size_t>(op)]; }
const RuleInfo& Info(Rule rule) noexcept {
  return kRules[static_cast<size_t>(rule)];
}
const ErrorClassInfo& Info(ErrorClass error_class) noexcept {
  return kErrorClasses[static_cast<size_t>(error_class)];
}
const DetailInfo& Info(Detail detail) noexcept {
  return kDetails[static_cast<size_t>(detail)];
}
const DocumentInfo& Info(Document document) noexcept {
  return kDocuments[static_cast<size_t>(document)];
}
const ClauseInfo& Info(Clause clause) noexcept {
  return kClauses[static_cast<size_t>(clause)];
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
