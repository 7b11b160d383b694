// The offer of the guide, in a line below the answer. Part of the first screen, so that it moves nothing when it comes.

import { useLayoutEffect } from 'preact/hooks';
import { state, update } from '../store/store';
import { decline, remember } from './offer';
import './guide-offer.css';

export function GuideOffer() {
  useLayoutEffect(remember, []);
  return (
    <p class="guide-offer" id="guide-offer">
      New to broadcasting?
      <button type="button" id="take-guide" onClick={() => update({ ...state.value, view: 'guide' })}>
        See it in a minute
      </button>
      <button type="button" class="quiet" id="no-guide" onClick={decline}>
        No, thanks
      </button>
    </p>
  );
}
