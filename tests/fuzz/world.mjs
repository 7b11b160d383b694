// The surroundings of a sequence of calls: an instance of the package with enough memory, with some of its allocations
// refused, or with no memory left; and callbacks that misbehave during calls. Checks the invariants after every call.

import { setFlagsFromString } from 'node:v8';
import { Core } from '../../build/package-sources/core/core.js';
import { BroadcastError } from '../../build/package-sources/types/errors.js';
import { NpyError } from '../../build/package-sources/npy.js';
import { Planned, RecentPlans } from '../../build/package-sources/plans/planned.js';
import { Plan } from '../../build/package-sources/plans/plan.js';
import { Tensor } from '../../build/package-sources/operands/tensor.js';
import { startInside } from '../package/inside.mjs';
import { takeMemory } from '../package/take-memory.mjs';
import { Choices, Fault } from './choices.mjs';
import { bufferOf, Operands, TYPES } from './operands.mjs';

const CODES = new Set([...Object.keys(startInside().bl.vocabulary.errors), 'disposed', 'aborted']);
const NPY_CODES = new Set(['input', 'shape', 'dtype', 'length', 'allocation']);
/** Inputs are small, so memory use above this is a leak. */
const MOST_BYTES = 2 ** 26;

const OWN_TEXT = "the caller's own";
class Own extends Error {
  constructor() {
    super(`${OWN_TEXT}\u001b[31m\n`); // no message may contain this unchanged
  }
}
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();
const THROWN = [
  () => new Own(),
  () => undefined,
  () => revoked,
  () => Symbol('own'),
  () => ({ toString: () => { throw new Own(); } }), // prettier-ignore
  () => Object.assign(new Own(), { name: 'BroadcastError' }),
  () => Object.create(null),
];

// The module reports internal errors here; nothing may read it in between.
const POLLUTED = [
  'axis',
  'targetShape',
  'axesMapping',
  'attrs',
  'rule',
  'out',
  'promote',
  'as',
  'dtype',
  'mode',
  'operand',
];
POLLUTED.push('bigint', 'fmod', 'direction', 'begin', 'end', 'data', 'shape', 'stride', 'strides', 'offset', 'order');
POLLUTED.push('dims', 'type', 'read', 'saturate', 'to');

// Read once, so that the value that was checked is the one that is used.
const ONCE = new Set([...POLLUTED, 'length', ...Array.from({ length: 8 }, (_, i) => String(i))]);

// --- What is held of the module's memory ------------------------------------------------------------------------------

/** What an instance holds: addresses and handles by kind, and the plans that it keeps for equal calls. */
const makeBooks = () => ({ memory: new Set(), plans: new Set(), boxes: new Set(), sums: new Set(), kept: new Set() });
/** Those of the current instance. */
let books = makeBooks();

/** Records what `make` returns until `give` releases it. */
function watch(prototype, make, give, kind, handleOf = (handle) => handle) {
  const { [make]: making, [give]: giving } = prototype;
  prototype[make] = function (...given) {
    const made = making.apply(this, given);
    const handle = handleOf(made, given);
    if (handle !== null) books[kind].add(handle);
    return made;
  };
  prototype[give] = function (handle) {
    books[kind].delete(handle);
    return giving.call(this, handle);
  };
}
watch(Core.prototype, 'allocate', 'release', 'memory');
watch(Core.prototype, 'plan', 'releasePlan', 'plans', ({ handle }) => handle);
// Parts of whole plans are released with the plans.
watch(Core.prototype, 'blocks', 'releaseBlocks', 'boxes', ({ handle }, [, , box]) =>
  box === undefined ? null : handle,
);
watch(Core.prototype, 'sum', 'releaseSum', 'sums');
const { get } = RecentPlans.prototype;
RecentPlans.prototype.get = function (request) {
  const planned = get.call(this, request);
  books.kept.add(planned);
  return planned;
};
// Plans of several results keep one for each.
const { get: each } = Object.getOwnPropertyDescriptor(Planned.prototype, 'each');
Object.defineProperty(Planned.prototype, 'each', {
  get() {
    const plans = each.call(this);
    for (const planned of plans) books.kept.add(planned);
    return plans;
  },
});
const { release } = Planned.prototype;
Planned.prototype.release = function () {
  books.kept.delete(this);
  return release.call(this);
};

// --- The instances ----------------------------------------------------------------------------------------------------

/** The instance that is used for one input after the other, until an error is found. */
const foreign = startInside().bl.tensor({ data: new Float32Array([1, 2]), shape: [2] });
let usual = null;

const begin = () => ({ ...startInside(), books: makeBooks() });

/** Calls `use` with memories limited to the module's initial size, 64 pages. */
function withoutGrowing(use) {
  setFlagsFromString('--wasm-max-mem-pages=64');
  try {
    return use();
  } finally {
    setFlagsFromString('--wasm-max-mem-pages=65536');
  }
}

/** Calls `play` with a world for the choices in `bytes`, and checks for leaks afterwards. */
export function inWorld(bytes, note, play) {
  const choices = new Choices(bytes, note);
  const kind = choices.byte();
  const memory = kind === 255 && choices.below(4) === 0 ? 'full' : kind >= 208 ? 'refused' : 'usual';
  choices.note(`memory ${memory}`);
  const instance = memory === 'full' ? begin() : (usual ??= begin());
  if (memory !== 'full') void instance.bl.vocabulary; // which is kept from then on, so that inputs do not depend on others
  books = instance.books;
  const world = new World(choices, instance, memory);
  try {
    if (memory === 'full') {
      withoutGrowing(() => {
        const taken = takeMemory(instance.bl);
        try {
          play(world);
        } finally {
          for (const tensor of taken) tensor.dispose();
        }
      });
    } else {
      play(world);
    }
    world.end();
  } catch (error) {
    usual = null; // its state is now unknown
    throw error;
  }
}

class World {
  choices;
  bl;
  operands;
  foreign = foreign;
  /** Buffers of the call's operands. */
  buffers = [];
  /** Tensors that were made, with their contents; plans. */
  tensors = [];
  plans = [];
  /** Whether a callback has changed what the call means. */
  isDisturbed = false;
  #core;
  #memory;
  /** The depth of nested calls. */
  #depth = 0;
  #harm = null;
  #countdown = 0;
  #reads = new Map();
  #garbage;
  #readsOnce = true;
  #fault = null;

  constructor(choices, { bl, core }, memory) {
    this.choices = choices;
    this.bl = bl;
    this.#core = core;
    this.#memory = memory;
    this.operands = new Operands(this);
  }

  /** Chooses what callbacks do during the next call. */
  arm({ readsOnce = true } = {}) {
    const { choices } = this;
    this.buffers = [];
    this.operands.begin();
    this.isDisturbed = false;
    thrown.clear();
    this.#harm = choices.below(3) === 0 ? choices.name('harm', Object.keys(HARM)) : null;
    this.#countdown = choices.below(24);
    this.#garbage = choices.pick(GARBAGE);
    this.#readsOnce = readsOnce;
  }

  /** Called by every callback. */
  touch() {
    if (this.#depth === 0 || this.#harm === null || this.#countdown-- > 0) return;
    const harm = this.#harm;
    this.#harm = null;
    this.choices.note(`done ${harm}${this.#core.isLent ? ' in view' : ''}`);
    HARM[harm](this);
  }

  /** The value that a callback returns for a property: the right one, and something else when it is read again. */
  give(given, name, value) {
    this.touch();
    if (this.#depth === 0 || !this.#readsOnce || !ONCE.has(name)) return value;
    const names = this.#reads.get(given) ?? new Set();
    this.#reads.set(given, names);
    if (!names.has(name)) {
      names.add(name);
      return value;
    }
    this.choices.note(`read twice ${typeof name === 'string' ? name : ''}${Array.isArray(given) ? ' of a list' : ''}`);
    return name === 'length' ? 0.5 : this.#garbage; // not one that takes all memory
  }

  /** Whether an allocation may be refused now. */
  get isShort() {
    return this.#memory !== 'usual' || this.#core.isLent;
  }

  /** Calls the package, and returns `{result}` or `{error}`: only the package's own errors, and nothing printed. */
  attempt(name, call, { letsThrough = () => false } = {}) {
    if (this.#depth > 0) return this.#attemptOnce(name, call, letsThrough);
    const { choices } = this;
    const polluted = choices.below(16) === 0 ? choices.pick(POLLUTED) : null;
    const memory = this.#memory === 'refused' ? choices.byte() : null;
    const pollutes = polluted === null ? () => {} : pollute.bind(null, polluted, choices.pick(GARBAGE));
    if (memory === null) {
      pollutes();
      return this.#attemptOnce(name, call, letsThrough);
    }
    // So many allocations succeed. Often tried with fewer first, so that each of them is refused once; and twice, since
    // the second call finds the plan that the first one made.
    const most = memory % 16;
    for (let tries = memory < 128 ? 2 * most : 0; ; ++tries) {
      const allocations = tries >> 1;
      pollutes();
      this.#core.refuseAfter(allocations);
      const outcome = this.#attemptOnce(name, call, letsThrough);
      if (allocations === most || outcome.error?.code !== 'allocation') return outcome;
    }
  }

  #attemptOnce(name, call, letsThrough) {
    const before = this.#reads;
    this.#reads = new Map();
    ++this.#depth;
    try {
      const result = call();
      if (this.#fault !== null) throw this.#fault;
      this.keep(result);
      this.choices.note(`${name} gives`);
      return { result };
    } catch (error) {
      if (this.#fault !== null) throw this.#fault; // even if something has caught it
      if (letsThrough(error)) return { error: null };
      this.#judge(name, error);
      this.choices.note(`${name} throws ${error.code}`);
      return { error };
    } finally {
      --this.#depth;
      this.#reads = before;
      if (this.#depth === 0) {
        clean();
        if (this.#memory === 'refused') this.#core.refuseAfter(-1);
      }
    }
  }

  /** Records an error. */
  fail(message) {
    throw (this.#fault ??= new Fault(message));
  }

  #judge(name, error) {
    const told = tell(error);
    let isOurs = false;
    try {
      isOurs = error instanceof (name === 'formatNpy' ? NpyError : BroadcastError) && error.stack !== undefined;
      isOurs &&= Object.getPrototypeOf(error).constructor !== Own;
    } catch {
      // An object with hostile getters is not one of the package's errors.
    }
    if (!isOurs) this.fail(`${name} throws ${told}`);
    const codes = name === 'formatNpy' ? NPY_CODES : CODES;
    if (!codes.has(error.code)) this.fail(`${name} throws the code ${error.code}: ${told}`);
    const { message } = error;
    if (typeof message !== 'string' || !/\S/.test(message) || message.length > 2000) {
      this.fail(`${name} throws a message that nobody can read: ${told.slice(0, 300)}`);
    }
    if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(message)) {
      this.fail(`${name} throws a message with control characters: ${JSON.stringify(message)}`);
    }
    if (!message.includes(OWN_TEXT)) return;
    let cause = error;
    while (cause !== undefined && !thrown.has(cause)) cause = cause?.cause;
    if (cause === undefined) this.fail(`${name} loses the cause of: ${message}`);
  }

  /** Remembers an object that must be disposed of. */
  keep(result) {
    if (Array.isArray(result)) for (const one of result) this.keep(one);
    else if (Tensor.prototype.isPrototypeOf(result)) {
      if (!this.tensors.some(({ tensor }) => tensor === result)) this.tensors.push({ tensor: result, values: null });
    } else if (Plan.prototype.isPrototypeOf(result)) this.plans.push(result);
  }

  /** The tensor's contents are no longer known. */
  forget(tensor) {
    for (const known of this.tensors) if (known.tensor === tensor) known.values = null;
  }

  /** A tensor of an operand; null if memory is refused. */
  tensorOf({ dtype, shape, values }) {
    const array = { data: TYPES[dtype].from(values), shape, dtype };
    const outcome = this.attempt('tensor', () => this.bl.tensor(array));
    if (outcome.error !== undefined) {
      if (outcome.error.code !== 'allocation' || !this.isShort) this.fail(`tensor throws ${outcome.error}`);
      return { tensor: null };
    }
    const known = this.tensors.find(({ tensor }) => tensor === outcome.result);
    Object.assign(known, { values, dtype, shape });
    return known;
  }

  /** Whether a typed array is in the module's own memory. */
  isModules(data) {
    return bufferOf.call(data) === this.#core.views.Uint8Array.buffer;
  }

  /** A call within a call, which must be right. */
  callWithin() {
    const { result, error } = this.attempt('add', () => this.bl.add(new Other([1, 2, 3]), [[1], [2]]));
    if (error !== undefined) {
      if (error.code === 'allocation' && this.isShort) return;
      this.fail(`add within another call throws ${error}`);
    }
    if (String(result.data) !== '2,3,4,3,4,5') this.fail(`add within another call gives ${result.data}`);
  }

  end() {
    for (const { tensor } of this.tensors) tensor.dispose();
    for (const plan of this.plans) plan.dispose();
    const { data } = this.bl.add([1, 2], [3]);
    if (data.length !== 2 || data[0] !== 4 || data[1] !== 5) this.fail(`afterwards [1, 2] + [3] gives ${data}`);
    const { held, tensors, bytes } = this.bl.memory();
    if (held !== 0 || tensors !== 0) this.fail(`${tensors} tensors of ${held} bytes are left`);
    for (const kind of ['memory', 'boxes', 'sums']) {
      if (books[kind].size > 0) this.fail(`${books[kind].size} pieces are left: ${kind}`);
    }
    if (books.plans.size !== books.kept.size) {
      this.fail(`${books.plans.size} plans are held, of which ${books.kept.size} are kept for calls alike`);
    }
    if (bytes > MOST_BYTES) this.fail(`the module has taken ${bytes} bytes`);
  }
}

/** An array as an instance of a class. */
class Other {
  #values;
  constructor(values) {
    this.#values = values;
  }
  get data() {
    return Float32Array.from(this.#values);
  }
  get shape() {
    return [this.#values.length];
  }
}

const GARBAGE = [undefined, -1, 1e9, null, 'x', [], [7], {}, true, 5];

const polluting = new Set();

function pollute(name, value) {
  polluting.add(name);
  Object.defineProperty(Object.prototype, name, { value, configurable: true, enumerable: false, writable: true });
}

function clean() {
  for (const name of polluting) delete Object.prototype[name];
  polluting.clear();
}

/** What callbacks have thrown during the call. */
const thrown = new Set();

/** What callbacks do. All but the last two change what the call means. */
const HARM = {
  throw(world) {
    world.isDisturbed = true;
    const error = world.choices.pick(THROWN)();
    thrown.add(error);
    throw error;
  },
  detach(world) {
    world.isDisturbed = true;
    const buffer = world.choices.pick(world.buffers.length > 0 ? world.buffers : [null]);
    if (buffer instanceof ArrayBuffer) structuredClone(buffer, { transfer: [buffer] });
  },
  resize(world) {
    world.isDisturbed = true;
    for (const buffer of world.buffers) {
      if (buffer.resizable) buffer.resize(world.choices.below(buffer.maxByteLength + 1));
      if (buffer.growable) buffer.grow(buffer.maxByteLength);
    }
  },
  dispose(world) {
    world.isDisturbed = true;
    if (world.tensors.length > 0) world.choices.pick(world.tensors).tensor.dispose();
    if (world.choices.flag()) for (const plan of world.plans) plan.dispose();
  },
  pollute(world) {
    world.isDisturbed = true;
    pollute(world.choices.pick(POLLUTED), world.choices.pick(GARBAGE));
  },
  call(world) {
    world.callWithin();
  },
  grow(world) {
    const length = 1 << (10 + world.choices.below(10));
    world.attempt('tensor', () => world.bl.tensor({ data: new Uint8Array(length), shape: [length] }));
  },
};

/** Any error on one line. */
function tell(error) {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}\n${error.stack}` : typeof error;
  } catch {
    return `a ${typeof error} that cannot be told`;
  }
}
