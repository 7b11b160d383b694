// The messages between a document and the page in its frame: plain objects, checked field by field. Pure; embed-host.ts sends
// and receives them.
//
//   to the frame    { to: 'broadloom', type: 'set', state, id? }   a fragment, or its keys as an object
//                   { to: 'broadloom', type: 'ask', id? }
//   from the frame  { from: 'broadloom', version: 1, type: 'ready' | 'height' | 'change' | 'answer' | 'refused', … }

import { answerAlt, reasonText } from '../export/sentences';
import type { Model } from '../model/model';
import { fromFragment, type State, toFragment } from '../state/state';

export type Id = string | number | null;

export type HostRequest =
  | { readonly type: 'set'; readonly id: Id; readonly state: State }
  | { readonly type: 'ask'; readonly id: Id }
  | { readonly type: 'refused'; readonly id: Id; readonly reason: string };

/** Longer states are refused. */
const longest = 100_000;
const mostKeys = 64;
const mostItems = 1000;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPlain = (value: unknown): value is string | number => typeof value === 'string' || Number.isFinite(value);

/** Escapes a value for a field of a fragment, and for an item of a list in it. */
const field = (value: string | number): string => encodeURIComponent(wellFormed(String(value))).replace(/%2C/g, ',');
const item = (value: string | number): string => encodeURIComponent(wellFormed(String(value)));
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

/** Keys that occur once for each operand; all others occur once. */
const repeated = ['in', 'x'];

/** A shape may be a list of extents: [2, 3] is "(2,3)". */
function operandField(value: unknown): string | null {
  if (isPlain(value)) return field(value);
  return Array.isArray(value) && value.length <= mostItems && value.every(isPlain)
    ? field(`(${value.join(',')})`)
    : null;
}

/**
 * The fragment that an object means, which has a fragment's keys: lists are lists, numbers are numbers.
 *
 * @example
 * fragmentOf({ rule: 'numpy', op: 'Add', in: ['(4, 1)', [6]], at: [1, 2] });
 * // v=1&rule=numpy&op=Add&in=(4%2C1)&…
 */
export function fragmentOf(given: Readonly<Record<string, unknown>>): string | null {
  const parts = ['v=1'];
  const entries = Object.entries(given);
  if (entries.length > mostKeys) return null;
  for (const [key, value] of entries) {
    if (key === 'v') {
      if (String(value) !== '1') return null;
      continue;
    }
    if (!/^[a-z]{1,16}$/.test(key) || value === null || value === undefined) return null;
    if (repeated.includes(key)) {
      if (!Array.isArray(value) || value.length > mostItems) return null;
      for (const each of value) {
        const text = operandField(each);
        if (text === null) return null;
        parts.push(`${key}=${text}`);
      }
    } else if (Array.isArray(value)) {
      if (value.length > mostItems || !value.every(isPlain)) return null;
      parts.push(`${key}=${value.map(item).join(',')}`);
    } else if (isPlain(value)) parts.push(`${key}=${field(value)}`);
    else return null;
  }
  return parts.join('&');
}

function stateOf(given: unknown): State | null {
  const fragment = typeof given === 'string' ? given : isRecord(given) ? fragmentOf(given) : null;
  return fragment !== null && fragment.length <= longest ? fromFragment(fragment) : null;
}

/** Reads a message; null if it is not meant for this page. */
export function readRequest(data: unknown): HostRequest | null {
  if (!isRecord(data) || data['to'] !== 'broadloom') return null;
  const given = data['id'] ?? null;
  if (given !== null && !(isPlain(given) && String(given).length <= 100)) return null;
  const id = given;
  if (data['type'] === 'ask') return { type: 'ask', id };
  if (data['type'] !== 'set') return null;
  const state = stateOf(data['state']);
  return state
    ? { type: 'set', id, state }
    : {
        type: 'refused',
        id,
        reason: 'The state is neither a fragment that begins with v=1 nor an object with its keys.',
      };
}

/** The answer as texts and numbers: whether the shapes fit, the result's shape, and why. */
export function answerOf(model: Model): Readonly<Record<string, unknown>> {
  const { failure, alignment, symbolic } = model;
  return {
    // With unknown extents: whether the shapes fit whatever these are.
    fits: symbolic ? symbolic.fit === 'always' : failure === null,
    shape:
      failure || !alignment
        ? null
        : alignment.output.map((extent) => (typeof extent === 'bigint' ? String(extent) : extent)),
    error: symbolic ? null : (failure?.class ?? null),
    verdict: reasonText(model),
    alt: answerAlt(model),
    fragment: toFragment(model.state),
  };
}
