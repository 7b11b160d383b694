// The memory that threads share.

const PAGE = 65536;
const INITIAL_PAGES = (16 << 20) / PAGE;
const MOST_PAGES = 2 ** 32 / PAGE;
// Less is not worth having: the memory is then said to be refused.
const LEAST_PAGES = (64 << 20) / PAGE;

/**
 * A memory that can grow as far as the platform allows. Its addresses are reserved at once, since threads have them: 4 GiB,
 * which 32-bit systems and iOS refuse, or half as many, and so on.
 *
 * @throws RangeError where even a small one is refused.
 */
export function makeSharedMemory(): WebAssembly.Memory {
  for (let maximum = MOST_PAGES; ; maximum /= 2) {
    try {
      return new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum, shared: true });
    } catch (error) {
      if (maximum <= LEAST_PAGES) throw error;
    }
  }
}
