import type { PythonWithPackages } from './python-packages.mjs';

export function findAuthlib(): PythonWithPackages | undefined;
