export interface PythonWithPackages {
  bin: string;
  env: Record<string, string>;
}
export function findPython(name: string, packages: readonly string[]): PythonWithPackages | undefined;
