// The alignment as a table: operands above one another, a column for each axis of the result, and the reason below. The cells
// and reasons are the core's.

import type { ComponentChildren } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import './alignment-table.css';
import { useEngine, useModel } from '../context/context';
import {
  cellText,
  countedText,
  drawnAxes,
  extentText,
  hiddenText,
  isLeftOut,
  markText,
  ownText,
  repeatOf,
  resultText,
  timesText,
} from '../model/drawn-axes';
import { nameAlong, shortName } from '../model/axis-names';
import type { AlignedAxis, Alignment, RuleEntry } from '../engine/engine';
import { targetOperand } from '../engine/engine';
import { compares, lastStage, stageOf, stages } from '../model/stage-names';
import { type Row, rowsOf } from './alignment-rows';
import { AxisHeads } from './axis-heads';
import { Chip, hueOf } from '../components/chip';
import { lazily } from '../components/lazy';
import { Scroll } from '../components/scroll';
import { Term } from '../components/term';

// The step-by-step view, the lines that move with it, and the clauses' texts.
const more = () => import('./alignment-more');
const Stages = lazily(() => more().then(({ Stages }) => Stages));
const StepSentence = lazily(() => more().then(({ StepSentence }) => StepSentence));
const AxisLines = lazily(() => more().then(({ AxisLines }) => AxisLines));
const ClauseTexts = lazily(() => more().then(({ ClauseTexts }) => ClauseTexts));

export function AlignmentTable({ alignment }: { alignment: Alignment }) {
  const core = useEngine();
  const model = useModel();
  const axes = drawnAxes(alignment.axes);
  const rows = rowsOf(core, model);
  const hidden = alignment.axes.length - axes.length;
  // The first stride in the table is explained.
  const strided = rows.find((row) => axes.some((axis) => hasStride(row, axis, model.rule)));
  const firstStride = axes.find((axis) => strided && hasStride(strided, axis, model.rule));
  const names = [...new Set(axes.flatMap(clausesOf))];
  const sources = useMemo(() => <ClauseTexts names={names} />, [names.join()]);
  // Only changes between the steps of one alignment are animated; another alignment is shown at once.
  const { step } = model.state;
  const drawn = useRef({ alignment, step, stepping: false });
  const { current: before } = drawn;
  const stepping = before.alignment === alignment && (before.stepping || before.step !== step);
  drawn.current = { alignment, step, stepping };
  const at = stageOf(model);
  const told = stepping || at < lastStage;
  return (
    <section
      class={['alignment', stepping && 'stepping', told && 'narrated'].filter(Boolean).join(' ')}
      aria-labelledby="alignment-title"
      data-step={stages[at]}
    >
      <div class="head">
        <h2 id="alignment-title">
          How the <Term of="axis">axes</Term> line up
        </h2>
        <Stages alignment={alignment} />
      </div>
      <Scroll label="The axes, scrolling" show="td.clash" of={alignment}>
        <table data-rank={axes.length} class={axes.length > 5 ? 'many' : rows.length > 3 ? 'wordy' : ''}>
          <AxisHeads
            titles={axes.map((axis) => {
              const name = nameAlong(axis, model.operands);
              return `axis ${axis.axis}${name && `, ${name}`}`;
            })}
          />
          <tbody>
            {rows.map((row) => (
              <tr key={row.operand}>
                <th scope="row">
                  <Chip operand={row.operand}>{row.operand === targetOperand ? 'to' : row.name}</Chip>
                  <Written row={row} axes={alignment.axes} rule={model.rule} />
                </th>
                {axes.map((axis) => (
                  <AxisCell
                    key={axis.axis}
                    row={row}
                    axis={axis}
                    rule={model.rule}
                    explained={row === strided && axis === firstStride}
                    compared={compares(at)}
                  />
                ))}
                {axes.length === 0 && <td class="lone">one element</td>}
              </tr>
            ))}
            <tr class="result">
              <th scope="row">
                <Term of="result" />
              </th>
              {axes.map((axis) => (
                <td key={axis.axis}>
                  <span class={`axis-cell outcome-axis ${resultText(axis, alignment.failure) === '?' ? 'open' : ''}`}>
                    <span class="extent">{resultText(axis, alignment.failure)}</span>
                    <ResultAxis axis={axis} name={nameAlong(axis, model.operands)} />
                  </span>
                </td>
              ))}
              {axes.length === 0 && (
                <td>
                  <span class="axis-cell outcome-axis">
                    <span class="extent">()</span>
                  </span>
                </td>
              )}
            </tr>
          </tbody>
          {axes.length > 0 && (
            <tfoot>
              <tr class="reasons">
                <th scope="row">why</th>
                {axes.map((axis) => (
                  <td key={axis.axis} class={axis.conflict ? 'clash' : ''}>
                    {`${axis.why} `}
                    <Clauses axis={axis} />
                  </td>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
        <AxisLines rows={rows} axes={axes} />
      </Scroll>
      <StepSentence alignment={alignment} told={told} />
      {/* Before the clauses' texts, which reach into the space below them. */}
      {hidden > 0 && <p class="note">{hiddenText(hidden, 'drawn')}</p>}
      {axes.length > 0 && sources}
    </section>
  );
}

/** The shape as given; axes that have no place in the result are struck out. */
function Written({ row, axes, rule }: { row: Row; axes: readonly AlignedAxis[]; rule: RuleEntry | null }) {
  const cells = axes.map(row.cell).filter((cell) => cell !== null);
  const placed = new Set(cells.filter((cell) => !isLeftOut(cell, rule)).map(({ sourceAxis }) => sourceAxis));
  const texts: ComponentChildren[] = [];
  // Mostly all axes have a place: then this is one text.
  let text = '(';
  row.shape.forEach((extent, axis) => {
    if (axis > 0) text += ', ';
    if (row.names?.[axis]) text += `${row.names[axis]}=`;
    if (placed.has(axis)) {
      text += String(extent);
    } else {
      texts.push(text, <s title={`axis ${axis} of ${row.name} has no place in the result`}>{String(extent)}</s>);
      text = '';
    }
  });
  texts.push(`${text}${row.shape.length === 1 ? ',)' : ')'}`);
  return (
    <span class="written" title={row.names ? texts.filter((each) => typeof each === 'string').join('') : undefined}>
      {texts}
    </span>
  );
}

/** An axis of the result: its name, or its number. The column's head has it for screen readers. */
const ResultAxis = ({ axis: { axis }, name }: { axis: AlignedAxis; name: string }) => (
  <span class="own" aria-hidden="true" title={name ? `axis ${axis}, ${name}` : undefined}>
    {name ? shortName(name) : `axis ${axis}`}
  </span>
);

interface CellProps {
  row: Row;
  axis: AlignedAxis;
  rule: RuleEntry | null;
  /** Whether the word "stride" is explained. */
  explained: boolean;
  /** Whether the step has come in which extents are compared. */
  compared: boolean;
}

/** Whether a cell shows a stride. */
function hasStride(row: Row, axis: AlignedAxis, rule: RuleEntry | null): boolean {
  const cell = row.cell(axis);
  return cell !== null && cell.stride !== null && markText(cell, rule) === '';
}

function AxisCell({ row, axis, rule, explained, compared }: CellProps) {
  const cell = row.cell(axis);
  if (!cell) return <td />;
  const { relation, stride } = cell;
  const leftOut = isLeftOut(cell, rule);
  const own = ownText(cell, row.names);
  const place = own === ownText(cell, null) ? own : `axis ${cell.sourceAxis}, ${own}`;
  const text = compared ? cellText(cell, axis, rule) : extentText(cell) || 'no such axis';
  const repeat = timesText(repeatOf(cell, axis));
  const below = markText(cell, rule) || (stride === null ? '' : `stride ${stride}`);
  // The elements are the same for each relation, so that the next key stroke changes texts and makes no elements anew. Styles
  // strike extents out.
  return (
    // Screen readers get a sentence: the texts of the cell are too short to be understood alone.
    <td aria-label={`${place}, ${text}${compared && below ? `, ${below}` : ''}`}>
      <span
        class={`axis-cell ${relation} ${leftOut ? 'left-out' : ''} ${hueOf(row.operand)}`}
        data-relation={relation}
        title={`${row.name}: ${row.names ? `${place}; ` : ''}${text}${stride === null || !compared ? '' : `; stride ${stride}, in elements`}`}
      >
        <span class="extent">
          {countedText(cell, axis) || null}
          <i class="times">{repeat && ` ${repeat}`}</i>
        </span>
        <span class={below ? 'own two' : 'own'}>
          {shortName(own)}
          <i class="below">
            {explained ? (
              <>
                <Term of="stride" /> {String(stride)}
              </>
            ) : (
              below
            )}
          </i>
        </span>
      </span>
    </td>
  );
}

/** The clauses that decide an axis, without duplicates: those of clashes, else those of repeated cells, else all. */
function clausesOf(axis: AlignedAxis): readonly string[] {
  const cells = [...axis.cells, ...(axis.target ? [axis.target] : [])];
  const clashing = cells.filter(({ relation }) => relation === 'conflict');
  const repeated = cells.filter(({ relation }) => relation !== 'match');
  const deciding = clashing.length > 0 ? clashing : repeated.length > 0 ? repeated : cells;
  return [...new Set(deciding.map(({ clause }) => clause))];
}

function Clauses({ axis }: { axis: AlignedAxis }) {
  const core = useEngine();
  return (
    <>
      {clausesOf(axis).map((name, i) => {
        const clause = core.vocabulary.clauses.get(name);
        const document = clause ? (core.vocabulary.documents.get(clause.document) ?? clause.document) : '';
        return (
          <abbr key={i} class="clause" title={clause ? `${document}\n${clause.place}: ${clause.text}` : name}>
            {name}
          </abbr>
        );
      })}
    </>
  );
}
