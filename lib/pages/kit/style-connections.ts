/** Of the consent page and the connected apps. */
export const connectionStyle = `
.parties{display:flex;align-items:center;gap:.6rem;margin:0 0 .75rem;color:var(--soft)}
.mark{flex:none;display:inline-flex;align-items:center;justify-content:center;width:2.75rem;height:2.75rem;border:1px solid var(--line);border-radius:.6rem;background:var(--back);color:var(--text);font-size:1.25rem;font-weight:600;object-fit:contain}
.sees{margin:0 0 1rem;padding:.6rem 1rem;border:1px solid var(--line);border-radius:.5rem}
.sees h2{margin:0;font-size:1rem}
.sees ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(17rem,100%),1fr));gap:0 2rem;font-size:.95rem}
.rules{margin:0 0 1rem;padding:.6rem 1rem;border:1px solid var(--edge);border-radius:.5rem}
.rules h2{margin:0;font-size:1rem}
.rules p,.notice p{margin:.25rem 0 0}
.notice p:first-child{margin:0}
.scopes>p{margin:0 0 .25rem}
.badge.new{color:var(--accent);font-weight:600}
.areas-head,.areas>li{display:grid;grid-template-columns:minmax(6rem,9rem) 1fr 1fr;gap:0 .75rem;align-items:start}
.areas-head{color:var(--soft);font-size:.85rem}
.areas{list-style:none;margin:0;padding:0;font-size:.95rem;line-height:1.35}
.areas>li{border-top:1px solid var(--line)}
.areas .area{padding:.35rem 0;font-weight:600}
.areas .write{grid-column:2}.areas .read{grid-column:3}
.areas .tick{min-height:1.9rem;padding:.3rem 0;gap:.5rem}
.areas .tick input{margin:0}
.stay{position:sticky;bottom:0;margin:1rem -1.75rem -1.75rem;padding:.75rem 1.75rem;background:var(--card);border-top:1px solid var(--line);border-radius:0 0 .75rem .75rem}
.stay button{flex-basis:6rem}
html:has(.stay){scroll-padding-block-end:6rem}
@media (max-height:26rem){.stay{position:static}html:has(.stay){scroll-padding-block-end:0}}
@media (max-width:36rem){.areas-head{display:none}.areas>li{display:block}.areas .area{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}.areas>li{position:relative}}
@media (max-width:26rem){.stay{margin:1rem -1rem -1rem;padding:.6rem 1rem}.scopes,.sees,.rules{padding:.5rem .6rem}}
`;
