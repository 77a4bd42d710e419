import { describe } from 'node:test';
import { wasm } from './engines.mjs';
import { layout } from './layout.mjs';

// The page is the same with both engines; this one needs no other process.
describe('layout', () => layout(wasm));
