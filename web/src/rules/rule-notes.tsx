// Notes about a rule: what it takes, what its document says, and where systems differ from it.

import { useMemo } from 'preact/hooks';
import { useEngine } from '../context/context';
import type { Engine, RuleEntry } from '../engine/engine';
import './rule-notes.css';
import { Term } from '../components/term';
import { capital, Words } from '../components/words';
import type { TermName } from '../components/terms';
import { divergencesOf } from './compared';
import { addressOf, guides, referenceOf } from './references';

const placements: Readonly<Record<RuleEntry['placement'], string>> = {
  right: 'lined up at the right',
  axis: 'from `axis` on',
  mapping: 'where `axes_mapping` says',
};

function operandsTaken({ leastOperands: least, mostOperands: most, takesTarget }: RuleEntry): string {
  const number = most === null ? `${least} or more` : least === most ? String(least) : `${least} to ${most}`;
  return takesTarget ? `${number}, and a target shape` : number;
}

/** The clauses of a rule: those that cells and errors name, those of its section in the document, and those of its fields. */
export function clausesOf(core: Engine, rule: RuleEntry): readonly string[] {
  const named: ReadonlySet<string> = new Set(Object.values(rule.clauses));
  return [...core.vocabulary.clauses.keys()].filter(
    (name) =>
      named.has(name) ||
      name.startsWith(`${rule.name}.`) ||
      (rule.takesTarget && named.size < 3 && name.endsWith('.target_shape')) ||
      (rule.takesMapping && name.endsWith('.axes_mapping')),
  );
}

export function RuleNotes({ rule }: { rule: RuleEntry }) {
  const core = useEngine();
  const clauses = clausesOf(core, rule);
  const fields = [
    ...(rule.takesAxis ? ['`axis`'] : []),
    ...(rule.takesTarget ? ['target shape'] : []),
    ...(rule.takesMapping ? ['`axes_mapping`'] : []),
  ];
  const all = useMemo(() => divergencesOf(core), [core]);
  const elsewhere = all.filter(({ message, clauses: some }) => message && some.some((one) => clauses.includes(one)));
  const ops = core.opsFor(rule.name);
  const facts: readonly (readonly [what: string, says: string, term?: TermName])[] = [
    ['operands', operandsTaken(rule), 'operand'],
    ['placed', placements[rule.placement]],
    ['stretches', rule.stretches ? 'axes of extent 1, and missing axes' : 'nothing', 'repeat, stretch'],
    ['fields', fields.join(', ') || 'none'],
    ['operators', ops.length > 3 ? `${ops.length}, as ${ops[0]?.name}` : ops.map(({ name }) => name).join(', ')],
  ];
  const guide = guides[rule.name];
  let document = ''; // of the clause before
  return (
    <div class="rule-notes">
      <dl class="facts">
        {facts.map(([what, says, term]) => (
          <>
            <dt key={what}>{term ? <Term of={term}>{what}</Term> : what}</dt>
            <dd key={`${what} is`}>
              <Words text={says} />
            </dd>
          </>
        ))}
      </dl>
      {clauses.map((name) => {
        const clause = core.vocabulary.clauses.get(name);
        if (!clause) return null;
        const title = clause.document === document ? '' : core.vocabulary.documents.get(clause.document);
        document = clause.document;
        const { place, address } = referenceOf(clause);
        return (
          <>
            {title && (
              <p class="from" key={title}>
                <a href={addressOf(clause.document)} rel="noopener" target="_blank">
                  <cite>{title}</cite>
                </a>
              </p>
            )}
            <p key={name}>
              <a href={address} rel="noopener" target="_blank" title={name}>
                {place}
              </a>{' '}
              <Words text={capital(clause.text)} />.
            </p>
          </>
        );
      })}
      {guide && (
        <p class="from">
          See also{' '}
          <a href={guide.address} rel="noopener" target="_blank">
            {guide.title}
          </a>
        </p>
      )}
      {elsewhere.length > 0 && (
        <>
          <p class="from">Other systems</p>
          {elsewhere.map(({ title, message }) => (
            <p key={title}>
              <b>{capital(title)}.</b> {message}
            </p>
          ))}
        </>
      )}
    </div>
  );
}
