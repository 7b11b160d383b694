#include "stores.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "faster_writes.h"
#include "limit.h"
#include "measure.h"
#include "memory.h"

namespace bench {

std::string MeasureStores(const Fields& fields) {
  const auto bytes = static_cast<size_t>(fields.Number("bytes").value_or(1));
  const auto rounds = static_cast<size_t>(fields.Number("rounds").value_or(15));
  const auto least =
      static_cast<double>(fields.Number("least").value_or(1'000'000));
  const Memory output(bytes, 0);
  std::vector<Memory> one_input;
  one_input.emplace_back(bytes, 1);
  if (output.data() == nullptr || one_input[0].data() == nullptr) {
    return R"({"error":"memory was refused"})";
  }
  std::vector<Timed> ways;
  for (const bool streaming : {false, true}) {
    const std::string stores = streaming ? "streaming" : "cached";
    for (const bool reads : {false, true}) {
      // A fill and a copy: the cost of a result without operands and with a
      // full one.
      const std::span<const Memory> inputs(one_input.data(), reads ? 1 : 0);
      const Writes writes =
          streaming ? Writes::kStreaming : FasterWrites(inputs, output);
      const std::string work = reads ? "copy" : "fill";
      ways.emplace_back(stores + " " + work, least, [&, inputs, writes] {
        MoveStreams(inputs, output, writes, 0, 1);
        Keep(output.data());
      });
      ways.emplace_back(stores + " " + work + " read", least,
                        [&, inputs, writes] {
                          MoveStreams(inputs, output, writes, 0, 1);
                          const uint64_t sum = ReadStream(output);
                          Keep(&sum);
                        });
    }
  }
  return TimeInTurn(ways, rounds);
}

}  // namespace bench
