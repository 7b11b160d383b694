// A notice about a link that cannot be read whole. Loaded with the first one.

import { keepLink, linkRead } from '../store/store';

/** For a link of another version, or an address that is no link: says what is shown instead, and that the link is kept. */
export function LinkNotice() {
  const read = linkRead.value;
  if (!read?.fault) return null;
  const { fault, some } = read;
  return (
    <section class="notice link-notice" id="link-notice" role="alert" aria-label="About this link">
      <p>
        <strong>
          {fault.kind === 'version'
            ? `This link is of version ${fault.version}; this page reads version 1.`
            : 'This page cannot read this link: links begin with #v=1.'}
        </strong>{' '}
        {some
          ? 'The page shows what it could read of it; the rest may differ.'
          : 'The page shows its first example instead.'}{' '}
        The address stays as it is until you change something.
      </p>
      <p>
        <button type="button" onClick={keepLink}>
          Dismiss
        </button>
      </p>
    </section>
  );
}
