// Which repairs are of use to whoever saw the error text of a system.

#include <algorithm>
#include <cstddef>
#include <span>

#include "broadloom/explain/arena.h"
#include "broadloom/explain/paste.h"
#include "broadloom/explain/repair.h"
#include "broadloom/rule.h"

namespace broadloom {
inline namespace v1 {

std::span<const UsefulRepair> UsefulRepairs(const PastedQuestion& question,
                                            Rule rule,
                                            std::span<const Repair> repairs,
                                            Arena& arena) noexcept {
  const std::span<UsefulRepair> useful =
      arena.Make<UsefulRepair>(repairs.size());
  if (useful.size() < repairs.size()) return {};
  size_t count = 0;
  const auto add = [&](bool is_last) {
    for (const Repair& repair : repairs) {
      const bool is_other_rule = repair.rule != rule;
      const bool is_place =
          repair.kind == RepairKind::kChangeTarget && question.writes_to_target;
      // An array that is written to has no rule of its own.
      const bool is_kept =
          !is_other_rule || !(question.keeps_rule || question.writes_to_target);
      const bool comes_last =
          is_other_rule || (is_place && question.writes_operand);
      if (!is_kept || comes_last != is_last) continue;
      useful[count++] = {&repair, is_place};
    }
  };
  add(false);
  add(true);
  return useful.first(count);
}

}  // namespace v1
}  // namespace broadloom
