// The controls of the step-by-step view: buttons, a slider with its arrow keys, and playing.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useModel } from '../context/context';
import type { AlignedAxis, Alignment } from '../engine/engine';
import { repeatOf } from '../model/drawn-axes';
import type { Model } from '../model/model';
import { lastStage, type Stage, stageName, stageNumber, stages } from './stage-names';
import { state, update } from '../store/store';
import './stages.css';
import { Words } from '../components/words';

/** How long each step is shown while playing, in milliseconds. */
const standing = 2200;

export function Stages({ alignment }: { alignment: Alignment }) {
  const model = useModel();
  const at = stageNumber(model.state.step);
  const playing = useSignal(false);
  const go = (to: number): void => update({ ...state.value, step: stageName(Math.min(lastStage, Math.max(0, to))) });
  const byHand = (to: number): void => {
    playing.value = false;
    go(to);
  };
  const on = playing.value;
  useEffect(() => {
    if (!on) return;
    const timer = setTimeout(() => {
      if (at + 1 >= lastStage) playing.value = false;
      go(at + 1);
    }, standing);
    return () => clearTimeout(timer);
  }, [on, at]);
  const play = (): void => {
    playing.value = !on;
    if (!on && at === lastStage) go(0);
  };
  const name = stages[at] ?? 'result';
  if (alignment.axes.length === 0) return null;
  return (
    <>
      <div class="stages" role="group" aria-label="The alignment step by step">
        <button type="button" class="quiet" id="play-steps" onClick={play}>
          <span aria-hidden="true">{on ? '❚❚ ' : '▶ '}</span>
          {on ? 'Pause' : 'Step by step'}
        </button>
        <button
          type="button"
          id="step-back"
          aria-label="Step back"
          aria-disabled={at === 0}
          onClick={() => byHand(at - 1)}
        >
          ‹
        </button>
        <input
          type="range"
          id="step"
          aria-label="Step"
          aria-valuetext={`${at + 1} of ${stages.length}, ${name}`}
          min={0}
          max={lastStage}
          value={String(at)}
          onInput={({ currentTarget }) => byHand(Number(currentTarget.value))}
        />
        <button
          type="button"
          id="step-on"
          aria-label="Step on"
          aria-disabled={at === lastStage}
          onClick={() => byHand(at + 1)}
        >
          ›
        </button>
        <span class="stage-name">{name}</span>
      </div>
      <p class="telling" aria-live="polite">
        {(at < lastStage || on) && <Words text={stepText(name, model, alignment)} />}
      </p>
    </>
  );
}

/** A sentence about what the step shows. */
function stepText(stage: Stage, model: Model, alignment: Alignment): string {
  const { axes } = alignment;
  switch (stage) {
    case 'written':
      return 'As written: each counts its own axes from the left.';
    case 'aligned':
      return placing(model, alignment);
    case 'stretched':
      return stretching(model, axes);
    case 'result':
      return alignment.failure ? 'There is no result.' : 'One extent is left on each axis: the result.';
  }
}

function placing({ rule, operands }: Model, { axes, failure }: Alignment): string {
  if (failure?.class === 'axis' || failure?.class === 'axes_mapping')
    return `\`${failure.class}\` does not place every axis.`;
  const second = operands[1];
  const start = axes.find(({ cells }) => cells[1]?.sourceAxis === 0)?.axis;
  if (rule?.placement === 'axis') {
    return second && start !== undefined
      ? `${second.name} is laid onto ${operands[0]?.name} from axis ${start} on.`
      : 'Each axis goes where `axis` puts it.';
  }
  if (rule?.placement === 'mapping') return '`axes_mapping` puts each axis where it belongs.';
  return 'Right under right: last axes share a column.';
}

function stretching({ rule }: Model, axes: readonly AlignedAxis[]): string {
  // Only operands are repeated, not a target.
  const some = (relation: string): boolean =>
    axes.some((axis) => axis.cells.some((cell) => cell.relation === relation && repeatOf(cell, axis) !== null));
  const clashing = axes.filter(({ conflict }) => conflict).map(({ axis }) => axis);
  const clash =
    clashing.length > 0
      ? ` ${clashing.length === 1 ? `Axis ${clashing[0]} clashes` : `${clashing.length} axes clash`}.`
      : '';
  if (rule && !rule.stretches) return `This rule repeats nothing.${clash}`;
  if (some('stretch')) return `A 1 is repeated: stride 0 reads it again.${clash}`;
  if (some('insert')) return `A missing axis is repeated: stride 0.${clash}`;
  return `No axis has to be repeated.${clash}`;
}
