// A way to what the public API does not show: the core behind an instance, for counting memory and refusing it.

import { Core } from '../../wasm/dist/core/core.js';

export { Core };

/** The core that `bl` asks. */
export function coreOf(bl) {
  const { count } = Core.prototype;
  let core;
  Core.prototype.count = function (...given) {
    core = this;
    return count.apply(this, given);
  };
  bl.countElements([]);
  Core.prototype.count = count;
  return core;
}
