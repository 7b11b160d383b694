/** The entry for an operand, in a list of a vocabulary's row; operands after the last entry are like it. */
export const entryFor = <T>(list: readonly T[], operand: number): T | undefined =>
  list[Math.min(operand, list.length - 1)];
