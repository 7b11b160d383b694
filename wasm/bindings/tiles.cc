// Plans that are run tile by tile.
// Each function returns a negative number, or null, after it has reported a
// fault.

#include <emscripten/emscripten.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "arena.h"
#include "box.h"
#include "broadloom/broadloom.h"
#include "fault.h"
#include "memory.h"
#include "words.h"

namespace broadloom_wasm {

using namespace broadloom;

// A plan that is run tile by tile.
struct Tiles {
  const Plan* plan;
  Tiling tiling;
  std::span<std::byte> memory;  // the arena, unless it is too small
};

extern "C" {

// Cuts a plan, or the box of it that the request block begins with, into tiles
// of at most `bytes` bytes. The plan has to outlive it. All that its tiles need
// is had here: nothing is refused any more when some have been run. The answer:
// number of tiles; elements and bytes of the result, or of its box; rank and
// extents of that; address of each operand's pieces, then of the result's.
EMSCRIPTEN_KEEPALIVE Tiles* broadloom_tiles(const Plan* plan, bool boxed,
                                            uint32_t bytes) {
  Box box;
  if (!box.Read(*plan, boxed)) return nullptr;
  const size_t operands = plan->operand_count();
  const size_t least = 2 * kAlignment * (operands + 1);
  const size_t most = least > bytes ? least : bytes;
  Result<Tiling> tiling =
      boxed ? Tiling::Make(*plan, box.ranges(), most, kAllocator)
            : Tiling::Make(*plan, most, kAllocator);
  if (!tiling) {
    Report(tiling.error());
    return nullptr;
  }
  const size_t needed = tiling->memory_bytes();
  std::byte* const memory = MemoryForPieces(needed, true);
  const ShapeView shape = box.shape(*plan);
  // Those of broadloom_tile, too.
  int64_t* answer = answer_words.Reserve(5 + shape.size() + 2 * operands);
  Tiles* const tiles =
      memory == nullptr || answer == nullptr
          ? nullptr
          : Keep(Tiles{plan, std::move(*tiling), {memory, needed}});
  if (tiles == nullptr) {
    GiveBack(memory);
    ReportRefusal(needed + sizeof(Tiles));
    return nullptr;
  }
  const auto address = [memory](size_t place) {
    return static_cast<int64_t>(reinterpret_cast<uintptr_t>(memory + place));
  };
  *answer++ = tiles->tiling.tile_count();
  // Those of the whole result could be counted.
  *answer++ = CountElements(shape).value_or(0);
  *answer++ = CountBytes(shape, plan->output_dtype()).value_or(0);
  *answer++ = static_cast<int64_t>(shape.size());
  for (const int64_t extent : shape) *answer++ = extent;
  for (size_t i = 0; i < operands; ++i) {
    *answer++ = address(tiles->tiling.place(i));
  }
  *answer++ = address(tiles->tiling.result_place());
  return tiles;
}

EMSCRIPTEN_KEEPALIVE void broadloom_tiles_release(Tiles* tiles) {
  GiveBack(tiles->memory.data());
  Drop(tiles);
}

// What a tile reads and computes. The answer: first byte and bytes of each
// operand's piece, then of the result's, and whether its first byte belongs to
// the tile before, too.
EMSCRIPTEN_KEEPALIVE void broadloom_tile(const Tiles* tiles, double tile) {
  const size_t operands = tiles->plan->operand_count();
  int64_t* answer = answer_words.data();
  const auto put = [&answer](const Piece& piece) {
    *answer++ = static_cast<int64_t>(piece.begin);
    *answer++ = static_cast<int64_t>(piece.bytes);
  };
  const int64_t index = static_cast<int64_t>(tile);
  for (size_t i = 0; i < operands; ++i) put(tiles->tiling.operand(index, i));
  put(tiles->tiling.result(index));
  *answer = tiles->tiling.shares_byte(index) ? 1 : 0;
}

// Runs a tile on the pieces that lie where broadloom_tiles said.
EMSCRIPTEN_KEEPALIVE void broadloom_run_tile(const Tiles* tiles, double tile) {
  // Cannot fail: the tile index is valid.
  (void)RunTile(*tiles->plan, tiles->tiling, static_cast<int64_t>(tile),
                tiles->memory);
}

}  // extern "C"

}  // namespace broadloom_wasm
