// What the clauses below the alignment say: for everyone who cannot hover.

import { Fragment } from 'preact';
import type { Engine } from '../engine/engine';
import { capital, Words } from '../parts/words';

export function Sources({ core, names }: { core: Engine; names: readonly string[] }) {
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
