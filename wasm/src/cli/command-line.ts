import { Failure } from './failure.js';

/** The arguments, sorted into operands and options. Values are still the strings that were typed. */
export interface CommandLine {
  /** Shapes, and names of `.npy` files. */
  readonly operands: readonly string[];
  readonly rule?: string;
  readonly axis?: string;
  readonly target?: string;
  readonly mapping?: string;
  readonly op?: string;
  /** The files for the results, one for each. */
  readonly output: readonly string[];
  readonly fmod?: string;
  readonly direction?: string;
  readonly to?: string;
  readonly saturate: boolean;
  readonly all: boolean;
  readonly json: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

type Valued = 'rule' | 'axis' | 'target' | 'mapping' | 'op' | 'output' | 'fmod' | 'direction' | 'to';
type Flag = 'saturate' | 'all' | 'json' | 'help' | 'version';

const VALUED: readonly Valued[] = ['rule', 'axis', 'target', 'mapping', 'op', 'output', 'fmod', 'direction', 'to'];
const FLAGS: readonly Flag[] = ['saturate', 'all', 'json', 'help', 'version'];
const SHORT: { readonly [letter: string]: Valued | Flag } = { '-o': 'output', '-h': 'help', '-v': 'version' };

/**
 * Sorts the arguments into options and operands. Node's `parseArgs` would read the -1 of `--axis -1`, and a shape like
 * `-1,2`, as options.
 *
 * @throws Failure where an option is unknown, lacks its value, has one too many or is given twice.
 */
export function readCommandLine(args: readonly string[]): CommandLine {
  const operands: string[] = [];
  const output: string[] = [];
  const values = new Map<Valued, string>();
  const flags = new Set<Flag>();

  const rest = [...args];
  const take = (name: Valued, given: string, attached: string | undefined) => {
    const value = attached ?? rest.shift();
    const isMissing =
      value === undefined || (attached === undefined && isOption(value)) || (name === 'output' && value === '');
    if (isMissing) throw new Failure(`${given} needs a value. ${SEE_HELP}`);
    if (name === 'output') output.push(value);
    else if (values.has(name)) throw new Failure(`${given} is given twice.`);
    else values.set(name, value);
  };

  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') {
      operands.push(...rest.splice(0));
    } else if (!isOption(arg)) {
      operands.push(arg);
    } else {
      const [, given = arg, attached] = /^(--[^=]*)=([^]*)$/.exec(arg) ?? [];
      const name = SHORT[given] ?? given.slice(2);
      if (VALUED.includes(name as Valued)) {
        take(name as Valued, given, attached);
      } else if (!FLAGS.includes(name as Flag)) {
        throw new Failure(`There is no option ${JSON.stringify(given)}. ${SEE_HELP}`);
      } else if (attached !== undefined) {
        throw new Failure(`${given} takes no value.`);
      } else {
        flags.add(name as Flag);
      }
    }
  }
  return { ...Object.fromEntries(values), operands, output, ...asked(flags) };
}

const SEE_HELP = 'broadloom --help lists the options.';

/** A dash before a digit begins a negative number: the rules report it. */
function isOption(arg: string): boolean {
  return /^-[^\d]/.test(arg);
}

function asked(flags: ReadonlySet<Flag>) {
  return Object.fromEntries(FLAGS.map((flag) => [flag, flags.has(flag)])) as { [name in Flag]: boolean };
}
