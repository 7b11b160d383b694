import { nearest } from '../values/nearest.js';
import { Failure } from './failure.js';

/** The arguments, sorted into operands and options. Values are still the strings that were typed. */
export interface CommandLine {
  /** The first word, where it is the name of a command. */
  readonly command: Command | null;
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
  /** Whether an error text comes in on standard input. */
  readonly paste: boolean;
  /** Kinds of warnings that are meant, separated by commas. */
  readonly expect?: string;
  /** The system for which lines of code are printed. */
  readonly system?: string;
  /** Where the playground is: answers have a link. */
  readonly link?: string;
  /** Whether axes are matched by name, in place of a rule. */
  readonly byName: boolean;
  readonly json: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

type Command = 'explain' | 'audit';
type Valued =
  'rule' | 'axis' | 'target' | 'mapping' | 'op' | 'output' | 'fmod' | 'direction' | 'to' | 'expect' | 'system' | 'link';
type Flag = 'saturate' | 'all' | 'paste' | 'by-name' | 'json' | 'help' | 'version';

const COMMANDS: readonly Command[] = ['explain', 'audit'];
const VALUED: readonly Valued[] = [
  'rule',
  'axis',
  'target',
  'mapping',
  'op',
  'output',
  'fmod',
  'direction',
  'to',
  'expect',
  'system',
  'link',
];
const FLAGS: readonly Flag[] = ['saturate', 'all', 'paste', 'by-name', 'json', 'help', 'version'];
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
        const near = nearest(name, [...VALUED, ...FLAGS]).map((each) => `--${each}`);
        throw new Failure(`There is no option ${JSON.stringify(given)}.${meant(near)} ${SEE_HELP}`);
      } else if (attached !== undefined) {
        throw new Failure(`${given} takes no value.`);
      } else {
        flags.add(name as Flag);
      }
    }
  }
  const command = COMMANDS.find((name) => name === operands[0]) ?? null;
  if (command !== null) operands.shift();
  const { 'by-name': byName, ...asked } = flagged(flags);
  return { ...Object.fromEntries(values), command, operands, output, ...asked, byName };
}

const SEE_HELP = 'broadloom --help lists the options.';

/** A dash before a digit begins a negative number: the rules report it. */
function isOption(arg: string): boolean {
  return /^-[^\d]/.test(arg);
}

/** The names that were probably meant, at the end of a message. */
export function meant(near: readonly string[]): string {
  return near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
}

function flagged(flags: ReadonlySet<Flag>) {
  return Object.fromEntries(FLAGS.map((flag) => [flag, flags.has(flag)])) as { [name in Flag]: boolean };
}
