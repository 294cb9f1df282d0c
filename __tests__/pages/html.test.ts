import { expect, test } from '@jest/globals';
import { html } from '../../lib/pages/kit/markup.ts';

test('html escapes text, keeps Html, joins lists and omits undefined and false', () => {
  const hostile = `<b>&"'`;
  expect(html`<p title="${hostile}">${hostile}${html`<i>`}${[1, html`<u>`, 'a']}${undefined}${false}</p>`.text).toBe(
    '<p title="&lt;b&gt;&amp;&quot;&#39;">&lt;b&gt;&amp;&quot;&#39;<i>1<u>a</p>',
  );
});
