// Text in Markdown that stays text.

/** Matches where renderers of Markdown see links and mentions in plain text: https://…, www.…, a.com, @name, #12. */
const linked = /(?<=:)(?=\/\/)|(?<=\bwww)(?=\.)|(?<=[\p{L}\p{N}_-]\.)(?=\p{L}{2})|(?<=[@#])(?=\S)/giu;

/** An invisible character that prevents links and mentions; many renderers look for them after handling escapes. */
const stop = '\u200b';

/** Escapes text, so that nothing that was typed becomes a heading, a link, a mention or a new cell. */
export const plain = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(linked, stop)
    .replace(/[\\`*_{}[\]<>#|~]/g, '\\$&')
    .replace(/&/g, '&amp;');
