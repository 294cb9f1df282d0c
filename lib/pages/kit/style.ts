import type { Site } from '../../host/school-platform.ts';
import { readableAccent } from './accent.ts';

/** Custom properties begin with `--campus-` in the pages, so that they are none of a template's. */
const css = `
:root{color-scheme:light dark;--radius:.5rem;--density:1;--font:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Sans TC","PingFang TC","Microsoft JhengHei",sans-serif;--text:#1c2330;--soft:#4d5666;--back:#f3f5f8;--card:#fff;--line:#c9d0da;--edge:#7b8698;--accent:#1f5fbf;--on-accent:#fff;--warn:#6b4200;--warn-back:#fff4dc;--bad:#a8201a;--good:#1b5e34;--good-back:#e5f5ea}
@media (prefers-color-scheme:dark){:root{--text:#e8ecf3;--soft:#aeb7c6;--back:#12161d;--card:#1b212b;--line:#3b4554;--edge:#8591a5;--accent:#8ab4ff;--on-accent:#0c1524;--warn:#ffd591;--warn-back:#33270f;--bad:#ffb0a8;--good:#a5e0b8;--good-back:#12301d}}
*{box-sizing:border-box}
body{margin:0;padding:1rem;background:var(--back);color:var(--text);font:1rem/1.5 var(--font);overflow-wrap:anywhere}
header,.console,.languages{max-width:36rem;margin:.5rem auto 0}
.school{display:inline-flex;align-items:center;gap:.75rem;min-height:1.5rem;color:inherit;font-weight:600;text-decoration:none}
.school:hover{text-decoration:underline}
.school img{max-width:10rem;height:2.5rem;object-fit:contain}
main{--pad:calc(1.75rem*var(--density));max-width:36rem;margin:.75rem auto;padding:var(--pad);background:var(--card);border:1px solid var(--line);border-radius:calc(1.5*var(--radius))}
.wide,:is(header,.console):has(~.wide),.wide+.languages{max-width:48rem}
h1{margin:0 0 1rem;font-size:1.5rem;line-height:1.3}
h2{margin:0;font-size:1.1rem;line-height:1.4}
h3{margin:.75rem 0 .25rem;font-size:.9rem;color:var(--soft);font-weight:600}
p{margin:0 0 calc(1rem*var(--density))}
a{padding-block:.3rem;color:var(--accent)}
ul{margin:.25rem 0;padding-inline-start:1.25rem}
dl{display:grid;grid-template-columns:auto 1fr;gap:.4rem 1rem;margin:0 0 1rem}
dt{color:var(--soft)}dd{margin:0;font-weight:600}
.person{margin:0 0 1.25rem;padding-bottom:.75rem;border-bottom:1px solid var(--line);color:var(--soft);font-size:.9rem}
.soft,.hint{color:var(--soft);font-size:.9rem}
.hint{display:block;margin:.1rem 0 .35rem}
.badge{display:inline-block;padding:0 .5rem;border:1px solid currentColor;border-radius:1rem;color:var(--soft);font-size:.8rem;font-weight:400;line-height:1.4;vertical-align:middle}
.badge.warn{color:var(--warn)}.badge.good{color:var(--good)}
.notice{margin:0 0 1rem;padding:.75rem 1rem;background:var(--warn-back);color:var(--warn);border-radius:var(--radius);border-inline-start:.25rem solid currentColor}
.notice.good{background:var(--good-back);color:var(--good)}
.problems{margin:0 0 1.5rem;padding:1rem;border:2px solid var(--bad);border-radius:var(--radius)}
.problems h2,.problems a,.problem{color:var(--bad)}
.problem{display:block;margin:.1rem 0 .35rem;font-weight:600}
fieldset{min-width:0;margin:0 0 1.25rem;padding:0;border:0}
legend{padding:0;font-size:1.1rem;font-weight:600}
.scopes{padding:.75rem 1rem;border:1px solid var(--line);border-radius:var(--radius)}
.scopes legend{padding-inline:.35rem;margin-inline-start:-.35rem}
.tick{display:flex;align-items:flex-start;gap:.6rem;min-height:2rem;padding:.25rem 0}
.tick input{flex:none;width:1.5rem;height:1.5rem;margin:0;accent-color:var(--accent)}
.columns{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(17rem,100%),1fr));gap:0 1.5rem}
.columns fieldset{margin:0 0 .75rem}
.columns legend{font-size:.9rem;color:var(--soft)}
.field{margin:0 0 calc(1.25rem*var(--density))}
.field>label,.label{display:block;font-weight:600}
:where(input[type=text],input[type=search],select,textarea){width:100%;min-height:2.75rem;padding:.5rem .65rem;border:1px solid var(--edge);border-radius:calc(.8*var(--radius));background:var(--card);color:var(--text);font:inherit}
textarea{min-height:6rem;resize:vertical}
[readonly]{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.95rem}
[aria-invalid=true]{border-color:var(--bad);border-width:2px}
.copy{position:relative;display:flex;flex-wrap:wrap;align-items:center;gap:.5rem}.copy textarea{flex:1 1 14rem;width:auto;min-height:2.75rem;field-sizing:content;resize:none;overflow-wrap:anywhere}.copy button{flex:0 1 auto}
.copy [role=status]{position:absolute;inset-block-start:100%;inset-inline-end:0;line-height:1.3}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;margin:1.5rem 0 0}
button,.button{flex:1 1 8rem;min-height:2.75rem;padding:.55rem 1rem;border:1px solid var(--accent);border-radius:var(--radius);background:transparent;color:var(--accent);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
.primary{background:var(--accent);color:var(--on-accent)}
.danger{border-color:var(--bad);color:var(--bad)}
.small{display:inline-block;flex:0 1 auto}
[hidden]{display:none}
.cards{list-style:none;margin:1.25rem 0;padding:0}
.cards>li{margin:0 0 calc(1rem*var(--density));padding:calc(1rem*var(--density));border:1px solid var(--line);border-radius:var(--radius)}
.cards>li>:last-child{margin-bottom:0}
.cards dl{margin:.75rem 0;font-size:.95rem}.cards dd{font-weight:400}
code{font-size:.9rem}
pre{max-width:100%;margin:0 0 1rem;padding:.75rem 1rem;overflow-x:auto;background:var(--back);border:1px solid var(--line);border-radius:var(--radius)}
details{margin:0 0 .75rem;padding:.5rem .75rem;border:1px solid var(--line);border-radius:var(--radius)}
summary{padding:.25rem 0;font-weight:600;cursor:pointer}
.scroll{margin:0 0 1rem;overflow-x:auto}
table{border-collapse:collapse}th,td{min-width:7rem;padding:.4rem .6rem;border:1px solid var(--line);text-align:start;vertical-align:top}
.guide h2{margin-top:2rem}
section{margin-top:calc(2rem*var(--density));padding-top:calc(1.25rem*var(--density));border-top:1px solid var(--line)}
section h2{margin-bottom:.5rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media (max-width:26rem){body{padding:.5rem}main{--pad:calc(1rem*var(--density))}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.5rem}}
@media (forced-colors:active){.primary{border-width:3px}[aria-invalid=true]{border:3px dashed}}
/* The consent page and the connected apps. */
.wide:has(.areas),:is(header,.console):has(~.wide .areas),.wide:has(.areas)+.languages{max-width:60rem}
.parties{display:flex;align-items:center;gap:.6rem;margin:-.5rem 0 .75rem;color:var(--soft)}
.mark{flex:none;display:inline-flex;align-items:center;justify-content:center;width:2.5rem;height:2.5rem;border:1px solid var(--line);border-radius:.6rem;background:var(--back);color:var(--text);font-size:1.2rem;font-weight:600;object-fit:contain}
img.mark{padding:.2rem}
[dir=rtl] .parties>.towards{transform:scaleX(-1)}
.facts{display:block}.wide .facts{display:flex;flex-wrap:wrap;gap:0 1.5rem}
.facts div{margin:0 0 .2rem}.facts dt,.facts dd{display:inline}.facts dt::after{content:":"}:lang(zh) .facts dt::after{content:"："}
.decide .scopes,.decide .sees{margin-bottom:.5rem;padding-block:.25rem}.summary{margin-bottom:.75rem;font-size:1.1rem}
.rules{margin:0 0 1rem;padding:.5rem 1rem;border:1px solid var(--line);border-radius:var(--radius)}
summary h2{display:inline}.sees h2,.rules h2,.scopes legend h2{margin:0;font-size:1rem}
.sees ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(15rem,100%),1fr));gap:0 2rem;margin:.1rem 0;font-size:.95rem}
.rules{border-color:var(--edge)}
.rules p,.notice p{margin:.25rem 0 0}
.notice h2{font-size:1rem}.notice p:first-child{margin:0}
.scopes:has(.areas){padding:.25rem 1rem .5rem}.scopes>p{margin:0}
.badge.new{color:var(--accent);font-weight:600}
.areas-head,.areas>li{display:grid;grid-template-columns:6.5rem 1.2fr 1fr;gap:0 .75rem;align-items:start}
.wide :is(.areas-head,.areas>li){grid-template-columns:9.5rem 1fr 1fr}
.select{display:flex;flex-wrap:wrap;align-items:center;gap:.35rem .5rem;padding:.25rem 0}.select button{flex:none;min-height:0;padding:.2rem .75rem;font-size:.9rem}
.within>details{margin:.5rem 0;padding:.25rem .5rem}
.decide{counter-reset:within ticked}.within>.areas input:checked{counter-increment:within ticked}.beyond>.areas input:checked{counter-increment:ticked}
/* Without the text after the slash, the accessible name of the button has no counter in it. */
[data-of]::after{content:" · " counter(within) attr(data-of);content:" · " counter(within) attr(data-of)/" · " counter(within) attr(data-of)}
[value=approve][data-of]::after{content:" · " counter(ticked) attr(data-of);content:" · " counter(ticked) attr(data-of)/" · " counter(ticked) attr(data-of)}
.areas-head{color:var(--soft);font-size:.85rem}
.areas{list-style:none;margin:0;padding:0;font-size:.9rem;line-height:1.3}
.areas>li{position:relative;border-top:1px solid var(--line)}
.areas .badge{padding:0 .4rem;font-size:.75rem;line-height:1.2}
.areas h3{margin:0;padding:.25rem 0;color:var(--text)}
.areas .write{grid-column:2}.areas .read{grid-column:3}.areas:not(:has(.write)) .read,.areas:not(:has(.read)) .write{grid-column:2/-1}
.areas .tick{align-items:center;min-height:1.6rem;padding:0;gap:.5rem}
/* A sticky box keeps its margin inside its parent: the buttons stay below the first permission, however far down that is. */
.decide{--first:14rem}.decide>div:first-child{margin-bottom:calc(1rem - var(--first))}
.stay{position:sticky;bottom:0;margin:var(--first) calc(-1*var(--pad)) calc(-1*var(--pad));padding:.6rem var(--pad);background:var(--card);border-top:1px solid var(--line);border-radius:0 0 calc(1.5*var(--radius)) calc(1.5*var(--radius))}
.stay button{flex-basis:6rem}
html:has(.stay){scroll-padding-block-end:9rem}
.apps{list-style:none;margin:0 0 1rem;padding:0}
.apps>li{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .75rem;padding:calc(.5rem*var(--density)) 0;border-top:1px solid var(--line)}
.apps .mark{width:2.25rem;height:2.25rem;font-size:1.05rem}
.apps>li>div{flex:1 1 8rem;min-width:0}
.apps h2{font-size:1rem}.apps p{margin:0}
.apps button{min-height:2.25rem;padding:.3rem .75rem;font-size:.9rem}
.search label{display:block;font-weight:600}
.search div{display:flex;flex-wrap:wrap;align-items:end;gap:.5rem;margin:0 0 1rem}.search input{flex:1 1 12rem;width:auto}.search .menu{flex:1 1 8rem;font-weight:400;font-size:.9rem}.search:has(.menu) input{flex-basis:100%}
@media (min-width:40rem){.decide{--first:9.5rem}}
@media (max-height:26rem){.stay{position:static}html:has(.stay){scroll-padding-block-end:0}}
@media (max-width:40rem){.areas-head{display:none}.areas>li,.wide .areas>li{display:block}.areas h3{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.sees ul{display:block;padding:0}.sees li{display:inline}.sees li:not(:last-child)::after{content:" · "}}
@media (max-width:26rem){.apps .mark{display:none}.stay{padding-block:.5rem}.scopes,.sees,.rules{padding:.4rem .6rem}.notice{padding:.5rem .75rem}}
/* The consoles. */
.console ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;margin:0;padding:0}
.console a{display:block;padding:.35rem 0;text-decoration:none}
.console a:hover{text-decoration:underline}.console [aria-current]{border-bottom:3px solid;color:var(--text);font-weight:600}
.events{list-style:none;margin:0 0 1rem;padding:0}.events>li{display:flex;flex-wrap:wrap;gap:0 .75rem;padding:calc(.4rem*var(--density)) 0}.events>li+li{border-top:1px solid var(--line)}
.events time{flex:none;min-width:4.5rem;color:var(--soft)}.events span{flex:1 1 16rem;min-width:0}
.pages{display:flex;flex-wrap:wrap;align-items:center;gap:.75rem;margin:1rem 0}
.programs{display:flex;flex-wrap:wrap;gap:.5rem;list-style:none;margin:.5rem 0 1.5rem;padding:0}
.programs button{min-height:0;padding:.35rem .75rem;border-color:var(--edge);border-radius:1.5rem;font-weight:400}
.programs [aria-current]{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.tick .hint{margin:0}
.qr{display:block;width:min(14rem,100%);height:auto;margin:.5rem 0}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(13rem,100%),1fr));gap:.5rem;align-items:start}
.tiles details{margin:0;min-width:0}.tiles details[open]{grid-column:1/-1}
.code textarea{min-height:0;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.85rem;white-space:pre;overflow:auto}
.code .copy{align-items:flex-start}
.facts dd{font-weight:400}
@media (forced-colors:active){.programs [aria-current]{border-width:3px}}
.example{max-width:36rem;margin:.5rem auto 0}:is(header,.example):has(~.wide){max-width:48rem}:is(header,.example):has(~.wide .areas){max-width:60rem}.languages ul{display:flex;flex-wrap:wrap;justify-content:flex-end;gap:.25rem 1rem;list-style:none;margin:0;padding:0;font-size:.9rem}
`.replaceAll('--', '--campus-');

export function styleOf({ colours, stylesheet }: Site): string {
  const accent = colours?.accent === undefined ? undefined : readableAccent(colours.accent);
  return `${css}${accent ? accentOf(accent) : ''}${inElement(stylesheet ?? '')}`;
}

/**
 * A school's CSS as the text of an element: to CSS `<\/` is what `</` is, and cannot end it. Characters that a browser changes when it
 * reads a document would change the hash.
 */
function inElement(stylesheet: string): string {
  return stylesheet.replaceAll('</', '<\\/').replaceAll(/\r\n?/g, '\n').replaceAll('\0', '');
}

function accentOf({ light, dark }: { readonly light: string; readonly dark: string }): string {
  return `:root{--campus-accent:${light};--campus-on-accent:#fff}
@media (prefers-color-scheme:dark){:root{--campus-accent:${dark};--campus-on-accent:#0c1524}}
`;
}
