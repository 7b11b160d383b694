import { useSignal } from '@preact/signals';
import { useEngine } from '../context/context';
import { chooseFiles } from '../models/follow-drops';
import { keysOpen } from '../store/keys';
import { canRedo, canUndo, leftOut, link, nextTheme, redo, state, theme, undo, update } from '../store/store';
import { lazily } from '../components/lazy';
import { Term } from '../components/term';

/** Views that take the place of question and answer. */
const views = [
  ['guide', 'Guide', 'Broadcasting in a minute, step by step'],
  ['gallery', 'Gallery', 'Examples to look at'],
  ['predict', 'Predict', 'Predict the result, then check it'],
] as const;

function Views() {
  const now = state.value;
  return (
    <>
      {views.map(([view, words, title]) => (
        <button
          key={view}
          type="button"
          class="quiet"
          id={view}
          title={title}
          aria-pressed={now.view === view}
          onClick={() => update({ ...now, view: now.view === view ? '' : view })}
        >
          {words}
        </button>
      ))}
    </>
  );
}

function CopyLink() {
  const said = useSignal('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(link());
      const without = leftOut.value;
      said.value = without.length > 0 ? `Copied, without the values of ${without.join(', ')}` : 'Link copied';
    } catch {
      said.value = 'Copy it from the address bar';
    }
    setTimeout(() => (said.value = ''), 2400);
  };
  return (
    <button type="button" class="quiet" id="copy-link" onClick={() => void copy()}>
      <span aria-live="polite">{said.value || 'Copy link'}</span>
    </button>
  );
}

const Share = lazily(() => import('../share/share').then(({ Share }) => Share));

/** Opens the dialog with pictures, texts and a frame for documents. */
function ShareButton() {
  const open = useSignal(false);
  return (
    <>
      <button type="button" class="quiet" id="share" aria-haspopup="dialog" onClick={() => (open.value = true)}>
        Share…
      </button>
      {open.value && <Share close={() => (open.value = false)} />}
    </>
  );
}

const PasteDialog = lazily(() => import('../paste/paste-dialog').then(({ PasteDialog }) => PasteDialog));

/** Buttons for error texts and models, which can also be pasted or dropped anywhere. */
function Bring() {
  const core = useEngine();
  const pasting = useSignal(false);
  return (
    <span class="bring" role="group" aria-label="Begin with an error or a model">
      <button
        type="button"
        id="paste-text"
        aria-haspopup="dialog"
        title="An error message or a traceback: it can be pasted or dropped anywhere on the page, too"
        onClick={() => (pasting.value = true)}
      >
        Paste<span class="longer"> an error</span>…
      </button>
      <button
        type="button"
        id="open-file"
        title="An .onnx file or an OpenVINO .xml file: it can be dropped anywhere on the page, too. Nothing is uploaded"
        onClick={() => chooseFiles(core)}
      >
        Open<span class="longer"> a model</span>…
      </button>
      {pasting.value && <PasteDialog close={() => (pasting.value = false)} />}
    </span>
  );
}

/** Buttons that have nothing to do are marked, but not disabled: a disabled button would lose the focus. */
function Steps() {
  return (
    <span class="steps" role="group" aria-label="Steps">
      <button
        type="button"
        id="undo"
        aria-label="Undo"
        title="Undo (Ctrl+Z)"
        aria-disabled={!canUndo.value}
        onClick={undo}
      >
        <span aria-hidden="true">↶</span>
      </button>
      <button
        type="button"
        id="redo"
        aria-label="Redo"
        title="Redo (Ctrl+Shift+Z)"
        aria-disabled={!canRedo.value}
        onClick={redo}
      >
        <span aria-hidden="true">↷</span>
      </button>
    </span>
  );
}

export function Header() {
  return (
    <header class="top">
      <a
        class="skip"
        href="#answer"
        onClick={(event) => {
          event.preventDefault(); // The fragment is the state's.
          document.querySelector<HTMLElement>('#answer :is([tabindex="0"], button):not(.kept *)')?.focus();
        }}
      >
        Skip to the answer
      </a>
      <span class="brand">
        <svg viewBox="0 0 28 28" width="28" height="28" aria-hidden="true">
          <path class="hue-1" d="M3 8h22M3 14h22M3 20h22" />
          <path class="hue-0" d="M8 3v22M14 3v22M20 3v22" />
          <path class="hue-1 over" d="M5.5 14h5M11.5 8h5M11.5 20h5M17.5 14h5" />
        </svg>
        <span class="names">
          <h1>Broadloom</h1>
          <span class="tagline">
            <Term of="broadcasting">Broadcasting</Term>: how different shapes combine
          </span>
        </span>
      </span>
      <Bring />
      <Views />
      <Steps />
      <CopyLink />
      <ShareButton />
      <button
        type="button"
        class="quiet"
        id="theme"
        onClick={nextTheme}
        aria-label={`Colours: ${theme.value}. Press to change.`}
      >
        <span aria-hidden="true" class={`sun ${theme.value}`} />
        <span class="word">{theme.value === 'auto' ? 'Auto' : theme.value === 'light' ? 'Light' : 'Dark'}</span>
      </button>
      <button
        type="button"
        class="quiet"
        id="keys"
        aria-label="Keys"
        title="Keys (?)"
        onClick={() => (keysOpen.value = true)}
      >
        <span aria-hidden="true">?</span>
      </button>
    </header>
  );
}
