// Made from the core by scripts/generate-vocabulary.mjs; not to be changed by hand.

import type { CodeSystem } from '../engine/engine';

/** Every system that a question is written for, in the order of the page's tabs. */
export const systems: readonly { readonly id: CodeSystem; readonly title: string }[] = [
  { id: 'numpy', title: 'NumPy' },
  { id: 'pytorch', title: 'PyTorch' },
  { id: 'jax', title: 'JAX' },
  { id: 'tensorflow', title: 'TensorFlow' },
  { id: 'onnx', title: 'ONNX' },
  { id: 'openvino', title: 'OpenVINO' },
  { id: 'openvino-ir', title: 'OpenVINO IR' },
  { id: 'broadloom-js', title: 'Broadloom, JavaScript' },
  { id: 'broadloom-cpp', title: 'Broadloom, C++' },
];

/** The most values of an operand that are written one by one. */
export const mostListed = 1000;
