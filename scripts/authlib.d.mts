export interface PythonWithAuthlib {
  bin: string;
  env: Record<string, string>;
}
export function findAuthlib(): PythonWithAuthlib | undefined;
