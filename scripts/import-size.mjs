// Prints the bytes of the files that importing modules loads. Copy it to where they are installed: `node import-size.mjs campus-oidc koa`.
import { statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const usage = `usage: node import-size.mjs MODULE...

Prints the bytes of the files that importing modules loads. Copy it to where they are installed.`;

if (process.argv.includes('--help')) {
  console.log(usage);
  process.exit();
}

const files = new Set();
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) files.add(fileURLToPath(url));
    return next(url, context);
  },
});

for (const name of process.argv.slice(2)) await import(name);
console.log([...files].reduce((bytes, file) => bytes + statSync(file).size, 0));
