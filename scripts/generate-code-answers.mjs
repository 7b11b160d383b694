// Writes tests/unit/code_answers.txt: every question of tests/code/cases.mjs, and a hash of its text or reason in every
// system, as the package gives them. The native tests compare the native library with it; tests/code runs the texts.
//
// npm run build -- package && node scripts/generate-code-answers.mjs
import { writeFileSync } from 'node:fs';
import { codeAnswers } from '../tests/code/questions.mjs';
import { inRoot } from './paths.mjs';

writeFileSync(inRoot('tests/unit/code_answers.txt'), codeAnswers());
