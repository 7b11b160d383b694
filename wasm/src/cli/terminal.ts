import { styleText } from 'node:util';

/** The style of a text on terminals with colours. No information is given by the style alone. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** The terminal, pipe or file that the output is written to. */
export interface Terminal {
  /** The width of tables, in characters. */
  readonly columns: number;
  /** The lines between a table's cells. */
  readonly rules: { readonly vertical: string; readonly horizontal: string; readonly crossing: string };
  paint(style: Style, text: string): string;
}

const BOX = { vertical: '│', horizontal: '─', crossing: '┼' } as const;
const ASCII = { vertical: '|', horizontal: '-', crossing: '+' } as const;

/** Tables are at least this wide: a narrower one is unreadable. */
const LEAST_COLUMNS = 40;

interface Environment {
  readonly env: { readonly [name: string]: string | undefined };
  readonly platform: string;
  readonly stdout: { readonly isTTY?: boolean; readonly columns?: number };
}

/** Colours and box-drawing characters for terminals that support them; ASCII and 80 columns for pipes and files. */
export function readTerminal({ env, platform, stdout }: Environment): Terminal {
  const isTerminal = stdout.isTTY === true;
  const hasColours = wantsColours(env, isTerminal);
  return {
    columns: isTerminal && stdout.columns ? Math.max(stdout.columns, LEAST_COLUMNS) : 80,
    rules: isTerminal && isUtf8(env, platform) ? BOX : ASCII,
    // Without validateStream: false Node would decide for itself whether to use colours.
    paint: (style, text) => (hasColours ? styleText(style, text, { validateStream: false }) : text),
  };
}

// FORCE_COLOR overrides NO_COLOR, as in Node.
function wantsColours(env: Environment['env'], isTerminal: boolean): boolean {
  const { FORCE_COLOR: forced } = env;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env['NO_COLOR']) return false;
  return isTerminal && env['TERM'] !== 'dumb';
}

function isUtf8(env: Environment['env'], platform: string): boolean {
  if (platform === 'win32') return env['WT_SESSION'] !== undefined; // the older console does not use UTF-8
  return /utf-?8/i.test(env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '');
}
