// Runs the tiles of a plan as somebody would who has its operands elsewhere.

#ifndef BROADLOOM_TESTS_UNIT_TILES_H_
#define BROADLOOM_TESTS_UNIT_TILES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "broadloom/broadloom.h"
#include "reference/guarded_buffer.h"

namespace testing {

// Computes `out` from dense operands, piece by piece. Says what is wrong with
// a piece, or nothing. Whatever lies in the memory that no piece brought is
// noise, which changes from tile to tile.
inline std::string RunTiles(const broadloom::Plan& plan,
                            const broadloom::Tiling& tiling,
                            const std::vector<reference::Buffer>& operands,
                            reference::Buffer& out) {
  using broadloom::Piece;
  // Aligned, and as long as is said: what is read or written beyond it is the
  // address sanitizer's to find.
  const auto shape = std::vector<int64_t>{
      static_cast<int64_t>(std::max<size_t>(tiling.memory_bytes(), 1))};
  auto memory = broadloom::Tensor::Allocate(broadloom::DType::kU8, shape);
  if (!memory) return "no memory";
  uint8_t* const bytes = static_cast<uint8_t*>(memory->data());
  const std::span<std::byte> whole{reinterpret_cast<std::byte*>(bytes),
                                   tiling.memory_bytes()};
  std::vector<Piece> held(operands.size());
  size_t done = 0;  // bytes of the result
  for (int64_t tile = 0; tile < tiling.tile_count(); ++tile) {
    for (size_t i = 0; i < operands.size(); ++i) {
      const Piece piece = tiling.operand(tile, i);
      if (tiling.place(i) % 64 != 0) return "an operand's place is odd";
      if (tiling.place(i) + piece.bytes > tiling.result_place()) {
        return "an operand's piece has no room";
      }
      if (piece.begin + piece.bytes > operands[i].size()) {
        return "a piece is not in its operand";
      }
      if (tile > 0 && piece == held[i]) continue;
      held[i] = piece;
      std::copy_n(operands[i].data() + piece.begin, piece.bytes,
                  bytes + tiling.place(i));
    }
    const Piece piece = tiling.result(tile);
    const size_t place = tiling.result_place();
    const bool shares = tiling.shares_byte(tile);
    if (piece.begin != done - (shares ? 1 : 0)) return "pieces leave a gap";
    if (piece.begin + piece.bytes > out.size()) return "a piece is not in it";
    if (place % 64 != 0 || place + piece.bytes > tiling.memory_bytes()) {
      return "the result's piece has no room";
    }
    std::fill_n(bytes + place, piece.bytes,
                static_cast<uint8_t>(tile * 37 + 5));
    if (shares) bytes[place] = out[piece.begin];
    if (!RunTile(plan, tiling, tile, whole)) return "RunTile failed";
    std::copy_n(bytes + place, piece.bytes, out.data() + piece.begin);
    done = piece.begin + piece.bytes;
  }
  return done == out.size() ? "" : "the tiles are not all of the result";
}

}  // namespace testing

#endif  // BROADLOOM_TESTS_UNIT_TILES_H_
