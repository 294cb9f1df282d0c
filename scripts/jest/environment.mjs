// Jest's environment for Node, with an ordinary global object. That of Jest is intercepted by Node and a proxy: each `Object`, `Map` or
// `JSON` of a test is a call of both, which took a third of the processor's time of `npm test`.
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const { createContext } = vm;

export default class OrdinaryGlobal extends TestEnvironment {
  constructor(config, context) {
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
    if (this.global !== this.context)
      throw new Error('jest-environment-node does not take its context from createContext');
    // As in production. Jest keeps a hundred frames of each error.
    this.global.Error.stackTraceLimit = 10;
  }
}
