// What there is to say about rules besides the choice, in one file: it is loaded when one asks, or when shapes do not fit.

export { Repairs } from './repairs';
export { RuleNotes } from './rule-notes';
export { RulesTable } from './rules-table';
