// Jest starts first what took longest. Where it has not measured that yet, a long file that starts last runs alone at the end.
import Sequencer from '@jest/test-sequencer';

const long =
  /\/__tests__\/(?:pages\/browser\/axe-|(?:mcp\/)?conformance\b|stores\/contract-|cli\/(?:process|script-help)|(?:hosts\/)?examples\b)/;

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => Number(long.test(path));
    return super.sort(tests).toSorted((a, b) => rank(b) - rank(a));
  }
}
