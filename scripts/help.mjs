/** With `--help`, says how a script is called and does nothing else. */
export function printHelp(usage) {
  if (!process.argv.slice(2).includes('--help')) return;
  console.log(usage);
  process.exit();
}
