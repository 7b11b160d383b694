// Whether the page is light or dark at present.

export type Ground = 'light' | 'dark';

export const shownGround = (): Ground => {
  const chosen = document.documentElement.dataset['theme'];
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
};
