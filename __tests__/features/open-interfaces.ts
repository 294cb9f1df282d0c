import { join } from 'node:path';
import { API } from 'typescript/unstable/sync';

const root = join(import.meta.dirname, '../..');
const config = join(root, 'tsconfig.types.json');

/** The interfaces of `lib` that features extend with `declare module`, each with the names of its members. */
export function openInterfaces(): ReadonlyMap<string, readonly string[]> {
  const api = new API({ cwd: root });
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (!project) throw new Error(`the compiler cannot open ${config}`);
    const { checker, program } = project;
    const found = new Map<string, readonly string[]>();
    for (const file of program.getSourceFileNames().filter((path) => path.startsWith(join(root, 'lib')))) {
      const source = program.getSourceFile(file);
      const module = source && checker.getSymbolAtLocation(source);
      for (const exported of module?.getExports().values() ?? []) {
        if (exported.declarations.every(({ path }) => path === source?.path)) continue;
        const members = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(exported));
        found.set(exported.name, members.map(({ name }) => name).sort());
      }
    }
    return found;
  } finally {
    api.close();
  }
}
