// Blocks of many rows: every way in which an operand can lie in memory, for
// short and long rows, all widths of elements and every SIMD target, against
// single elements. Packed types begin at any bit.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "reference/each_target.h"
#include "reference/kernel_cases.h"
#include "reference/kernel_work.h"
#include "reference/memory_bits.h"
#include "reference/scalar.h"

namespace {

using namespace reference;

// How an operand lies in memory.
enum class Form { kDense, kConstant, kPeriod, kSpread, kGathered, kApart };
constexpr Form kForms[] = {Form::kDense,  Form::kConstant, Form::kPeriod,
                           Form::kSpread, Form::kGathered, Form::kApart};

struct Geometry {
  size_t rows;
  size_t columns;
};

bool Repeats(Form form) {
  return form == Form::kConstant || form == Form::kSpread ||
         form == Form::kGathered;
}

int64_t RowStride(Form form, size_t columns) {
  switch (form) {
    case Form::kDense:
      return static_cast<int64_t>(columns);
    case Form::kSpread:
      return 1;
    case Form::kGathered:
      return 3;
    case Form::kApart:
      return static_cast<int64_t>(columns) + 2;
    default:
      return 0;
  }
}

// The element of the operand that feeds a cell, and how many it has.
size_t SourceIndex(Form form, Geometry g, size_t row, size_t column) {
  return row * static_cast<size_t>(RowStride(form, g.columns)) +
         (Repeats(form) ? 0 : column);
}
size_t SourceCount(Form form, Geometry g) {
  return SourceIndex(form, g, g.rows - 1, g.columns - 1) + 1;
}

// A block with its operands, and what has to come of it.
struct Trial {
  Geometry geometry;
  std::vector<Form> forms;
  std::vector<Buffer> memory;
  std::vector<BlockOperand> operands;
  Buffer before;  // memory around the result, and of it
  size_t begin;   // of the result, in elements
  std::vector<ElementBits> wanted;
  std::vector<long double> exact;  // in place of `wanted` where approximate
};

Trial MakeTrial(const KernelCase& c, Geometry g, std::vector<Form> forms,
                uint64_t seed) {
  Random random(seed);
  Trial trial = {g, std::move(forms), {}, {}, {}, 0, {}, {}};
  std::vector<size_t> begins;  // in elements
  for (size_t k = 0; k < trial.forms.size(); ++k) {
    const int bits = broadloom::Info(c.dtypes[k]).bits;
    const Form form = trial.forms[k];
    const size_t slots = bits < 8 ? 8 / static_cast<size_t>(bits) : 3;
    begins.push_back(random.Below(slots));
    const size_t elements = begins[k] + SourceCount(form, g);
    trial.memory.push_back(
        bits < 8
            ? Pattern(BytesFor(elements, bits), static_cast<uint32_t>(seed + k))
            : RandomElements(c.dtypes[k], elements, seed + k));
    const size_t first_bit = begins[k] * static_cast<size_t>(bits);
    trial.operands.push_back({trial.memory[k].data() + first_bit / 8,
                              first_bit % 8, RowStride(form, g.columns),
                              Repeats(form)});
  }
  const int out_bits = broadloom::Info(c.result).bits;
  trial.begin =
      out_bits < 8 ? random.Below(8 / static_cast<size_t>(out_bits)) : 1;
  trial.before =
      Pattern(BytesFor(trial.begin + g.rows * g.columns + 13, out_bits), 77);

  std::vector<size_t> sources(begins.size());
  std::vector<const void*> in(begins.size());
  for (size_t row = 0; row < g.rows; ++row) {
    for (size_t column = 0; column < g.columns; ++column) {
      for (size_t k = 0; k < begins.size(); ++k) {
        sources[k] = begins[k] + SourceIndex(trial.forms[k], g, row, column);
        in[k] = trial.memory[k].data() + sources[k] * BytesOf(c.dtypes[k]);
      }
      ElementBits wanted;
      if (c.op == Op::kBroadcast || c.op == Op::kWhere) {
        const size_t chosen = c.op == Op::kBroadcast      ? 0
                              : Read<uint8_t>(in[0]) != 0 ? 1
                                                          : 2;
        wanted = Get(trial.memory[chosen], out_bits, sources[chosen]);
      } else if (c.is_approximate()) {
        trial.exact.push_back(ExactResult(c.op, c.dtypes, in));
      } else {
        Evaluate(c.op, c.dtypes, c.attributes, in, &wanted.low);
      }
      trial.wanted.push_back(wanted);
    }
  }
  return trial;
}

// Runs the block and compares each cell; says what is wrong, or nothing.
std::string Fault(const KernelCase& c, const Trial& trial, bool streams) {
  const auto [rows, columns] = trial.geometry;
  const int bits = broadloom::Info(c.result).bits;
  const size_t total = rows * columns;
  const size_t first_bit = trial.begin * static_cast<size_t>(bits);
  Buffer out = trial.before;
  RunBlock(c, {trial.operands, out.data() + first_bit / 8, first_bit % 8, rows,
               columns, streams});

  std::string text = c.name() + (streams ? " streamed " : " ") +
                     std::to_string(rows) + 'x' + std::to_string(columns) +
                     " forms";
  for (const Form form : trial.forms) {
    text += ' ' + std::to_string(static_cast<int>(form));
  }
  for (size_t i = 0; i < trial.begin + total + 13; ++i) {
    const ElementBits got = Get(out, bits, i);
    if (i < trial.begin || i >= trial.begin + total) {
      if (got == Get(trial.before, bits, i)) continue;
      return text + ": wrote beside the block";
    }
    const size_t cell = i - trial.begin;
    if (got == trial.wanted[cell] && !c.is_approximate()) continue;
    const bool same =
        c.is_approximate()
            ? IsWithinUlps(c.result, trial.exact[cell], &got.low, c.most_ulps())
            : IsNaN(c.result, &got.low) &&
                  IsNaN(c.result, &trial.wanted[cell].low) &&
                  c.op != Op::kWhere && c.op != Op::kBroadcast;
    if (!same) {
      return text + " row " + std::to_string(cell / columns) + " column " +
             std::to_string(cell % columns) + ": wrong element";
    }
  }
  return {};
}

constexpr Geometry kGeometries[] = {
    {1, 1},    {2, 3},    {7, 1},    {1, 7},   {3, 2},   {40, 2},   {33, 3},
    {5, 4},    {700, 3},  {90, 5},   {19, 7},  {300, 8}, {21, 11},  {9, 15},
    {8, 16},   {11, 17},  {50, 31},  {6, 33},  {3, 63},  {4, 64},   {3, 65},
    {5, 100},  {3, 255},  {2, 256},  {3, 257}, {4, 999}, {2, 1025}, {3, 2047},
    {2, 4099}, {2000, 1}, {4097, 2}, {3, 513}, {2, 129}, {1, 9001}};

// Each form of the first operand, the others at random, twice.
void CheckBlocks(const KernelCase& c, size_t geometry_step = 1) {
  Random random(c.name().size());
  std::vector<Trial> trials;
  for (size_t i = 0; i < std::size(kGeometries); i += geometry_step) {
    for (size_t round = 0; round < 2 * std::size(kForms); ++round) {
      std::vector<Form> forms;
      for (size_t k = 0; k < c.dtypes.size(); ++k) {
        forms.push_back(kForms[k == 0 ? round % std::size(kForms)
                                      : random.Below(std::size(kForms))]);
      }
      trials.push_back(
          MakeTrial(c, kGeometries[i], std::move(forms), i * 31 + round));
    }
  }
  ForEachTarget([&](const std::string& target) {
    bool streams = false;
    for (const Trial& trial : trials) {
      streams = !streams;
      const std::string fault = Fault(c, trial, streams);
      if (fault.empty()) continue;
      FAIL_CHECK(target << ": " << fault);
      return;
    }
  });
}

TEST_CASE("Blocks of operators on each width of elements") {
  for (const DType dtype : {DType::kU8, DType::kI16, DType::kU32, DType::kI64,
                            DType::kF16, DType::kF64}) {
    CheckBlocks({Op::kSub, {dtype, dtype}, {}, dtype});
    CheckBlocks({Op::kGreater, {dtype, dtype}, {}, DType::kBool}, 3);
    CheckBlocks({Op::kMax, {dtype, dtype, dtype}, {}, dtype}, 3);
  }
  CheckBlocks({Op::kPow, {DType::kU8, DType::kI64}, {}, DType::kU8}, 3);
  CheckBlocks({Op::kPow, {DType::kBF16, DType::kI8}, {}, DType::kBF16}, 3);
  CheckBlocks({Op::kPRelu, {DType::kBF16, DType::kBF16}, {}, DType::kBF16}, 3);
  CheckBlocks({Op::kDiv, {DType::kI64, DType::kI64}, {}, DType::kI64}, 3);
  CheckBlocks({Op::kMod, {DType::kI8, DType::kI8}, {}, DType::kI8}, 3);
}

TEST_CASE("Blocks of sums and means") {
  for (const DType dtype :
       {DType::kF16, DType::kBF16, DType::kF32, DType::kF64}) {
    for (const size_t arity : {1, 2, 3, 6}) {
      const std::vector<DType> dtypes(arity, dtype);
      CheckBlocks({Op::kSum, dtypes, {}, dtype}, 5);
      CheckBlocks({Op::kMean, dtypes, {}, dtype}, 6);
    }
  }
}

// Types of one width are moved alike: one of them is tried at length.
size_t MovedGeometryStep(DType dtype) {
  switch (dtype) {
    case DType::kU8:
    case DType::kF16:
    case DType::kF32:
    case DType::kI64:
    case DType::kC128:
    case DType::kI4:
    case DType::kU1:
      return 1;
    default:
      return 9;
  }
}

TEST_CASE("Blocks of Where, for every type") {
  for (const auto& type : broadloom::AllDTypes()) {
    CheckBlocks(
        {Op::kWhere, {DType::kBool, type.dtype, type.dtype}, {}, type.dtype},
        MovedGeometryStep(type.dtype));
  }
}

TEST_CASE("Blocks of Broadcast, for every type") {
  for (const auto& type : broadloom::AllDTypes()) {
    CheckBlocks({Op::kBroadcast, {type.dtype}, {}, type.dtype},
                MovedGeometryStep(type.dtype));
  }
}

TEST_CASE("Broadcast of a block onto itself") {
  for (const auto& type : broadloom::AllDTypes()) {
    const KernelCase c = {Op::kBroadcast, {type.dtype}, {}, type.dtype};
    ForEachTarget([&](const std::string& target) {
      INFO(target << ' ' << c.name());
      for (const Geometry g :
           {Geometry{1, 1}, Geometry{5, 7}, Geometry{3, 900}}) {
        Buffer memory = Pattern(BytesFor(g.rows * g.columns + 8, type.bits), 5);
        const Buffer before = memory;
        const BlockOperand operand = {memory.data(), 0,
                                      static_cast<int64_t>(g.columns), false};
        RunBlock(c, {{&operand, 1}, memory.data(), 0, g.rows, g.columns});
        CHECK(memory == before);
      }
    });
  }
}

}  // namespace
