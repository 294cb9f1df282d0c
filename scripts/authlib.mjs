// Authlib and Flask, for the tests of a release.
import { findPython } from './python-packages.mjs';

export function findAuthlib() {
  return findPython('authlib', ['authlib==1.9.*', 'flask==3.*', 'requests==2.*']);
}
