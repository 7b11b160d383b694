// Files that were dropped, chosen or pasted: models are opened, arrays become values, texts are read as if they were pasted.

import type { Engine } from '../engine/engine';
import { mostRead, readText } from '../paste/follow-paste';
import { giveFiles } from '../store/give-files';
import { state, update } from '../store/store';
import { clean } from './listed-node';
import { open } from './open-model';
import { refusal } from './opened';

type Kind = 'model' | 'weights' | 'array' | 'text' | 'unknown';

const endings: readonly (readonly [RegExp, Kind])[] = [
  [/\.(?:onnx|xml)$/i, 'model'],
  [/\.bin$/i, 'weights'],
  [/\.npy$/i, 'array'],
  [/\.(?:txt|log|out|err|py|md|ipynb)$/i, 'text'],
];

/** What a file is, by its name, or else by its first bytes. */
async function kindOf(file: File): Promise<Kind> {
  const named = endings.find(([ending]) => ending.test(file.name))?.[1];
  if (named) return named;
  const begin = await file
    .slice(0, 512)
    .arrayBuffer()
    .catch(() => new ArrayBuffer(0));
  const text = new TextDecoder('latin1').decode(begin);
  if (text.startsWith('\u0093NUMPY')) return 'array';
  if (/^(?:\u00ef\u00bb\u00bf)?\s*<(?:\?xml|net\b)/.test(text)) return 'model';
  // A field of ONNX's ModelProto: the version of the format, a small number, then the producer or the graph.
  if (/^\u0008[\u0001-\u001f][\u0012\u003a]/.test(text)) return 'model';
  return file.type.startsWith('text/') ? 'text' : 'unknown';
}

const can =
  'It takes models (.onnx, or the .xml of an OpenVINO model with its .bin), arrays (.npy), and texts such as a log with an error.';

/** Takes files; arrays become the values of `operand` and those after it. */
export async function receive(core: Engine, files: readonly File[], operand = 0): Promise<void> {
  refusal.value = null;
  const kinds = await Promise.all(files.map(kindOf));
  const of = (kind: Kind): readonly File[] => files.filter((_, i) => kinds[i] === kind);
  const models = of('model');
  const [model] = models;
  const arrays = of('array');
  const [text] = of('text');
  if (model) {
    const stem = model.name.replace(/\.\w+$/, '');
    const weights = of('weights');
    open(model, weights.find(({ name }) => name.startsWith(`${stem}.`)) ?? weights[0] ?? null, models.length - 1);
  } else if (arrays.length > 0) {
    if (state.value.view !== '') update({ ...state.value, view: '' });
    await giveFiles(core, operand, arrays);
  } else if (text) {
    const read = await text
      .slice(0, mostRead)
      .text()
      .catch(() => null);
    if (read === null) refusal.value = `${clean(text.name, 120)} cannot be read. ${can}`;
    else await readText(core, read);
  } else if (of('weights').length > 0) {
    refusal.value = `A .bin file holds the weights of an OpenVINO model. Drop the .xml file of the model, with or without it.`;
  } else {
    const names = files.length === 1 ? clean(files[0]?.name ?? '', 120) : `${files.length} files`;
    refusal.value = `This page cannot read ${names}. ${can} Export models of other formats to ONNX first.`;
  }
}
