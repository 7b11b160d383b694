// What the examples of the public headers assume: `plan` adds (1000,8) and (8)
// of f32, `inputs` and `output` are its tensors, `alignment` is that of (2,1,4)
// with (3,1) under numpy.

#ifndef BROADLOOM_TESTS_HEADERS_GIVEN_H_
#define BROADLOOM_TESTS_HEADERS_GIVEN_H_

#include <broadloom/broadloom.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

using namespace broadloom;  // NOLINT: as a reader of the examples would write
                            // it

inline const Extents kMany{1000, 8};
inline const Extents kFew{8};
inline const std::vector<float> kMatrix(8000, 1), kRow(8, 2);
inline const TensorView inputs[] = {
    {DType::kF32, kMany, kMatrix.data(), 8000 * sizeof(float)},
    {DType::kF32, kFew, kRow.data(), 8 * sizeof(float)}};
inline std::vector<float> result(8000);
inline const MutableTensorView output{DType::kF32, kMany, result.data(),
                                      8000 * sizeof(float)};

inline const Plan plan = [] {
  const ShapeView shapes[] = {kMany, kFew};
  const DType types[] = {DType::kF32, DType::kF32};
  return *MakePlan(Op::kAdd, shapes, types);
}();

inline const Alignment alignment = [] {
  const Extents a{2, 1, 4};
  const Extents b{3, 1};
  const ShapeView shapes[] = {a, b};
  return *Align({.rule = Rule::kNumpy, .operands = shapes});
}();

// Files of the examples that bring operands to a small memory: of `inputs`, and
// of the input and the output of a sum from `input` to `shape`.
inline const auto dtype = DType::kF32;
inline const Extents input{1000, 8};
inline const Extents shape{8};
inline const void* const file[] = {kMatrix.data(), kRow.data()};
inline const void* const in = kMatrix.data();
inline void* const out = result.data();
alignas(64) inline std::byte memory[256 << 10];

inline void read(const void* from, uint64_t begin, uint64_t bytes,
                 std::byte* to) {
  if (bytes != 0)
    std::memcpy(to, static_cast<const char*>(from) + begin, bytes);
}
inline void write(void* to, uint64_t begin, uint64_t bytes,
                  const std::byte* from) {
  if (bytes != 0) std::memcpy(static_cast<char*>(to) + begin, from, bytes);
}

#endif  // BROADLOOM_TESTS_HEADERS_GIVEN_H_
