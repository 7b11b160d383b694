// The axes of a question, as many as have been shown, with the learner's prediction beside the result.

import { useEngine } from '../context/context';
import { type AlignedAxis, type AlignedCell, type Extent, targetOperand } from '../engine/engine';
import { faultsIn, placingField } from './field-faults';
import type { Judgement, Prediction } from './judge';
import type { Question } from './questions';
import { Chip, hueOf } from '../components/chip';
import { Scroll } from '../components/scroll';
import { Words } from '../components/words';

interface Props {
  question: Question;
  /** The number of axes that are shown, the last ones first. */
  shown: number;
  /** Null until there is a prediction: until then the result is not shown. */
  said: { readonly prediction: Prediction; readonly judgement: Judgement } | null;
}

export function AxesTable({ question, shown, said }: Props) {
  const core = useEngine();
  const { alignment, shapes, targetShape } = question;
  const { axes, failure } = alignment;
  // Something else than extents is wrong: no axis has a result.
  const refused = failure !== null && failure.class !== 'incompatible';
  const open = (axis: number): boolean => axis >= axes.length - shown;
  const rows = [
    ...shapes.map((_, operand) => ({ operand, cell: (axis: AlignedAxis) => axis.cells[operand] ?? null })),
    ...(targetShape ? [{ operand: targetOperand, cell: (axis: AlignedAxis) => axis.target }] : []),
  ];
  if (axes.length === 0) return null;
  return (
    <Scroll label="The axes, scrolling">
      <table class="axes-table">
        <thead>
          <tr>
            <td />
            {axes.map(({ axis }) => (
              <th key={axis} scope="col">
                {`axis ${axis}`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ operand, cell }) => (
            <tr key={operand}>
              <th scope="row">
                <Chip operand={operand}>{operand === targetOperand ? 'to' : core.operandName(operand)}</Chip>
              </th>
              {axes.map((axis) => (
                <td key={axis.axis}>{open(axis.axis) && <Cell cell={cell(axis)} hue={hueOf(operand)} />}</td>
              ))}
            </tr>
          ))}
          {said && !refused && (
            <tr class="comes-out">
              <th scope="row">result</th>
              {axes.map(({ axis, extent, conflict }) => (
                <td key={axis}>
                  <span class={conflict ? 'open' : 'extent'}>{conflict ? 'clash' : String(extent)}</span>
                </td>
              ))}
            </tr>
          )}
          {said && (
            <tr class="you-said">
              <th scope="row">you said</th>
              <Said {...said} question={question} />
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">why</th>
            {axes.map((axis) => (
              <td key={axis.axis} class={axis.conflict && open(axis.axis) ? 'clash' : ''}>
                {open(axis.axis) ? <Words text={axis.why} /> : <span class="note">not shown yet</span>}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </Scroll>
  );
}

function Cell({ cell, hue }: { cell: AlignedCell | null; hue: string }) {
  if (!cell) return null;
  const { relation, sourceAxis, extent } = cell;
  return (
    <span class={`cell ${relation} ${hue}`} data-relation={relation}>
      {sourceAxis === null ? <span class="lacks">no axis</span> : String(extent)}
      {relation === 'conflict' && <span class="unseen">, clashes</span>}
    </span>
  );
}

/** The prediction, below the axes that it is about. */
function Said({
  prediction,
  judgement,
  question,
}: {
  prediction: Prediction;
  judgement: Judgement;
  question: Question;
}) {
  const { axes } = question.alignment;
  const field = placingField(question.entry);
  if (prediction.kind === 'field')
    return (
      <td colSpan={axes.length}>
        {field && faultsIn(field)?.[prediction.detail]}
        {prediction.entry !== null && `, entry ${prediction.entry}`} <Mark right={judgement.right} />
      </td>
    );
  if (prediction.kind === 'clash') {
    const { axis: place } = prediction;
    if (place === null)
      return (
        <td colSpan={axes.length}>
          too many axes <Mark right={judgement.right} />
        </td>
      );
    return (
      <>
        {axes.map(({ axis }) => (
          <td key={axis}>
            {axis === place && (
              <>
                clash <Mark right={judgement.right} />
              </>
            )}
          </td>
        ))}
      </>
    );
  }
  const { shape } = prediction;
  if (shape.length !== axes.length)
    return (
      <td colSpan={axes.length}>
        {shape.length === 0 ? '()' : shape.map(String).join(', ')} <Mark right={false} />
      </td>
    );
  return (
    <>
      {axes.map(({ axis, extent, conflict }) => (
        <td key={axis}>
          {String(shape[axis])} <Mark right={!conflict && same(shape[axis], extent)} />
        </td>
      ))}
    </>
  );
}

const same = (a: Extent | undefined, b: Extent): boolean => a !== undefined && Number(a) === Number(b);

function Mark({ right }: { right: boolean }) {
  return (
    <span class={right ? 'mark right' : 'mark wrong'}>
      <span aria-hidden="true">{right ? '✓' : '✕'}</span>
      <span class="unseen">{right ? 'right' : 'wrong'}</span>
    </span>
  );
}
