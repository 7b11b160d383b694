// The thread of linear.test.mjs: runs the readers of one part of the page on texts of growing length.
import { parentPort, workerData } from 'node:worker_threads';
import { load } from 'broadloom';
import { ModelError, readLayer } from 'broadloom/models';
import { parseNpy } from 'broadloom/npy';
import { imported } from './modules.mjs';

const bl = await load({ explanations: true });
const { readList, readValue } = await imported('values/typed-list.ts');
const { readLink, fromFragment, toFragment, valuesFrom, shaped, firstState } = await imported('state/state.ts');
const { readRequest } = await imported('embed/embed-messages.ts');
const { plain } = await imported('text/plain-markdown.ts');
const { escaped, wrapped } = await imported('export/svg.ts');
const { namesOf } = await imported('state/operand-names.ts');
const { listOf } = await imported('values/values.ts');

const quietly = (work) => (text) => {
  try {
    work(text);
  } catch {
    // That a text is refused is as good as any answer.
  }
};

function npy(text) {
  const header = Buffer.from(text, 'latin1');
  const file = Buffer.alloc(12 + header.length);
  file.write('\x93NUMPY\x02\x00', 'latin1');
  file.writeUInt32LE(header.length, 8);
  header.copy(file, 12);
  return parseNpy(new Uint8Array(file));
}

const words = ['a', '1', ' ', ',', '=', '\n', '_', '.', 'é', '\u202e'];
const header = (what) => `{'descr': '<f4', 'fortran_order': False, 'shape': ${what}`;
// A layer with a text as the comment that has its mapping.
const mapped = (text) =>
  `<layer type="Broadcast"><data mode="explicit"/><input><port/><port/><!--:${text}--><port/></input><output><port/></output></layer>`;
const named = (name) => namesOf({ operandName: () => 'A' }, [{ ...shaped('2'), name }]);

// Each part: its readers, and the tokens, beginnings and ends that its texts are made of.
const parts = {
  lists: {
    readers: { readList, readValue, linked: (text) => listOf(valuesFrom(`list:${text}`)) },
    tokens: [
      ...[
        ',a=',
        ',a = 1',
        '1',
        '1,',
        '[',
        ']',
        '(',
        ')',
        '{',
        '}',
        ',',
        ';',
        '\n',
        ' ',
        '.',
        '_',
        '1_',
        'e',
        '1e1',
        '+',
        '-',
      ],
      ...['j', 'f', 'n', 'x', 'x.', 'x(', 'x=', '=', '...', 'nan ', 'true,', '[1],', '()', ', ,', ' ,'],
    ],
    begins: ['', 'x(', 'x = torch.tensor([1], ', '[', '1', '+'],
    ends: ['', 'x', ')', ');', ' !', 'e', 'j'],
  },
  links: {
    readers: {
      readLink,
      whole: (text) => toFragment(fromFragment(`v=1&${text}`) ?? firstState),
      shape: (text) => toFragment(fromFragment(`v=1&in=${text}`)),
      names: (text) => toFragment(fromFragment(`v=1&in=1&n=${text}`)),
      values: (text) => toFragment(fromFragment(`v=1&in=1&x=${text}`)),
      places: (text) => toFragment(fromFragment(`v=1&at=${text}&pin=${text}&look=${text}&rows=${text}&level=${text}`)),
      version: (text) => readLink(`v=${text}`),
      only: (text) => fromFragment(`v=1&view=gallery&only=${text}`).only.split(','),
      message: (text) => readRequest({ to: 'broadloom', type: 'set', state: text }),
      field: (text) => readRequest({ to: 'broadloom', type: 'set', state: { in: [text], x: [text], n: text } }),
      answer: (text) => readRequest({ to: 'broadloom', type: 'ask', id: text }),
    },
    tokens: [
      '&',
      '=',
      'in=',
      '&in=1',
      '&v=1',
      '%',
      '%2',
      '%25',
      '%F0%9F',
      '+',
      '#',
      ',',
      ':',
      '0:',
      '1.',
      '1',
      '9,',
      'list:',
      ...words,
    ],
    begins: ['', '#', 'v=1&', 'list:x('],
    ends: ['', '%', '&'],
  },
  layers: {
    readers: { layer: readOrRefuse, inComment: (text) => readOrRefuse(mapped(text)) },
    tokens: [
      ...[
        '<layer ',
        '<layer',
        '<layer>',
        '</layer>',
        '<layer ...',
        '<layer a="1"/>',
        '<',
        '>',
        '<!--',
        '-->',
        '<?',
        '?>',
        '&',
        '&amp;',
      ],
      ...[
        '<![CDATA[',
        ']]>',
        ' a="1"',
        " a='",
        '"',
        '=',
        '...',
        ' ...',
        ':',
        ': [',
        '1,',
        '1 , ',
        '[',
        ']',
        '-',
        ...words,
      ],
    ],
    begins: ['', '<layer', '<layer ', '<layer a="', '<!--', ':', ': ['],
    ends: ['', '>', '/>', ' ...>', 'x', ']'],
  },
  shapes: {
    readers: Object.fromEntries(
      Object.entries({
        parseShape: (text) => bl.parseShape(text),
        parseIntegers: (text) => bl.parseIntegers(text, { bigint: true }),
      }).map(([name, read]) => [name, quietly(read)]),
    ),
    tokens: [
      '1',
      '1,',
      '1_',
      '1x',
      '1×',
      '×',
      '[',
      ']',
      '(',
      '-',
      '−',
      'torch.',
      'a',
      'a(',
      '1.5,',
      'é',
      '😀',
      ...words,
    ],
    begins: ['', '(', 'torch.Size([', 'é', '1'],
    ends: ['', ')', 'q', '])'],
  },
  files: {
    readers: {
      header: quietly(npy),
      shape: quietly((text) => npy(header(text))),
      descr: quietly((text) => npy(`{'descr': ${text}`)),
    },
    tokens: [
      '1',
      '1,',
      '1, ',
      '(',
      ')',
      '{',
      '}',
      "'",
      '"',
      "'a'",
      "'a': 1,",
      ':',
      'L',
      '-',
      'True',
      '[',
      '\\',
      ...words,
    ],
    begins: ['', '(', "'", '{', "('"],
    ends: ['', ')', "'", ',)}'],
  },
  names: {
    readers: {
      variables: (text) => bl.align('numpy', [[1], [1]]).code('numpy', { operands: [{ name: text }, { name: text }] }),
      plain,
      escaped,
      wrapped: (text) => wrapped(text, 600, 12),
      shown: named,
      inText: (text) => named('mask').inText(text),
    },
    tokens: ['_', '-', '`', '*', '|', '<', '&', '@', 'https://', 'www.', '.a', 'א', '#', 'A ', ...words],
    begins: ['', '_', '`'],
    ends: ['', 'a', '`'],
  },
};

/** What is no layer is refused, also in linear time. */
function readOrRefuse(text) {
  try {
    readLayer(text);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
  }
}

const { readers, tokens, begins, ends } = parts[workerData];
/** Milliseconds of this process alone: what else the machine does takes nothing of them. */
const time = (read, text) => {
  const begin = process.cpuUsage();
  read(text);
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000;
};
const least = (read, text, tries) => Math.min(...Array.from({ length: tries }, () => time(read, text)));
const repeated = (token, size) => token.repeat(Math.ceil(size / token.length));

/** Four times the length may take so many times as long. */
const mostGrowth = 10;
/** Milliseconds that are never a fault: at 16 KiB a step for each pair of letters takes as long, at 1 MiB many minutes. */
const negligible = (size) => 250 + size / 400;

let texts = 0;
function check(name, read, make, sizes) {
  ++texts;
  let before = 0;
  for (const size of sizes) {
    const text = make(size);
    const says = `${name}(${JSON.stringify(make(12).slice(0, 60))}…, ${size})`;
    parentPort.postMessage({ step: says });
    let took = time(read, text);
    // Memory may have been collected meanwhile: only what is slow again is slow.
    const slow = () => took > negligible(size) && before > 0 && took > mostGrowth * before;
    if (slow()) took = least(read, text, 3);
    if (slow()) before = Math.max(...[1, 2, 3].map(() => time(read, make(size / 4))));
    if (slow())
      return parentPort.postMessage({ fault: `${says}: ${Math.round(took)} ms after ${Math.round(before)} ms` });
    before = Math.max(took, 1);
  }
}

// Short ones first, so that what explodes is found at a length where it can still be stopped.
const short = [16, 4096, 16384];
const long = [...short, 65536, 2 ** 18, 2 ** 20];
for (const [name, read] of Object.entries(readers)) {
  for (const token of new Set(tokens)) {
    for (const begin of begins)
      for (const end of ends) {
        const bare = begin === '' && (end === '' || end === ends.at(-1));
        check(name, read, (size) => begin + repeated(token, size) + end, bare ? long : short);
      }
    for (const other of new Set(tokens)) check(name, read, (size) => repeated(token + other, size), short);
  }
}
parentPort.postMessage({ done: texts });
