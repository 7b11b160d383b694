// The page without its views, as one module for tests in Node.

export { cellText, drawnAxes } from '../../web/src/model/drawn-axes';
export { answerOf } from '../../web/src/embed/embed-messages';
export { loadEngine } from '../../web/src/engine/engine';
export { markdown } from '../../web/src/export/markdown';
export { alignmentTexts } from '../../web/src/export/alignment-texts';
export { alignmentAlt } from '../../web/src/export/sentences';
export { compute } from '../../web/src/model/model';
export { ownRepairs } from '../../web/src/rules/own-repairs';
export { coreRepairs } from '../../web/src/rules/core-repairs';
export { compareRules, takersOf, takersText } from '../../web/src/rules/compared';
export { citedBy, comparisonCsv, comparisonMarkdown } from '../../web/src/rules/comparison-texts';
export { proposalsFor } from '../../web/src/rules/proposed';
export { guides, referenceOf, systems, usedAs } from '../../web/src/rules/references';
export { hasWords, sectionsOf, tagsOf } from '../../web/src/gallery/examples';
export { fromFragment, sameQuestion, toFragment } from '../../web/src/state/state';
