// Sums of what comes piece by piece, held to SumTo of the whole, bit for bit.

#include "broadloom/sum_stream.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "broadloom/broadloom.h"
#include "catch2/catch_test_macros.hpp"
#include "reference/guarded_buffer.h"
#include "unit/allocation_watch.h"

namespace {

using namespace broadloom;
using reference::Buffer;
using Extents = std::vector<int64_t>;

constexpr DType kSummed[] = {
    DType::kI8,  DType::kI16, DType::kI32, DType::kI64, DType::kU8,
    DType::kU16, DType::kU32, DType::kU64, DType::kF16, DType::kBF16,
    DType::kF32, DType::kF64, DType::kC64, DType::kC128};

struct Question {
  Extents input;
  Extents output;
  SumToOptions options = {};
};

// Whose sums depend on their order, if they are floats.
Buffer Elements(DType dtype, const Extents& shape, uint32_t seed) {
  Buffer bytes(static_cast<size_t>(*CountBytes(shape, dtype)));
  uint32_t state = seed * 2654435761u + 1;
  for (size_t i = 0; i < bytes.size(); ++i) {
    state = state * 1664525u + 1013904223u;
    bytes[i] = static_cast<uint8_t>(state >> 24);
    // No exponent of all ones, of any float.
    if (i % 2 == 1) bytes[i] &= 0xBB;
  }
  return bytes;
}

Buffer WholeSum(DType dtype, const Question& q, const Buffer& in) {
  const auto sum =
      SumTo({dtype, q.input, in.data(), in.size()}, q.output, q.options);
  REQUIRE(sum);
  const auto* const bytes = static_cast<const uint8_t*>(sum->data());
  return {bytes, bytes + sum->bytes()};
}

struct Streamed {
  Buffer out;
  size_t pieces = 0;
  size_t stretches = 0;
};

// Sums as somebody would who has input and output elsewhere. Whatever lies in
// the memory that nobody brought is noise, and the memory moves.
std::string Stream(SumStream& sum, const Buffer& in, SumInput from,
                   Streamed& streamed) {
  if (sum.input_bytes() != in.size()) return "the input has another length";
  const auto shape = std::vector<int64_t>{
      static_cast<int64_t>(std::max<size_t>(sum.memory_bytes(), 1))};
  auto memory = Tensor::Allocate(DType::kU8, shape);
  auto other = Tensor::Allocate(DType::kU8, shape);
  if (!memory || !other) return "no memory";
  std::memset(memory->data(), 0xC5, sum.memory_bytes());
  std::vector<bool> read(from == SumInput::kBrought ? in.size() : 0);
  while (!sum.done()) {
    if (streamed.pieces++ % 3 == 2) {
      std::memcpy(other->data(), memory->data(), sum.memory_bytes());
      std::memset(memory->data(), 0x3D, sum.memory_bytes());
      std::swap(memory, other);
    }
    auto* const bytes = static_cast<uint8_t*>(memory->data());
    const std::span<std::byte> whole{reinterpret_cast<std::byte*>(bytes),
                                     sum.memory_bytes()};
    const Segments segments = sum.input();
    const uint64_t before = sum.added_bytes();
    if (from == SumInput::kBrought) {
      for (uint64_t i = 0; i < segments.count; ++i) {
        const uint64_t begin = segments.begin + i * segments.step;
        if (begin + segments.bytes > in.size()) return "a segment is not in it";
        std::copy_n(in.data() + begin, segments.bytes,
                    bytes + i * segments.bytes);
        for (uint64_t k = 0; k < segments.bytes; ++k) {
          if (read[begin + k]) return "what was brought is asked for again";
          read[begin + k] = true;
        }
      }
      streamed.stretches += segments.count;
      if (!sum.Add(whole)) return "Add failed";
    } else if (!sum.Add(whole, in.data())) {
      return "Add failed";
    }
    if (sum.added_bytes() - before != segments.bytes * segments.count) {
      return "not what was brought was added";
    }
    const Segment segment = sum.result();
    if (segment.begin != streamed.out.size()) return "segments leave a gap";
    streamed.out.insert(streamed.out.end(), bytes, bytes + segment.bytes);
  }
  if (sum.added_bytes() != in.size()) return "not all was asked for";
  return "";
}

void CheckOne(DType dtype, const Question& q, const Buffer& in,
              const Buffer& whole, size_t memory) {
  for (const SumInput from : {SumInput::kBrought, SumInput::kInMemory}) {
    auto sum =
        SumStream::Make(dtype, q.input, q.output, memory, q.options, from);
    if (!sum) {
      // Less than what is always enough, and more is said to be needed.
      CHECK(sum.error().error_class == ErrorClass::kLimit);
      CHECK(sum.error().other_extent == static_cast<int64_t>(memory));
      CHECK(sum.error().extent > static_cast<int64_t>(memory));
      CHECK(memory < 128 << 10);
      if (from == SumInput::kBrought &&
          sum.error().extent > static_cast<int64_t>(memory)) {
        CheckOne(dtype, q, in, whole, static_cast<size_t>(sum.error().extent));
      }
      return;
    }
    CHECK(sum->memory_bytes() <= memory);
    Streamed streamed;
    const std::string fault = Stream(*sum, in, from, streamed);
    CHECK(fault == "");
    if (streamed.out == whole) continue;
    FAIL_CHECK("other bits than the whole sum's");
  }
}

void Check(DType dtype, const Question& q, std::span<const size_t> memories) {
  const Buffer in = Elements(dtype, q.input, 7);
  const Buffer whole = WholeSum(dtype, q, in);
  for (const size_t memory : memories) {
    std::string name;
    for (const int64_t extent : q.input) name += std::to_string(extent) + ' ';
    name += "to ";
    for (const int64_t extent : q.output) name += std::to_string(extent) + ' ';
    INFO(Info(dtype).name << ' ' << name << "in " << memory);
    CheckOne(dtype, q, in, whole, memory);
  }
}

TEST_CASE("sum_stream: the header's examples") {
  auto sum = SumStream::Make(DType::kF32, Extents{1000, 1000}, Extents{1000},
                             256 << 10);
  REQUIRE(sum);
  CHECK(sum->input() == Segments{0, 128'000, 1, 128'000});
  alignas(64) static std::byte memory[256 << 10] = {};
  size_t pieces = 0;
  for (; !sum->done(); ++pieces) {
    CHECK(sum->input().begin == pieces * 128'000);
    CHECK(sum->input().bytes == (pieces < 31 ? 128'000 : 32'000));
    REQUIRE(sum->Add(memory));
    CHECK(sum->result().bytes == (pieces < 31 ? 0 : 4000));
  }
  CHECK(pieces == 32);
  sum = SumStream::Make(DType::kF32, Extents{1000, 1'000'000},
                        Extents{1'000'000}, 256 << 10);
  REQUIRE(sum);
  CHECK(sum->input() == Segments{0, 16384, 8, 4'000'000});
  for (size_t i = 0; i < 125; ++i) REQUIRE(sum->Add(memory));
  CHECK(sum->result() == Segment{0, 16384});
  CHECK(sum->input() == Segments{16384, 16384, 8, 4'000'000});
}

TEST_CASE("sum_stream: every form, in memories of many sizes") {
  const std::vector<Question> questions = {
      {{20000}, {}},
      {{4099}, {1}},
      {{1}, {}},
      {{37, 5}, {37, 1}},
      {{11, 300}, {11, 1}},
      {{3, 9000}, {3, 1}},
      {{2100, 3}, {2100, 1}},
      {{4500, 2}, {4500, 1}},
      {{53, 7}, {7}},
      {{2, 9001}, {9001}},
      {{70, 1500}, {1500}},
      {{1000, 3}, {3}},
      {{600, 31}, {31}},
      {{4, 6, 9, 5}, {6, 1, 1}},
      {{4, 6, 70}, {4, 1, 70}},
      {{40, 3, 2}, {40, 1, 2}},
      {{9, 40, 31}, {9, 1, 31}},
      {{2, 3, 1100}, {2, 1, 1100}},
      {{3, 5, 4, 3, 2, 6}, {5, 1, 3, 1, 6}},
      {{3, 5, 4, 3, 2, 6}, {3, 1, 4, 1, 2, 1}},
      {{2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, {1, 2, 1, 2, 1, 2, 1, 2, 1, 2}},
      {{2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, {2, 1, 2, 1, 2, 1, 2, 1, 2, 1}},
      {{300, 2, 3}, {2, 1}},
      {{30, 2, 2, 9}, {2, 1, 1}},
      {{8, 64, 9, 7}, {64, 1, 1}},
      {{5, 400, 3, 11}, {400, 1, 11}},
      // Nothing to sum; nothing at all.
      {{3, 500}, {3, 500}},
      {{1, 3, 1, 5}, {3, 1, 5}},
      {{}, {}},
      {{0}, {}},
      {{0, 300}, {300}},
      {{300, 0}, {300, 1}},
      {{2, 0}, {0}},
      {{0, 3}, {0, 1}}};
  constexpr size_t kMemories[] = {64,    640,    1024,   1536,  2048,
                                  3000,  4096,   6464,   10000, 20000,
                                  65536, 131072, 1 << 20};
  for (const Question& q : questions) {
    for (const DType dtype : kSummed) Check(dtype, q, kMemories);
  }
}

TEST_CASE("sum_stream: long sums, which are added up in partial sums") {
  const std::vector<Question> questions = {{{600, 500}, {}},
                                           {{300'001}, {}},
                                           {{600, 501}, {501}},
                                           {{3, 70'001}, {3, 1}},
                                           {{100'000, 3}, {3}},
                                           {{70'000, 2, 2}, {2, 1}},
                                           {{4, 100'001}, {100'001}},
                                           {{8, 15, 1'500}, {15, 1}},
                                           {{2, 300, 7, 61}, {2, 1, 7, 1}},
                                           {{3, 2, 20'011, 5}, {2, 1, 5}},
                                           {{3, 2, 1'000, 2, 64}, {2, 1, 2, 1}},
                                           {{40'000, 7}, {40'000, 1}},
                                           {{3, 2, 5'000, 31}, {2, 1, 31}}};
  constexpr size_t kMemories[] = {16384, 100'000, 131072, 262144, 1 << 20};
  for (const Question& q : questions) {
    for (const DType dtype : {DType::kU8, DType::kI64, DType::kF16, DType::kF32,
                              DType::kF64, DType::kC64, DType::kC128}) {
      Check(dtype, q, kMemories);
    }
  }
}

TEST_CASE("sum_stream: random shapes in random memories") {
  uint32_t state = 11;
  const auto below = [&state](size_t n) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % n;
  };
  for (size_t round = 0; round < 600; ++round) {
    const size_t rank = 1 + below(6);
    const size_t most = rank < 3 ? 400 : rank < 4 ? 40 : 9;
    Question q;
    for (size_t axis = 0; axis < rank; ++axis) {
      q.input.push_back(static_cast<int64_t>(1 + below(most)));
      q.output.push_back(below(2) == 0 ? 1 : q.input.back());
    }
    const size_t memories[] = {512 + below(4096), 4096 + below(65536)};
    Check(kSummed[below(std::size(kSummed))], q, memories);
  }
}

TEST_CASE("sum_stream: the rules") {
  const Extents none, first = {0}, outer = {0, 2}, inner = {1, 2};
  const std::vector<Question> questions = {
      {{4, 3, 500}, {3, 1}},
      {{4, 3, 500}, {4, 1, 1}, {.rule = Rule::kNumpy}},
      {{4, 3, 500}, {3, 500}, {.rule = Rule::kBidirectional}},
      {{4, 3, 500}, {4, 3}, {.rule = Rule::kPdpd, .axis = 0}},
      {{4, 3, 500}, {3}, {.rule = Rule::kPdpd, .axis = 1}},
      {{4, 3, 500}, {3, 1, 1}, {.rule = Rule::kPdpd, .axis = 1}},
      {{4, 3, 500}, {3, 500}, {.rule = Rule::kPdpd, .axis = -1}},
      {{4, 3, 500}, {4}, {.rule = Rule::kExplicit, .axes_mapping = first}},
      {{4, 3, 500}, {4, 500}, {.rule = Rule::kExplicit, .axes_mapping = outer}},
      {{4, 3, 500}, {1, 500}, {.rule = Rule::kExplicit, .axes_mapping = inner}},
      {{4, 3, 500}, {}, {.rule = Rule::kExplicit, .axes_mapping = none}}};
  constexpr size_t kMemories[] = {2048, 4096, 262144};
  for (const Question& q : questions) {
    for (const DType dtype : {DType::kI32, DType::kF32, DType::kC64}) {
      Check(dtype, q, kMemories);
    }
  }
}

// An input that no memory holds is walked to its end in no time where it has
// few pieces; and its first pieces are as any other's.
TEST_CASE("sum_stream: what no memory holds") {
  const int64_t huge = int64_t{1} << 50;
  auto sum = SumStream::Make(DType::kU8, Extents{huge, 1000}, Extents{huge, 1},
                             256 << 10);
  REQUIRE(sum);
  CHECK(sum->memory_bytes() <= 256 << 10);
  CHECK(sum->input_bytes() == static_cast<uint64_t>(huge) * 1000);
  alignas(64) static std::byte memory[256 << 10];
  std::memset(memory, 1, sum->input().bytes);
  const uint64_t rows = sum->input().bytes / 1000;
  REQUIRE(sum->input().count == 1);
  REQUIRE(sum->Add(memory));
  CHECK(sum->result() == Segment{0, rows});
  CHECK(static_cast<uint8_t>(memory[rows - 1]) == 1000 % 256);
  CHECK(sum->input().begin == rows * 1000);
  sum = SumStream::Make(DType::kF32, Extents{1000, huge}, Extents{huge},
                        256 << 10);
  REQUIRE(sum);
  CHECK(sum->input().step == static_cast<uint64_t>(huge) * 4);
  CHECK(!SumStream::Make(DType::kF64, Extents{huge, huge}, Extents{}, 1 << 20));
}

TEST_CASE("sum_stream: few stretches of memory, which are no small ones") {
  struct Wanted {
    Extents input;
    Extents output;
    uint64_t least;  // bytes
  };
  const std::vector<Wanted> all = {
      {{2, 1'000'000}, {1'000'000}, 32 << 10},
      {{1000, 5000}, {5000}, 10'000},
      {{64, 100, 300}, {100, 1}, 100'000},
      {{200'000, 5}, {200'000, 1}, 100'000},
      {{5, 200'000, 3}, {200'000, 1}, 16'000},
      {{3, 1000, 3, 1000}, {1000, 1, 1000}, 12'000},
      {{3'000'000}, {}, 100'000}};
  for (const Wanted& wanted : all) {
    const auto sum =
        SumStream::Make(DType::kF32, wanted.input, wanted.output, 256 << 10);
    REQUIRE(sum);
    const Segments segments = sum->input();
    INFO(wanted.input[0] << " x " << wanted.input.back());
    CHECK(segments.bytes >= wanted.least);
    CHECK(segments.bytes * segments.count <= 128 << 10);
  }
}

TEST_CASE("sum_stream: what is refused") {
  const auto refused = [](const Extents& input, const Extents& shape,
                          size_t memory, const SumToOptions& options = {},
                          DType dtype = DType::kF32) {
    const auto sum = SumStream::Make(dtype, input, shape, memory, options);
    REQUIRE(!sum);
    return sum.error();
  };
  // As SumTo refuses it.
  for (const auto& [input, shape] :
       std::vector<std::pair<Extents, Extents>>{{{2, 3}, {4}},
                                                {{2, 3}, {1, 2, 3}},
                                                {{2, -3}, {3}},
                                                {{2, 3}, {-3}}}) {
    CHECK(refused(input, shape, 4096) ==
          SumPlan::Make(DType::kF32, input, shape).error());
  }
  CHECK(refused({2, 3}, {3}, 4096, {.axis = 1}).error_class ==
        ErrorClass::kAttribute);
  CHECK(refused({2, 3}, {3}, 4096, {}, DType::kI4).error_class ==
        ErrorClass::kDType);
  // Too little memory, and just enough.
  const Error error = refused({200, 300}, {300}, 0);
  CHECK(error.error_class == ErrorClass::kLimit);
  CHECK(error.other_extent == 0);
  CHECK(error.rule == Rule::kBroadcastNumpy);
  const auto needed = static_cast<size_t>(error.extent);
  CHECK(refused({200, 300}, {300}, needed - 1).extent == error.extent);
  auto sum =
      SumStream::Make(DType::kF32, Extents{200, 300}, Extents{300}, needed);
  REQUIRE(sum);
  CHECK(sum->memory_bytes() <= needed);

  alignas(64) static std::byte memory[4096] = {};
  sum = SumStream::Make(DType::kF32, Extents{2, 3}, Extents{3}, 4096);
  REQUIRE(sum);
  const Segments before = sum->input();
  const auto short_one =
      sum->Add(std::span(memory).first(sum->memory_bytes() - 1));
  REQUIRE(!short_one);
  CHECK(short_one.error().error_class == ErrorClass::kLength);
  CHECK(sum->input() == before);
  CHECK(sum->added_bytes() == 0);
  REQUIRE(sum->Add(memory));
  CHECK(sum->done());
  CHECK(sum->input() == Segments{});
  const auto late = sum->Add(memory);
  REQUIRE(!late);
  CHECK(late.error().error_class == ErrorClass::kExtent);
  CHECK(late.error().detail == Detail::kOutOfRange);
  CHECK(sum->result() == Segment{0, 12});
}

TEST_CASE("sum_stream: nothing is allocated up to rank 8") {
  const Extents shape(8, 3);
  const Extents summed = {3, 1, 3, 1, 3, 1, 3, 1};
  alignas(64) static std::byte memory[8192] = {};
  testing::RequireNoAllocation([&](const Allocator& allocator) {
    auto sum = SumStream::Make(DType::kC128, shape, summed, sizeof memory, {},
                               SumInput::kBrought, allocator);
    return sum && sum->Add(memory) && !sum->done();
  });
}

TEST_CASE("sum_stream: memory that is refused is an error") {
  const Extents shape(20, 2);
  Extents summed(20, 2);
  for (size_t axis = 0; axis < 20; axis += 2) summed[axis] = 1;
  const size_t requests = testing::RefuseEach([&](const auto& allocator) {
    return SumStream::Make(DType::kI32, shape, summed, 65536, {},
                           SumInput::kBrought, allocator);
  });
  CHECK(requests > 3);
}

}  // namespace
