# Copies INPUT to OUTPUT with one row of the rule table changed: under `numpy` the first operand no longer stretches.
set(row "{Rule::kNumpy, 1, 0, Placement::kRight, Reference::kEveryone,")
set(changed_row "{Rule::kNumpy, 1, 0, Placement::kRight, Reference::kFirst,")

file(READ "${INPUT}" text)
string(FIND "${text}" "${row}" first)
string(FIND "${text}" "${row}" last REVERSE)
if(first EQUAL -1 OR NOT first EQUAL last)
  message(FATAL_ERROR "this row must stand exactly once in ${INPUT}: ${row}")
endif()
string(REPLACE "${row}" "${changed_row}" text "${text}")
file(WRITE "${OUTPUT}" "${text}")
