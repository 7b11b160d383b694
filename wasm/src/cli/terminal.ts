import { styleText } from 'node:util';

/** How a piece of text looks where there are colours. What it says does not depend on it. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** What the output goes to. */
export interface Terminal {
  /** The width that tables keep to. */
  readonly columns: number;
  /** The lines between a table's cells. */
  readonly rules: { readonly vertical: string; readonly horizontal: string; readonly crossing: string };
  paint(style: Style, text: string): string;
}

const BOX = { vertical: '│', horizontal: '─', crossing: '┼' } as const;
const ASCII = { vertical: '|', horizontal: '-', crossing: '+' } as const;

/** Narrower than this a table helps nobody. */
const LEAST_COLUMNS = 40;

interface Environment {
  readonly env: { readonly [name: string]: string | undefined };
  readonly platform: string;
  readonly stdout: { readonly isTTY?: boolean; readonly columns?: number };
}

/** Colours and box characters for terminals that have them; plain ASCII in 80 columns for pipes and files. */
export function readTerminal({ env, platform, stdout }: Environment): Terminal {
  const isTerminal = stdout.isTTY === true;
  const hasColours = wantsColours(env, isTerminal);
  return {
    columns: isTerminal && stdout.columns ? Math.max(stdout.columns, LEAST_COLUMNS) : 80,
    rules: isTerminal && isUtf8(env, platform) ? BOX : ASCII,
    // Node would judge by the stream whether to colour at all; that was decided here.
    paint: (style, text) => (hasColours ? styleText(style, text, { validateStream: false }) : text),
  };
}

// FORCE_COLOR goes before NO_COLOR, as it does in Node.
function wantsColours(env: Environment['env'], isTerminal: boolean): boolean {
  const { FORCE_COLOR: forced } = env;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env['NO_COLOR']) return false;
  return isTerminal && env['TERM'] !== 'dumb';
}

function isUtf8(env: Environment['env'], platform: string): boolean {
  if (platform === 'win32') return env['WT_SESSION'] !== undefined; // the old console has code pages
  return /utf-?8/i.test(env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '');
}
