// Jest's environment for Node, with an ordinary global object. That of Jest is intercepted by Node and a proxy: each `Object`, `Map` or
// `JSON` of a test is a call of both, which took a third of the processor's time of `npm test`.
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const { createContext, SourceTextModule } = vm;

/** What V8 compiled of each module, for the next test file that loads it. A file loads about a thousand. */
const compilations = new Map();

vm.SourceTextModule = class extends SourceTextModule {
  constructor(code, options) {
    const known = compilations.get(options.identifier);
    if (known?.code === code) {
      try {
        super(code, { ...options, cachedData: known.cachedData });
        return;
      } catch (error) {
        // V8 refuses what it compiled before a test set one of its flags.
        if (error.code !== 'ERR_VM_MODULE_CACHED_DATA_REJECTED') throw error;
      }
    }
    super(code, options);
    compilations.set(options.identifier, { code, cachedData: this.createCachedData() });
  }
};

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
