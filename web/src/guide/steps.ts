// The guide's steps in their order: the example of each, how much of its picture is shown, and what is said. Which guess is right
// is the core's answer, not written here.

import type { Example } from '../gallery/example';

/** How much of an alignment is drawn. */
export interface Look {
  /** Whether the operands' axes lie under the axes of the result; else each shape is written from the left. */
  readonly aligned: boolean;
  /** Whether axes that an operand lacks are drawn as 1. */
  readonly counted: boolean;
  /** So many axes, from the last one on, are compared: equal, stretched or clashing. */
  readonly compared: number;
  /** Whether the result is shown. */
  readonly answered: boolean;
  /** The axis of the result that the sentence is about; it is marked. */
  readonly axis?: number;
}

/** A guess to pick: the shape of the result, or another question, which is right if its shapes fit. */
export interface Choice {
  readonly text: string;
  readonly example?: Example;
  /** What is said to this guess. */
  readonly says: string;
}

/** What the reader is asked. The answer is hidden until it is guessed, or asked for. */
export interface Guess {
  readonly asks: string;
  readonly choices: readonly Choice[];
}

export interface Step {
  readonly name: string;
  readonly title: string;
  /** At most two sentences; `{axis}` is a term that is explained, `axis` between backquotes is code. */
  readonly says: string;
  readonly example: Example;
  /** What is drawn at first; after a right guess, and for one with an example of its own, it is everything. */
  readonly look: Look;
  readonly guess?: Guess;
}

const example = (shapes: readonly string[], more: Partial<Example> = {}): Example => ({
  id: shapes.join(' '),
  rule: 'numpy',
  shapes,
  look: '',
  ...more,
});

const columnAndRow = example(['(4, 1)', '(6,)'], { at: [1, 2] });
const clashing = example(['(2, 3)', '(2,)'], { at: [1, 2] });
const repaired = example(['(2, 3)', '(2, 1)'], { at: [1, 2] });
const from = (axis: string): Example => ({ ...clashing, rule: 'pdpd', axis });

/** The example that the end of the guide offers as a question on the page. */
export const lastExample = from('0');

const everything: Look = { aligned: true, counted: true, compared: Infinity, answered: true };
const asWritten: Look = { aligned: false, counted: false, compared: 0, answered: false };
const lastAxis: Look = { aligned: true, counted: true, compared: 1, answered: false };

/** What is drawn after a guess. */
export const answered = everything;

export const steps: readonly Step[] = [
  {
    name: 'shapes',
    title: 'Two shapes',
    says: 'A {shape} counts the cells along each {axis}: A, (4, 1), has 4 rows of 1 cell; B, (6,), has one axis of 6 cells. {Broadcasting|broadcasting} makes A + B work by repeating cells.',
    example: columnAndRow,
    look: asWritten,
  },
  {
    name: 'align',
    title: 'Line the shapes up at the right',
    says: 'NumPy’s rule compares shapes from the right: last axis under last axis. B’s 6 now stands under A’s 1.',
    example: columnAndRow,
    look: { aligned: true, counted: false, compared: 0, answered: false, axis: 1 },
  },
  {
    name: 'missing',
    title: 'A missing axis counts as 1',
    says: 'B’s {rank}, its number of axes, is 1, and A’s is 2: B has nothing under A’s 4. A missing axis counts as 1, so B is 1 row of 6.',
    example: columnAndRow,
    look: { aligned: true, counted: true, compared: 0, answered: false, axis: 0 },
  },
  {
    name: 'stretch',
    title: 'A 1 stretches',
    says: 'On each axis the two {extents|extent} must be equal, or one of them 1: the 1 {stretches|repeat, stretch} to the other. A’s 1 meets B’s 6, so each cell of A is used 6 times, once for each column.',
    example: columnAndRow,
    look: { ...lastAxis, axis: 1 },
  },
  {
    name: 'result',
    title: 'Your guess',
    says: 'Axis 0 follows the same rule: A’s 4 meets the axis that B lacks.',
    example: columnAndRow,
    look: { ...lastAxis, axis: 0 },
    guess: {
      asks: 'Which shape does A + B have?',
      choices: [
        {
          text: '(4, 1)',
          says: 'Axis 1 of the result is not 1: A’s 1 has stretched to B’s 6.',
        },
        {
          text: '(4, 6)',
          says: 'B’s missing axis stretches from 1 to 4, A’s 1 to 6. Each cell of the result adds the A of its row and the B of its column.',
        },
        {
          text: '(4, 7)',
          says: 'Extents are not added: on axis 1, A’s 1 stretches to B’s 6.',
        },
      ],
    },
  },
  {
    name: 'clash',
    title: 'A clash',
    says: 'Now A is (2, 3) and B is (2,). Lined up at the right, B’s 2 meets A’s 3: they differ and neither is 1, so the shapes clash.',
    example: clashing,
    look: { ...everything, axis: 1 },
  },
  {
    name: 'repair',
    title: 'One repair',
    says: 'Say B holds one value for each of A’s 2 rows: then its 2 belongs under A’s 2.',
    example: clashing,
    look: everything,
    guess: {
      asks: 'Which shape of B fits A?',
      choices: [
        {
          text: '(1, 2)',
          example: example(['(2, 3)', '(1, 2)']),
          says: 'A 1 in front changes nothing: a missing axis counts as 1 anyway, and the 2 still meets A’s 3.',
        },
        {
          text: '(2, 1)',
          example: repaired,
          says: 'The 2 meets A’s 2, and the new 1 stretches to 3. In NumPy that is `b[:, None]` or `b.reshape(2, 1)`.',
        },
        {
          text: '(2, 2)',
          example: example(['(2, 3)', '(2, 2)']),
          says: 'Its last extent is still 2, under A’s 3.',
        },
      ],
    },
  },
  {
    name: 'rules',
    title: 'Another rule',
    says: 'PDPD, the rule of PaddlePaddle, does not have to line up at the right. It takes a number named {axis|axis of PDPD}: B’s first axis goes under that axis of A, and -1 means at the right.',
    example: clashing,
    look: asWritten,
    guess: {
      asks: 'With which axis does B, still (2,), fit A, (2, 3)?',
      choices: [
        {
          text: 'axis = 0',
          example: from('0'),
          says: 'B’s 2 lies under A’s axis 0, which is 2. The same two shapes clash in NumPy and fit here.',
        },
        {
          text: 'axis = 1',
          example: from('1'),
          says: 'B’s 2 lies under A’s axis 1, which is 3, as in NumPy.',
        },
        {
          text: 'axis = -1',
          example: from('-1'),
          says: '-1, the default, lines up at the right, as NumPy does: the 2 meets A’s 3.',
        },
      ],
    },
  },
];
