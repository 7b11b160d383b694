// Questions for the tests of pictures, their colours, and what reads a picture in a page.

const hue = (colour) => ({ hue: colour, wash: '#eeeeee' });
export const palette = {
  ...{ ground: '#faf8f4', paper: '#fffefb', ink: '#211e1a', soft: '#6a645b', line: '#e3ddd2', lineStrong: '#8f877a' },
  ...{ accent: '#f3c64a', onAccent: '#211e1a', fits: '#1d7a4f', clash: '#b3261e', clashWash: '#fbe9e6' },
  ...{ hues: [hue('#0b6ea8'), hue('#a9430f'), hue('#0a7a63')], target: hue('#6a645b') },
};

export const v = 'v=1&type=f32';
const hostile = encodeURIComponent('</text><script>"\'&\u0000 ]]>');
export const states = {
  first: `${v}&rule=numpy&op=Add&in=(4,1)&in=(6,)&at=1,2`,
  scalar: `${v}&rule=numpy&op=Add&in=()&in=()`,
  empty: `${v}&rule=numpy&op=Add&in=(0,3)&in=(1,3)`,
  conflict: `${v}&rule=numpy&op=Add&in=(8,64,56,56)&in=(64)`,
  conflicts: `${v}&rule=numpy&op=Add&in=(2,3,4,5)&in=(3,3,2,5)`,
  pdpd: `${v}&rule=pdpd&op=Add&in=(2,3,4,5)&in=(3,4,1)&axis=1&at=1,1,2,3&rows=1&columns=2`,
  target: `${v}&rule=bidirectional&op=Broadcast&in=(3,1)&target=(2,1,6)&at=1,2,3`,
  several: `${v}&rule=sonnx&op=Broadcast&in=(1,3)&in=(2,1)&in=(1,)&at=1,2&output=1`,
  rank8: `${v}&rule=numpy&op=Add&in=(2,1,3,1,2,1,4,5)&in=(3,1,2,1,3,1,5)&at=1,2,2,1,1,2,3,4`,
  eight: `${v}&rule=numpy&op=Sum&in=(4,1)&in=(5)&in=(4,5)&in=()&in=(1,5)&in=(1,1)&in=(4,1)&in=(5)&n=${hostile},%E7%B9%94`,
  slices: `${v}&rule=numpy&op=Add&in=(12,2,4)&in=(4,)&at=9,1,2&tiles=0`,
  stacked: `${v}&rule=numpy&op=Div&in=(3,20,30)&in=(30,)&at=1,17,9&tiles=0&x=random:3&x=random:4`,
  huge: `${v}&rule=numpy&op=Add&in=(1000000000,1)&in=(1,1000000)&at=5000000,70`,
  oversize: `${v}&rule=numpy&op=Add&in=(9223372036854775807)&in=(1)&type=u8`,
  manyAxes: `${v}&rule=numpy&op=Add&in=(${'1,'.repeat(40)})&in=(${'2,'.repeat(39)}3)`,
  malformed: `${v}&rule=numpy&op=Add&in=%3Cscript%3E(&in=(4,)`,
};

// What a picture is when it is parsed and drawn. Runs in a page.
export function readSvg(svg) {
  const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
  const faults = parsed.querySelectorAll('parsererror').length;
  const root = document.importNode(parsed.documentElement, true);
  document.body.append(root);
  const from = root.getBoundingClientRect();
  let [right, bottom] = [0, 0];
  for (const text of root.querySelectorAll('text, rect')) {
    const box = text.getBoundingClientRect();
    right = Math.max(right, box.right - from.left);
    bottom = Math.max(bottom, box.bottom - from.top);
  }
  const told = {
    root: root.localName,
    faults,
    texts: root.querySelectorAll('text').length,
    right,
    bottom,
    title: root.querySelector('title')?.textContent,
    desc: root.querySelector('desc')?.textContent,
  };
  root.remove();
  return told;
}

// The picture as an <img>, and how large that is. Runs in a page.
export async function asImage(svg) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  await image.decode();
  return [image.naturalWidth, image.naturalHeight];
}
