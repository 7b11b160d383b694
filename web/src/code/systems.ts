// Every system that a question is written for, in the order of the page's tabs. NumPy's text is shown first, so its writer is
// part of the page; the other writers are loaded when their tabs are chosen.

import { numpy } from './numpy';
import type { Writer } from './question';

export interface System {
  /** Stable: links and tests name it. */
  readonly id: string;
  readonly title: string;
  writer(): Promise<Writer>;
}

export const systems: readonly System[] = [
  { id: 'numpy', title: 'NumPy', writer: async () => numpy },
  { id: 'pytorch', title: 'PyTorch', writer: async () => (await import('./pytorch')).pytorch },
  { id: 'jax', title: 'JAX', writer: async () => (await import('./jax')).jax },
  { id: 'tensorflow', title: 'TensorFlow', writer: async () => (await import('./tensorflow')).tensorflow },
  { id: 'onnx', title: 'ONNX', writer: async () => (await import('./onnx')).onnx },
  { id: 'openvino', title: 'OpenVINO', writer: async () => (await import('./openvino')).openvino },
  { id: 'openvino-ir', title: 'OpenVINO IR', writer: async () => (await import('./openvino-ir')).openvinoIr },
  {
    id: 'broadloom-js',
    title: 'Broadloom, JavaScript',
    writer: async () => (await import('./broadloom-js')).broadloomJs,
  },
  { id: 'broadloom-cpp', title: 'Broadloom, C++', writer: async () => (await import('./broadloom-cpp')).broadloomCpp },
];
