// The keys of the guide, which work wherever the focus is: arrows step, Space plays, digits guess. Escape leaves it, as any view.

export interface GuideActions {
  readonly back: () => void;
  readonly onward: () => void;
  readonly play: () => void;
  readonly choose: (choice: number) => void;
}

/** Elements that use these keys themselves. */
const typing = 'input, textarea, select';
const pressed = 'button, a, summary';

export function followKeys(actions: () => GuideActions): () => void {
  const follow = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    const within = target instanceof Element ? target : null;
    if (event.defaultPrevented || ctrlKey || metaKey || altKey || within?.closest(typing)) return;
    if (document.querySelector('dialog[open], :popover-open')) return;
    const { back, onward, play, choose } = actions();
    if (key === 'ArrowLeft') back();
    else if (key === 'ArrowRight') onward();
    else if (key === ' ' && !within?.closest(pressed)) play();
    else if (/^[1-3]$/.test(key)) choose(Number(key) - 1);
    else return;
    event.preventDefault();
  };
  addEventListener('keydown', follow);
  return () => removeEventListener('keydown', follow);
}
