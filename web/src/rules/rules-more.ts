// The parts about rules besides their choice, in one file that is loaded when the first one is opened or shapes do not fit.

export { Proposals } from './proposals';
export { Repairs } from './repairs';
export { RuleNotes } from './rule-notes';
export { RulesTable } from './rules-table';
