/** A text set as code that may be shortened: the whole is its title, and what screen readers read. */
export const Shortened = ({ text, whole }: { text: string; whole: string }) =>
  text === whole ? (
    <code>{text}</code>
  ) : (
    <code title={whole}>
      <span aria-hidden="true">{text}</span>
      <span class="unseen">{whole}</span>
    </code>
  );
