// Above the answer, while a model is open: which of its nodes this is, and buttons to go on.

import { useLayoutEffect, useRef } from 'preact/hooks';
import '../components/strip.css';
import './from-model.css';
import { countText } from '../text/format';
import { state, update } from '../store/store';
import { filter, filters, numbers } from './filter';
import { stateOfNode } from './node-state';
import { closeModel, openNode } from './open-model';
import { openModel, shownNode } from './opened';

export function FromModel() {
  const strip = useRef<HTMLElement>(null);
  const model = openModel.value;
  const shown = shownNode.value;
  const node = shown && model?.nodes[shown.index];
  // On a small screen the fields are above it.
  useLayoutEffect(() => {
    if (matchMedia('(max-width: 860px)').matches) strip.current?.scrollIntoView();
  }, [shown?.index]);
  if (!model || !shown || !node) return null;
  const { index, isSame } = shown;
  // The nodes of the filter; of all, where this one is none of them.
  const listed = numbers.value[filter.value].includes(index) ? filter.value : 'all';
  const all = numbers.value[listed];
  const at = all.indexOf(index);
  /** The next node that opens, `by` a step forwards or backwards. */
  const near = (by: 1 | -1): number | null => {
    for (let i = at + by; i >= 0 && i < all.length; i += by) {
      const next = model.nodes[all[i] ?? -1];
      if (next && stateOfNode(next)) return all[i] ?? null;
    }
    return null;
  };
  const go = (by: 1 | -1): void => {
    const next = near(by);
    if (next !== null) openNode(next);
  };
  const which = listed === 'all' ? 'node' : filters.find(([name]) => name === listed)?.[1].toLowerCase();
  return (
    <aside class="strip from-model" aria-label="From the model" tabIndex={-1} ref={strip}>
      <p>
        {isSame ? 'From' : 'Changed from'} <b>{<bdi>{model.name}</bdi>}</b>, {which} {countText(at + 1)} of{' '}
        {countText(all.length)}: {node.op}{' '}
        <bdi class="mono where" title={node.name}>
          {node.name}
        </bdi>
      </p>
      <span class="ways">
        {!isSame && (
          <button type="button" class="quiet" onClick={() => openNode(index)}>
            As in the file
          </button>
        )}
        <button type="button" class="quiet" id="previous-node" onClick={() => go(-1)}>
          Previous
        </button>
        <button type="button" class="quiet" id="next-node" onClick={() => go(1)}>
          Next
        </button>
        <button type="button" class="quiet" id="all-nodes" onClick={() => update({ ...state.value, view: 'models' })}>
          All nodes
        </button>
        <button type="button" class="quiet" aria-label="Close the model" onClick={closeModel}>
          <span aria-hidden="true">×</span>
        </button>
      </span>
    </aside>
  );
}
