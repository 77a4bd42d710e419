import { describe } from 'node:test';
import { wasm } from './engines.mjs';
import { suite } from './suite.mjs';

describe('engine.wasm', () => suite(wasm));
