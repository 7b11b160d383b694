#include "limit.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limit.cc"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace bench {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Vectors of at most one unit.
using Tag = hn::CappedTag<uint64_t, kUnit / sizeof(uint64_t)>;
using Vector = hn::Vec<Tag>;

// Streams of different lengths advance together, this many bytes of the longest
// at a time, so that reads and writes overlap.
constexpr size_t kStep = 4096;

HWY_INLINE size_t VectorBytes() { return hn::Lanes(Tag()) * sizeof(uint64_t); }

HWY_INLINE Vector Load(const uint8_t* from) {
  return hn::Load(Tag(), reinterpret_cast<const uint64_t*>(from));
}

template <Writes kWrites>
HWY_INLINE void Store(Vector v, uint8_t* to) {
  uint64_t* const words = reinterpret_cast<uint64_t*>(to);
  if constexpr (kWrites == Writes::kStreaming) {
    hn::Stream(v, Tag(), words);
  } else {
    hn::Store(v, Tag(), words);
  }
}

// Prefetches a line for writing. The instruction is available on all x86-64
// CPUs since AMD's first, but the builtin emits it only with a compiler flag.
HWY_INLINE void PrefetchToWrite(uint8_t* line) {
#if HWY_ARCH_X86_64
  asm volatile("prefetchw %0" : : "m"(*line));
#else
  __builtin_prefetch(line, 1, 3);
#endif
}

// Everything that is read is combined into something that is written, so that
// no read can be optimised away. Exclusive or costs nothing compared with
// memory.
HWY_INLINE Vector ReadAll(const uint8_t* from, size_t bytes, Vector all) {
  const size_t n = VectorBytes();
  Vector a = all, b = hn::Zero(Tag()), c = b, d = b;
  size_t i = 0;
  for (; i + 4 * n <= bytes; i += 4 * n) {
    a = hn::Xor(a, Load(from + i));
    b = hn::Xor(b, Load(from + i + n));
    c = hn::Xor(c, Load(from + i + 2 * n));
    d = hn::Xor(d, Load(from + i + 3 * n));
  }
  for (; i < bytes; i += n) a = hn::Xor(a, Load(from + i));
  return hn::Xor(hn::Xor(a, b), hn::Xor(c, d));
}

// Writes `bytes` of `out`, and reads as many from each of `kInputs`.
template <size_t kInputs, Writes kWrites>
HWY_INLINE void MoveInStep(const uint8_t* const (&in)[3], uint8_t* out,
                           size_t bytes, Vector all) {
  const size_t n = VectorBytes();
  const auto move = [&](size_t i) HWY_ATTR {
    Vector v = all;
    if constexpr (kInputs > 0) v = hn::Xor(v, Load(in[0] + i));
    if constexpr (kInputs > 1) v = hn::Xor(v, Load(in[1] + i));
    if constexpr (kInputs > 2) v = hn::Xor(v, Load(in[2] + i));
    Store<kWrites>(v, out + i);
  };
  constexpr size_t kAhead = 1024;
  size_t i = 0;
  for (; i + 4 * n <= bytes; i += 4 * n) {
    if constexpr (kWrites == Writes::kPrefetched) {
      for (size_t line = 0; line < 4 * n; line += kUnit) {
        PrefetchToWrite(out + i + kAhead + line);
      }
    }
    move(i);
    move(i + n);
    move(i + 2 * n);
    move(i + 3 * n);
  }
  for (; i < bytes; i += n) move(i);
}

// The start of step `step` of `steps` in a stream.
HWY_INLINE size_t Begin(size_t bytes, size_t step, size_t steps) {
  // In 64 bits, since the product may exceed a 32-bit size_t.
  return static_cast<size_t>(uint64_t{bytes / kUnit} * step / steps * kUnit);
}

template <size_t kInputs, Writes kWrites>
void MoveSteps(const uint8_t* const (&in_step)[3],
               std::span<const Memory* const> others, const Memory& output,
               size_t part, size_t parts) {
  const size_t out_bytes = RoundUp(output.bytes(), kUnit);
  size_t longest = out_bytes;
  for (const Memory* other : others) {
    longest = std::max(longest, RoundUp(other->bytes(), kUnit));
  }
  // Without inputs, no steps are needed.
  const size_t steps =
      others.empty() ? parts : std::max(parts, longest / kStep);
  // Of zeros it makes other bytes: past the caches Zen 4 writes zeros three
  // times as fast.
  Vector all = hn::Set(Tag(), 0x5A5A5A5A5A5A5A5A);
  for (size_t step = steps * part / parts; step < steps * (part + 1) / parts;
       ++step) {
    for (const Memory* other : others) {
      const size_t bytes = RoundUp(other->bytes(), kUnit);
      const size_t begin = Begin(bytes, step, steps);
      all = ReadAll(other->data() + begin,
                    Begin(bytes, step + 1, steps) - begin, all);
    }
    const size_t begin = Begin(out_bytes, step, steps);
    const uint8_t* const in[3] = {in_step[0] + begin, in_step[1] + begin,
                                  in_step[2] + begin};
    MoveInStep<kInputs, kWrites>(in, output.data() + begin,
                                 Begin(out_bytes, step + 1, steps) - begin,
                                 all);
  }
  if constexpr (kWrites == Writes::kStreaming) hwy::FlushStream();
}

template <Writes kWrites>
void MoveAll(std::span<const Memory> inputs, const Memory& output, size_t part,
             size_t parts) {
  // Inputs as long as the result are read at the same pace.
  const uint8_t* const unused = output.data();
  const uint8_t* in_step[3] = {unused, unused, unused};
  const Memory* others[8] = {};
  size_t in_step_count = 0, other_count = 0;
  for (const Memory& input : inputs) {
    if (input.bytes() == output.bytes() && in_step_count < 3) {
      in_step[in_step_count++] = input.data();
    } else if (other_count < 8) {
      others[other_count++] = &input;
    }
  }
  const std::span<const Memory* const> rest(others, other_count);
  switch (in_step_count) {
    case 0:
      return MoveSteps<0, kWrites>(in_step, rest, output, part, parts);
    case 1:
      return MoveSteps<1, kWrites>(in_step, rest, output, part, parts);
    case 2:
      return MoveSteps<2, kWrites>(in_step, rest, output, part, parts);
    default:
      return MoveSteps<3, kWrites>(in_step, rest, output, part, parts);
  }
}

void Move(const Memory* inputs, size_t input_count, const Memory& output,
          Writes writes, size_t part, size_t parts) {
  const std::span<const Memory> all(inputs, input_count);
  switch (writes) {
    case Writes::kPlain:
      return MoveAll<Writes::kPlain>(all, output, part, parts);
    case Writes::kPrefetched:
      return MoveAll<Writes::kPrefetched>(all, output, part, parts);
    case Writes::kStreaming:
      return MoveAll<Writes::kStreaming>(all, output, part, parts);
  }
}

uint64_t Read(const Memory& input) {
  const Vector all =
      ReadAll(input.data(), RoundUp(input.bytes(), kUnit), hn::Zero(Tag()));
  alignas(kUnit) uint64_t words[kUnit / sizeof(uint64_t)] = {};
  hn::Store(all, Tag(), words);
  uint64_t sum = 0;
  for (const uint64_t word : words) sum += word;
  return sum;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bench {

HWY_EXPORT(Move);
HWY_EXPORT(Read);

void MoveStreams(std::span<const Memory> inputs, const Memory& output,
                 Writes writes, size_t part, size_t parts) {
  HWY_DYNAMIC_DISPATCH(Move)
  (inputs.data(), inputs.size(), output, writes, part, parts);
}

uint64_t ReadStream(const Memory& input) {
  return HWY_DYNAMIC_DISPATCH(Read)(input);
}

}  // namespace bench
#endif  // HWY_ONCE
