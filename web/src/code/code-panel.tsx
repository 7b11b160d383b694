// The same question as code for other systems, a tab for each: to be copied and run there.

import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useEngine, useModel } from '../context/context';
import { questionFrom } from './from-model';
import type { Writer } from './question';
import { type System, systems } from './systems';
import './code-panel.css';
import { NotLoaded } from '../components/lazy';
import { Scroll } from '../components/scroll';

/** The tab that a key moves to from tab number `at`; null for other keys. */
function reached(key: string, at: number): number | null {
  const last = systems.length - 1;
  if (key === 'ArrowRight') return at === last ? 0 : at + 1;
  if (key === 'ArrowLeft') return at === 0 ? last : at - 1;
  if (key === 'Home') return 0;
  return key === 'End' ? last : null;
}

function Tabs({ chosen, choose }: { chosen: number; choose: (at: number) => void }) {
  const list = useRef<HTMLDivElement>(null);
  return (
    <div
      class="tabs"
      role="tablist"
      aria-labelledby="code-title"
      ref={list}
      onKeyDown={(event) => {
        const next = reached(event.key, chosen);
        if (next === null) return;
        event.preventDefault();
        choose(next);
        list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
      }}
    >
      {systems.map(({ id, title }, i) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={`code-${id}`}
          aria-selected={i === chosen}
          aria-controls="code-text"
          tabIndex={i === chosen ? 0 : -1}
          onClick={() => choose(i)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}

function Copy({ text, disabled }: { text: string; disabled: boolean }) {
  const said = useSignal('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      said.value = 'Copied';
    } catch {
      said.value = 'Select the text to copy it';
    }
    setTimeout(() => (said.value = ''), 2400);
  };
  return (
    <button type="button" class="quiet" id="copy-code" disabled={disabled} onClick={() => void copy()}>
      <span aria-live="polite">{said.value || 'Copy code'}</span>
    </button>
  );
}

/** A system whose writer has arrived, or, where it has not, how often it was asked for in vain. */
type Arrived = { readonly system: System } & (
  { readonly write: Writer } | { readonly write: null; readonly times: number }
);

/** The last chosen system whose writer arrived or got lost; and how it is asked for again. */
function useArrived(chosen: System | undefined): readonly [arrived: Arrived | null, retry: () => void] {
  const arrived = useSignal<Arrived | null>(null);
  const tries = useSignal(0);
  useEffect(() => {
    if (!chosen) return undefined;
    let isChosen = true;
    chosen.writer().then(
      (write) => {
        if (isChosen) arrived.value = { system: chosen, write };
      },
      () => {
        const before = arrived.peek();
        const times = before?.system === chosen && before.write === null ? before.times + 1 : 1;
        if (isChosen) arrived.value = { system: chosen, write: null, times };
      },
    );
    return () => {
      isChosen = false;
    };
  }, [chosen, tries.value, arrived]);
  return [arrived.value, () => ++tries.value];
}

export function Code() {
  const chosen = useSignal(0);
  const system = systems[chosen.value];
  const [arrived, retry] = useArrived(system);
  const question = questionFrom(useEngine(), useModel());
  const tabs = useMemo(
    () => <Tabs chosen={chosen.value} choose={(at) => (chosen.value = at)} />,
    [chosen, chosen.value],
  );
  if (!question || !system || !arrived) return null;
  const code = arrived.write?.(question) ?? null;
  // Until the chosen system's text is there, the text before keeps the place, invisible.
  const isPending = arrived.system !== system;
  return (
    <section class="elsewhere" aria-labelledby="code-title">
      <div class="head">
        <h2 id="code-title">The same elsewhere</h2>
        {code && 'text' in code && <Copy text={code.text} disabled={isPending} />}
      </div>
      {tabs}
      <div
        id="code-text"
        class={isPending ? 'pending' : ''}
        role="tabpanel"
        aria-busy={isPending}
        aria-labelledby={`code-${system.id}`}
        tabIndex={0}
      >
        {arrived.write === null ? (
          <NotLoaded times={arrived.times} retry={retry} />
        ) : code && 'text' in code ? (
          <Scroll label={`${system.title}, scrolling`}>
            <pre>
              <code>{code.text}</code>
            </pre>
          </Scroll>
        ) : (
          <p class="note">{code?.reason}</p>
        )}
      </div>
    </section>
  );
}
