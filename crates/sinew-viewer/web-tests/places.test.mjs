import { describe } from 'node:test';
import { native, wasm } from './engines.mjs';
import { places } from './places.mjs';
import { rejoining } from './rejoin.mjs';

describe('sinew view', () => places(native));
describe('engine.wasm', () => places(wasm));
describe('sinew view, started again', rejoining);
