/** Styles of the operators' pages. */
export const operatorStyle = `
.pages{display:flex;flex-wrap:wrap;align-items:center;gap:.75rem;margin:1rem 0}
.programs{display:flex;flex-wrap:wrap;gap:.5rem;list-style:none;margin:.5rem 0 1.5rem;padding:0}
.programs a{display:inline-block;padding:.35rem .75rem;border:1px solid var(--edge);border-radius:1.5rem;text-decoration:none}
.programs a[aria-current]{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.tick .hint{margin:0}
.code textarea{min-height:0;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.85rem;white-space:pre;overflow:auto}
.code .copy{align-items:flex-start}
.facts dd{font-weight:400}
@media (forced-colors:active){.programs a[aria-current]{border-width:3px}}
`;
