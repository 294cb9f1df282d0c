import type { Site } from '../../host/school-platform.ts';
import { readableAccent } from './accent.ts';

/** Custom properties of a theme begin with `--campus-` in the pages, and those that are no matter of a theme with `--c-`: they are none of a template's. */
const css = `
:root{color-scheme:light dark;--font:system-ui,"Noto Sans TC","PingFang TC","Microsoft JhengHei",sans-serif;--size-1:.8125rem;--size-2:1rem;--size-3:1.25rem;--size-4:1.75rem;--density:1;--space-1:calc(.25rem*var(--density));--space-2:calc(.5rem*var(--density));--space-3:calc(.75rem*var(--density));--space-4:calc(1rem*var(--density));--space-5:calc(1.5rem*var(--density));--space-6:calc(2.5rem*var(--density));--radius:.5rem;--control:3rem;--shadow:0 1px 2px #0001,0 16px 40px -12px #1118271f;--text:#16191f;--soft:#575e6c;--back:#f3f4f7;--card:#fff;--hover:#f4f5f8;--line:#e1e4ea;--edge:#7d8593;--accent:#1d5bbf;--on-accent:#fff;--warn:#7a4700;--warn-back:#fdf2dd;--good:#14653a;--good-back:#e4f5eb;--bad:#b3231b;--bad-back:#fdeceb;--icons:inline}
html{--c-main:var(--accent);--c-tint:color-mix(in srgb,var(--c-main) 10%,var(--card));--c-rule:1px solid var(--line);--c-pad:var(--space-6)}
@media (prefers-color-scheme:dark){:root{--shadow:0 0 0 1px #fff1;--text:#e8ebf1;--soft:#a2aab9;--back:#0c0f14;--card:#151920;--hover:#1d222b;--line:#2a303b;--edge:#747e90;--accent:#8fb5ff;--on-accent:#0a1424;--warn:#f4c67a;--warn-back:#2b210f;--good:#86d9a8;--good-back:#10281b;--bad:#ff9d94;--bad-back:#351a19}html{--c-main:var(--accent-dark,var(--accent))}}
*,::before,::after{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:var(--size-2)/1.5 var(--font);overflow-wrap:anywhere}
:where(h1,h2,h3,p,ul,ol,dl,dd,pre,fieldset,legend,summary){min-width:0;margin:0;padding:0;border:0;list-style:none}
h1{font-size:clamp(1.375rem,1.1rem + 1.4vw,var(--size-4));line-height:1.25;letter-spacing:-.015em;text-wrap:balance}
p{text-wrap:pretty}
h2,legend{font-size:var(--size-3);line-height:1.4}
h1,h2,h3,b,strong,th,legend,.field>label:not(.row),.status,.badge,summary,.school,.console a,.problem{font-weight:600}
h3,th,dt,.events time,.soft,.hint,.badge,.status,.person,.languages,.search label,.trust,.tabs span{font-size:var(--size-1)}
h3,dt,th,td.more,.events time,.events svg,.soft,.hint,.person,.languages,.row>svg,.console a,::placeholder{color:var(--soft)}
.notice h2,.problems h2,summary h2,.rail :is(legend,h2){font-size:inherit}
a{padding-block:.3rem;color:var(--c-main);text-underline-offset:.2em}
svg.icon{display:var(--icons);flex:none;width:1.25rem;height:1.25rem;fill:none;stroke:currentColor;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}
.skip{position:absolute;z-index:4}
.hide,.skip:not(:focus){position:absolute;width:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
[dir=rtl] .flip{scale:-1 1}
:focus-visible{outline:3px solid var(--c-main);outline-offset:2px}
[role=status]:focus-visible{outline:0}
main,header,.example{max-width:30rem;margin:auto;padding:var(--c-pad)}
header{padding-block:.75rem}
.steps>li,.copy,.search div,.menu{position:relative}
.notice,.problems,.row,summary,pre,.menu>div,.console a{border-radius:var(--radius)}
main,.stay,.menu>div{background:var(--card)}
.tile,.status,.badge,.notice.plain,pre{background:var(--hover)}
.person,.requests>li,th,td,.tabs ul{border-bottom:var(--c-rule)}
main{border-radius:calc(2*var(--radius));box-shadow:var(--shadow)}
.wide,:is(header,.example):has(~.wide){max-width:48rem}
:where(main,.flow,form,section,fieldset,details,li)>*+*,.within>div{margin-top:var(--space-3)}
:where(main,main>form,.flow)>*+*{margin-top:var(--space-4)}
[type=hidden]+*{margin-top:0}
:is(main,main>form,.flow)>:is(*+form,*+fieldset,*+.actions,.decide){margin-top:var(--space-5)}
:is(main,.flow)>*+section,section+section,.guide h2{margin-top:var(--space-6)}
.guide>*+*{margin-top:var(--space-4)}
:where(.school,.person,.row,.languages ul,.pages,.actions,.app,.back,.head,summary,.console a){display:flex;align-items:center;gap:var(--space-3);min-height:2.75rem}
.school,.row{color:inherit;text-decoration:none}
.school img{max-width:10rem;height:2rem;object-fit:contain}
.person{margin:-1.5rem 0 0}
.person>span{flex:1;min-width:0}.person a{white-space:nowrap}
.person a,.languages a,nav:not([class]) a{display:inline-block;min-width:2.75rem;padding:0;line-height:2.75rem;text-align:center}
.languages ul{justify-content:center;padding:.75rem;flex-wrap:wrap}
.app,.actions,.pages,.head{flex-wrap:wrap}.head{justify-content:space-between}.app>div{flex:1 1 8rem;min-width:0}.top{align-items:start}
main .back{display:inline-flex;gap:.25rem}main>.back:first-child{margin-top:-1rem}.back+*{margin-top:0}
.tile{flex:none;display:grid;place-items:center;width:3.5rem;height:3.5rem;border:var(--c-rule);border-radius:.875rem;object-fit:contain}
img.tile{padding:.375rem}
.tile svg{display:block}.tile.s{width:2.25rem;height:2.25rem;border-radius:.625rem}
.tile.unknown{border:1.5px dashed var(--edge);background:none;color:var(--soft)}
.tile.round{border-radius:50%}.tile.round,.status,.badge,.notice{border:1px solid transparent}
.status,.badge{display:inline-flex;align-items:center;gap:.3rem;padding:0 .5rem;border-radius:1rem;line-height:1.375rem;white-space:nowrap}
.status svg{width:1rem;height:1rem}
.badge{vertical-align:middle}.badge.new{color:var(--c-main)}
.trust,.notice:has(>svg),.copy,.events>li{display:flex;gap:var(--space-3)}
.notice,.problems{padding:var(--space-3) var(--space-4);background:var(--warn-back)}
.notice>div{flex:1;min-width:0}
.notice.good{background:var(--good-back)}
.row,summary{min-height:var(--control);margin-inline:calc(-1*var(--space-3));padding:var(--space-2) var(--space-3)}
.row>span:not([class]){flex:1;min-width:0}
.hint,.row .soft,td .soft,.effect,.problem{display:block}summary .hint{font-weight:400}
label,summary{cursor:pointer}
a.row:hover,label.row:hover,summary:hover,tbody tr:hover,button:hover,.button:hover{background:var(--hover)}
.row:has(:focus-visible){outline:3px solid var(--c-main)}.row:has(:focus-visible) input{outline:0}
.row:has([type=radio]:checked){background:var(--c-tint)}
:is(main,section,details,.guide)>ul:not([class])>li{margin-block:0;margin-inline:1.25rem 0;list-style:disc}
.areas>li{margin-top:var(--space-2)}.areas label,label.row+label.row{margin-top:0}
:is(.lines,.facts)>*+*{border-top:var(--c-rule)}
.requests>li{display:flex;flex-wrap:wrap;gap:.75rem 1.5rem;padding-block:1.5rem}.requests>li>*{flex:1 1 12rem;margin:0}.requests>li>:first-child{flex:9 1 20rem;min-width:0}.requests p+.actions{margin-top:var(--space-3)}.requests .actions>*,.requests :is(button,.button){flex:auto;width:100%}
.lines .row{border-radius:0}
.events>li{flex-wrap:wrap;padding-block:.375rem}.events>li>*{margin:0}.events svg{margin-top:.125rem}.events time{line-height:1.5rem}.events>li>:is(p,span:not([class])){flex:1 1 8rem;min-width:0}
.facts>div{padding-block:.375rem;display:flex;flex-wrap:wrap;gap:0 1rem}
dt{flex:0 0 7rem;line-height:1.5rem}dd{flex:1 1 10rem;min-width:0}.rail dd{flex-basis:5rem}.rail :is(button,.button){width:100%}
.field{display:grid;grid-template-columns:minmax(0,1fr);gap:var(--space-1)}.field>*{min-width:0}
:where(input,select,textarea){width:100%;min-height:var(--control);padding:.5rem .75rem;border:1px solid var(--edge);border-radius:var(--radius);background:var(--card);color:inherit;font:var(--size-2)/1.5 var(--font)}
code,pre,[readonly]{font:var(--size-1)/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
textarea{padding-block:.8rem;resize:vertical}
[readonly]{background:var(--hover);border-color:var(--line)}
[aria-invalid=true]{border:2px solid var(--bad)}
.big{font-size:var(--size-4);text-align:center}
[type=checkbox],[type=radio]{appearance:none;flex:none;display:grid;place-items:center;width:1.25rem;min-height:0;height:1.25rem;margin:0;padding:0;border-width:1.5px;border-radius:.3rem;cursor:inherit}
[type=radio],[type=radio]::before{border-radius:50%}
input:checked{border-color:var(--c-main);background:var(--c-main)}
input:checked::before{content:"";width:.75rem;height:.75rem;background:var(--on-accent);clip-path:polygon(14% 45%,3% 57%,38% 92%,98% 23%,86% 12%,37% 68%)}
[type=radio]:checked::before{width:.5rem;height:.5rem;clip-path:none}
button,.button{display:inline-block;align-content:center;min-width:2.75rem;min-height:var(--control);padding:.5rem 1rem;border:var(--c-rule);border-radius:var(--radius);background:var(--card);color:inherit;font:600 var(--size-2)/1.25 var(--font);text-align:center;text-decoration:none;cursor:pointer}
:is(button,.button):has(svg){display:inline-flex;align-items:center;justify-content:center;gap:.5rem}
.primary,.primary:hover{border-color:var(--c-main);background:var(--c-main);color:var(--on-accent)}
.primary:hover{filter:brightness(1.1)}
.danger,.problems h2,.problem,.problems a,.bad,svg.bad{color:var(--bad)}.good{color:var(--good)}.warn{color:var(--warn)}
.badge.good,.allowed{background:var(--good-back);color:var(--good)}.badge.warn,.needs-approval{background:var(--warn-back);color:var(--warn)}.problems,.blocked{background:var(--bad-back)}.blocked{color:var(--bad)}.view-only{background:var(--c-tint);color:color-mix(in srgb,var(--c-main) 75%,var(--text))}.notice{color:var(--text)}
button.plain{min-height:2.75rem;padding-inline:.5rem;border-color:transparent;background:none;color:var(--c-main)}
.actions{gap:.5rem}
.stack>*,.stay>*{flex:auto}.full{flex-basis:100%}
.decide{--c-first:17rem;counter-reset:n}.within>.areas :checked{counter-increment:n}
/* Without the text after the slash, the accessible name of the button has no counter in it. */
.n::before{content:" · " counter(n);content:" · " counter(n)/" · " counter(n)}
.none,.decide:not(:has(.within .writes:checked)) .none~.some,.row:not(:has(:checked)) .effect{display:none}.decide:not(:has(.within .writes:checked)) .none{display:inline}
/* A sticky box keeps its margin inside its parent: the buttons stay below the first permission, however far down that is. */
.decide>div:first-child{margin-bottom:calc(1.5rem - var(--c-first))}.decide>div:first-child>*+*{margin-top:var(--space-5)}
.stay{position:sticky;bottom:0;z-index:1;margin:var(--c-first) calc(-1*var(--c-pad)) calc(-1*var(--c-pad));padding:var(--space-4) var(--c-pad);border-top:var(--c-rule);border-radius:0 0 calc(2*var(--radius)) calc(2*var(--radius))}
html:has(.stay){scroll-padding-block-end:10rem}
[hidden]{display:none}
summary::-webkit-details-marker{display:none}
summary::after{content:"";flex:none;width:.5rem;height:.5rem;margin-inline:auto .25rem;border:solid;border-width:0 1.5px 1.5px 0;rotate:45deg}
[open]>summary::after{rotate:225deg}
.tiles,.programs{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(12rem,100%),1fr));gap:.5rem;align-items:start}
.tiles{grid-template-columns:repeat(auto-fill,minmax(8.5rem,1fr))}.tiles .row{gap:.5rem;margin:0;padding:.5rem;border:var(--c-rule)}.programs button{width:100%}
:is(.tiles,.programs) [aria-current]{border-color:var(--c-main);background:var(--c-tint)}
.steps>li{padding-block-end:1.5rem;padding-inline-start:2.5rem;counter-increment:step}
.steps>li::before,.steps>li>svg{content:counter(step);position:absolute;inset-inline-start:0;inset-block-start:0;width:1.5rem;height:1.5rem}
.steps>li::before{border:var(--c-rule);border-radius:50%;font-size:var(--size-1);text-align:center}
.steps>li:has(>svg)::before{visibility:hidden}
.steps>li:not(:last-child)::after{content:"";position:absolute;inset-block:1.75rem .25rem;inset-inline-start:.72rem;border-inline-start:var(--c-rule)}
.copy{flex-wrap:wrap;align-items:center}.copy textarea{flex:1 1 14rem;width:auto;min-width:0;max-width:100%;field-sizing:content;resize:none}
.copy [role=status]{position:absolute;inset-block-start:100%;inset-inline-end:0}
.code textarea{min-height:0;white-space:pre;overflow:auto}
.qr{display:block;width:min(14rem,100%)}
pre{padding:.75rem 1rem}
pre,.scroll{overflow-x:auto}
.search>*+*{margin-top:var(--space-1)}.search div{display:flex;flex-wrap:wrap;align-items:end;gap:.5rem}.search div>input{flex:1 1 12rem;width:auto;min-width:0}.search .narrow{flex:1 1 8rem}.search div>svg{position:absolute;inset-block-start:.875rem;inset-inline-start:.75rem}.search svg+input{padding-inline-start:2.5rem}.search:has(.narrow) svg+input{flex-basis:100%}
table{width:100%;border-collapse:collapse}th,td{padding:.5rem .75rem;text-align:start;line-height:1.3}td:has(.app){width:40%;padding-inline-start:0}.num{text-align:end;font-variant-numeric:tabular-nums;white-space:nowrap}td a{display:inline-block;padding-block:.75rem;margin-block:-.75rem;color:inherit;font-weight:600;text-decoration:none}td a:hover{text-decoration:underline}
.empty{display:grid;justify-items:center;gap:var(--space-3);padding-block:var(--space-6);text-align:center}
.menu>summary{margin:0}.menu>div{position:absolute;z-index:2;inset-inline-end:0;width:min(24rem,100vw - 2rem);padding:.5rem 1.25rem;border:var(--c-rule);box-shadow:var(--shadow)}
.detail{display:grid;grid-template-columns:minmax(0,1fr) 19rem;gap:2.5rem;align-items:start}.rail{position:sticky;top:1rem;padding-inline-start:1.5rem;border-inline-start:var(--c-rule)}.guide :is(th,td){min-width:7rem}.guide td:nth-child(n+3){min-width:11rem}td:first-child>code{white-space:nowrap}
.shell{display:grid;grid-template:auto 1fr/12.5rem minmax(0,1fr);gap:1rem;align-items:start;max-width:72rem;margin:auto;padding-inline:1rem}
header:has(~.shell){max-width:72rem;--c-pad:1.75rem}
.shell>main{grid-area:1/2/3;width:100%;max-width:none;margin:0}.shell .person{flex-wrap:wrap;margin:0;padding:.75rem;border:0}.shell .person a{flex-basis:100%;text-align:start}
.console a{padding-inline:.75rem;text-decoration:none}
.console .badge{margin-inline-start:auto}
.console a:is(:hover,[aria-current]){background:var(--line);color:var(--text)}
.tabs ul{display:flex;flex-wrap:wrap}.tabs a{display:block;padding:.5rem .75rem;color:var(--soft);font-weight:600;line-height:1.75rem;white-space:nowrap;text-decoration:none}
.tabs a:is(:hover,[aria-current]){box-shadow:inset 0 -2px;color:var(--text)}
@media (min-width:60rem){.wide .areas{columns:2;column-gap:2rem}.areas>li{break-inside:avoid}}
@media (max-width:64rem){.detail{grid-template-columns:minmax(0,1fr)}.rail{position:static;padding:1.5rem 0 0;border:0;border-top:var(--c-rule)}}
@media (max-width:52rem){.shell{display:block;padding:0}.shell>main{border-radius:0}.console{position:fixed;z-index:3;inset:auto 0 0;padding-bottom:env(safe-area-inset-bottom);background:var(--card);border-top:var(--c-rule)}.console ul{display:grid;grid-auto-flow:column;grid-auto-columns:1fr}.console a{flex-direction:column;justify-content:center;gap:0;min-height:3.5rem;padding:0;font-size:var(--size-1)}.console a[aria-current]{background:none;color:var(--c-main)}.console .badge{position:absolute;translate:80% -70%}.shell .stay{bottom:3.5rem}.shell~.languages{padding-bottom:5rem}.shell>footer{padding-inline:var(--c-pad);background:var(--card)}}
@media (max-width:44rem){.more,thead:has(+tbody .app){display:none}tr:has(.app){display:block;padding-block:.5rem;border-bottom:var(--c-rule)}tr:has(.app)>td:not(.more){display:block;width:auto;padding:0;border:0}tr:has(.app)>td+td:not(.more){padding-inline-start:3rem}}
@media (max-width:31rem){body{background:var(--card)}html,header:has(~.shell){--c-pad:1rem}main{padding-top:1.5rem;border-radius:0;box-shadow:none}header{border-bottom:var(--c-rule)}.person{margin-top:-1rem}.stay{padding-block:.75rem}.stay button{padding-inline:.75rem}}
@media (max-height:30rem){.stay{position:static}html:has(.stay){scroll-padding-block-end:0}}
@media (forced-colors:active){[type=checkbox],[type=radio]{appearance:auto}input:checked::before{content:none}.primary,[aria-current]{outline:2px solid;outline-offset:-4px}main{border:1px solid}[aria-invalid=true]{border:3px dashed}}
@media print{main{box-shadow:none}.console,.actions,.languages,.person,.no-print{display:none}.shell{display:block}main,header{max-width:none;padding:0}section{break-inside:avoid}}
`
  .replaceAll(/--(?!c-)/g, '--campus-')
  .replaceAll(/\/\*.*?\*\/|\n/g, '');

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
@media (prefers-color-scheme:dark){:root{--campus-accent:${dark};--campus-on-accent:#0a1424}}
`;
}
