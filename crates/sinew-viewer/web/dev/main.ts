import { start } from '../src/app';
import { connectMock } from './mock';

start(connectMock);
