// The texts of the clauses named below the alignment, for users who cannot hover over their names.

import { Fragment } from 'preact';
import { useEngine } from '../context/context';
import { capital, Words } from '../components/words';

export function ClauseTexts({ names }: { names: readonly string[] }) {
  const core = useEngine();
  return (
    <details class="sources">
      <summary id="sources">What the documents say</summary>
      <dl>
        {names.map((name, i) => {
          const clause = core.vocabulary.clauses.get(name);
          return (
            <Fragment key={i}>
              <dt>{name}</dt>
              <dd>
                {clause && (
                  <>
                    <Words text={capital(clause.text)} />. <cite>{core.vocabulary.documents.get(clause.document)}</cite>
                    , {clause.place}
                  </>
                )}
              </dd>
            </Fragment>
          );
        })}
      </dl>
    </details>
  );
}
