// The same question as code for other systems, a tab for each: to be copied and run there.

import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useEngine, useModel } from '../context/context';
import { firstState } from '../state/state';
import { explains, explanations } from '../store/store';
import { codeOf } from './from-model';
import { systems } from './systems';
import './code-panel.css';
import { CopyButton } from '../components/copy-button';
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

/** Whether the element's heading has come into view: from then on true. */
function useSeen(element: RefObject<HTMLElement | null>): boolean {
  const seen = useSignal(false);
  useEffect(() => {
    if (!element.current) return undefined;
    const watch = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) seen.value = true;
      },
      { rootMargin: '0px 0px -24px' },
    );
    watch.observe(element.current);
    return () => watch.disconnect();
  }, [element, seen]);
  return seen.value;
}

/** Loads the explanations, once `wanted`; returns how often that failed, and a function that tries again. */
function useExplanations(wanted: boolean): readonly [times: number, retry: () => void] {
  const times = useSignal(0);
  const tries = useSignal(0);
  useEffect(() => {
    if (wanted && !explains.peek()) explanations().catch(() => ++times.value);
  }, [wanted, tries.value, times]);
  return [times.value, () => ++tries.value];
}

export function Code() {
  const chosen = useSignal(0);
  const section = useRef<HTMLElement>(null);
  const system = systems[chosen.value];
  const core = useEngine();
  const model = useModel();
  const { alignment, failure, state } = model;
  // On a first visit only the answer's parts are loaded, until the panel is in view.
  const seen = useSeen(section);
  const [times, retry] = useExplanations(seen || state !== firstState);
  const tabs = useMemo(
    () => <Tabs chosen={chosen.value} choose={(at) => (chosen.value = at)} />,
    [chosen, chosen.value],
  );
  if (!alignment || failure || !system) return null;
  const isPending = !explains.value;
  const code = isPending ? null : codeOf(core, model, system.id);
  return (
    <section class={isPending ? 'elsewhere pending' : 'elsewhere'} aria-labelledby="code-title" ref={section}>
      <div class="head">
        <h2 id="code-title">Code for this example</h2>
        {code?.reason == null && (
          <CopyButton text={code?.text ?? ''} id="copy-code" disabled={isPending}>
            Copy code
          </CopyButton>
        )}
      </div>
      {tabs}
      <div
        id="code-text"
        role="tabpanel"
        aria-busy={isPending && times === 0}
        aria-labelledby={`code-${system.id}`}
        tabIndex={0}
      >
        {isPending ? (
          times > 0 && <NotLoaded times={times} retry={retry} />
        ) : code?.text == null ? (
          <p class="note">{code?.reason}</p>
        ) : (
          <Scroll label={`${system.title}, scrolling`}>
            <pre>
              <code>{code.text}</code>
            </pre>
          </Scroll>
        )}
      </div>
    </section>
  );
}
