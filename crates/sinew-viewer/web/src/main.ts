import { start } from './app';
import { connect } from './link/connect';

start(connect);
