/** Styles of the consent page and the connected apps. */
export const connectionStyle = `
.wide:has(.areas),.school:has(+.wide .areas){max-width:60rem}
.parties{display:flex;align-items:center;gap:.6rem;margin:-.5rem 0 .75rem;color:var(--soft)}
.mark{flex:none;display:inline-flex;align-items:center;justify-content:center;width:2.5rem;height:2.5rem;border:1px solid var(--line);border-radius:.6rem;background:var(--back);color:var(--text);font-size:1.2rem;font-weight:600;object-fit:contain}
[dir=rtl] .parties>.towards{transform:scaleX(-1)}
.facts{display:block}.wide .facts{display:flex;flex-wrap:wrap;gap:0 1.5rem}
.facts div{margin:0 0 .2rem}.facts dt,.facts dd{display:inline}.facts dt::after{content:":"}
.sees,.rules{margin:0 0 1rem;padding:.5rem 1rem;border:1px solid var(--line);border-radius:.5rem}
.sees h2,.rules h2,.scopes legend h2{margin:0;font-size:1rem}
.sees ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(15rem,100%),1fr));gap:0 2rem;margin:.1rem 0;font-size:.95rem}
.rules{border-color:var(--edge)}
.rules p,.notice p{margin:.25rem 0 0}
.notice p:first-child{margin:0}
.scopes:has(.areas){padding:.25rem 1rem .5rem}.scopes>p{margin:0}
.badge.new{color:var(--accent);font-weight:600}
.areas-head,.areas>li{display:grid;grid-template-columns:6.5rem 1.2fr 1fr;gap:0 .75rem;align-items:start}
.wide :is(.areas-head,.areas>li){grid-template-columns:9.5rem 1fr 1fr}
.areas-head{color:var(--soft);font-size:.85rem}
.areas{list-style:none;margin:0;padding:0;font-size:.9rem;line-height:1.3}
.areas>li{position:relative;border-top:1px solid var(--line)}
.areas h3{margin:0;padding:.25rem 0;color:var(--text)}
.areas .write{grid-column:2}.areas .read{grid-column:3}
.areas .tick{min-height:1.6rem;padding:.2rem 0;gap:.5rem}
.areas .tick input{margin:0;width:1.15rem;height:1.15rem}
.stay{position:sticky;bottom:0;margin:1rem -1.75rem -1.75rem;padding:.6rem 1.75rem;background:var(--card);border-top:1px solid var(--line);border-radius:0 0 .75rem .75rem}
.stay button{flex-basis:6rem}
html:has(.stay){scroll-padding-block-end:6rem}
.apps{list-style:none;margin:0 0 1rem;padding:0}
.apps>li{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .75rem;padding:.5rem 0;border-top:1px solid var(--line)}
.apps .mark{width:2.25rem;height:2.25rem;font-size:1.05rem}
.apps>li>div{flex:1 1 8rem;min-width:0}
.apps h2{font-size:1rem}.apps p{margin:0}
.apps button{min-height:2.25rem;padding:.3rem .75rem;font-size:.9rem}
.apps a{display:inline-block;padding:.1rem 0}
.search label{display:block;font-weight:600}
.search div{display:flex;flex-wrap:wrap;gap:.5rem;margin:0 0 1rem}.search input{flex:1 1 12rem;width:auto}
input[type=search]{min-height:2.75rem;padding:.5rem .65rem;border:1px solid var(--edge);border-radius:.4rem;background:var(--card);color:var(--text);font:inherit}
.pages{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;margin:0 0 1rem}
@media (max-height:26rem){.stay{position:static}html:has(.stay){scroll-padding-block-end:0}}
@media (max-width:40rem){.areas-head{display:none}.areas>li,.wide .areas>li{display:block}.areas h3{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.sees ul{display:block;padding:0}.sees li{display:inline}.sees li:not(:last-child)::after{content:" · "}}
@media (max-width:26rem){.apps .mark{display:none}.stay{margin:1rem -1rem -1rem;padding:.5rem 1rem}.scopes,.sees,.rules{padding:.4rem .6rem}.notice{padding:.5rem .75rem}}
`;
