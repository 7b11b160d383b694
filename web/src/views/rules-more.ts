// What there is to say about rules besides the choice, in one file: it is loaded when one asks.

export { OtherRules } from './other-rules';
export { RuleNotes } from './rule-notes';
export { RulesTable } from './rules-table';
