// Says why what was dropped cannot be read, and what can be.

import '../components/strip.css';
import './from-model.css';
import { refusal } from './opened';

export function Refusal() {
  return (
    <section class="strip from-model refusal" role="alert" aria-label="What was dropped">
      <p>{refusal.value}</p>
      <span class="ways">
        <button type="button" class="quiet" aria-label="Close this note" onClick={() => (refusal.value = null)}>
          <span aria-hidden="true">×</span>
        </button>
      </span>
    </section>
  );
}
