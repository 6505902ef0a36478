// The scenarios, in the order in which they are played.
import * as tools from './scenarios/tools.mjs';

export const scenarios = {
  start: tools.start,
  call: tools.call,
};
