// A user's program, with exceptions and RTTI: adds (2,3) and (3) and prints the
// sum.
#include <broadloom/broadloom.h>

#include <cstdint>
#include <iostream>

int main() {
  const float a[] = {0, 1, 2, 3, 4, 5};
  const float b[] = {10, 20, 30};
  const int64_t a_shape[] = {2, 3};
  const int64_t b_shape[] = {3};
  const broadloom::TensorView inputs[] = {
      {broadloom::DType::kF32, a_shape, a, sizeof a},
      {broadloom::DType::kF32, b_shape, b, sizeof b}};
  const auto sum = broadloom::Apply(broadloom::Op::kAdd, inputs);
  if (!sum) return 1;
  for (const float value : sum->as<float>()) std::cout << value << ' ';
  std::cout << '\n';
}
