import { start } from './app';
import { connect } from './link/connect';

// A tool of the page that another command serves.
if (new URLSearchParams(location.search).get('tool') === 'lips') void import('./lips/app').then((tool) => tool.start());
else start(connect);
