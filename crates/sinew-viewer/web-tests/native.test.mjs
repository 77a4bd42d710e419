import { describe } from 'node:test';
import { native } from './engines.mjs';
import { suite } from './suite.mjs';

describe('sinew view', () => suite(native));
