// Every system that a question is written for, in the order of the page's tabs.

import { broadloomCpp } from './broadloom-cpp';
import { broadloomJs } from './broadloom-js';
import { jax } from './jax';
import { numpy } from './numpy';
import { onnx } from './onnx';
import { openvino } from './openvino';
import { openvinoIr } from './openvino-ir';
import { pytorch } from './pytorch';
import type { Writer } from './question';
import { tensorflow } from './tensorflow';

export const writers: readonly Writer[] = [
  numpy,
  pytorch,
  jax,
  tensorflow,
  onnx,
  openvino,
  openvinoIr,
  broadloomJs,
  broadloomCpp,
];
