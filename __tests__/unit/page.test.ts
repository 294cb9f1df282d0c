import { expect, test } from '@jest/globals';
import { readPage } from '../helpers/page.ts';

const page = readPage(`<!doctype html><html lang="en"><title>A &amp; B</title><style>p{}</style>
<nav aria-label="Sections"><ul><li><a href="/a?b&amp;c">First  <bdi>one</bdi></a></li><li aria-hidden="true"><a href="/x">X</a></ul></nav>
<h1 id="title">Edit <bdi>&lt;b&gt;</bdi></h1><h2>Facts</h2><dl><dt>Port</dt><dd><code>80</code><dt>Host</dt><dd>a.example</dd></dl>
<form aria-labelledby="title"><input type="hidden" name="csrf" value="token"><label for="name">Name</label><span id="hint">At most <b>9</b></span>
<input id="name" name="name" value="Timer" aria-describedby="hint"><label><input type="checkbox" name="on" value="a" checked> A</label>
<label><input type="checkbox" name="on" value="b">B <span>new</span></label><select name="of"><option value="1">One<option value="2" selected>Two</select>
<textarea name="note" aria-label="Note">
 two
lines</textarea><button name="action" value="save">Save</button><button hidden>Copy</button></form>`);

test('finds by role and name, and leaves out what is hidden', () => {
  expect([page.title, page.attribute('lang')]).toEqual(['A & B', 'en']);
  expect(page.getByRole('link', { name: 'First one' }).href).toBe('/a?b&c');
  expect(page.getByRole('navigation', { name: 'Sections' }).getAllByRole('listitem')).toHaveLength(1);
  expect(page.getByRole('heading', { level: 1 }).name).toBe('Edit <b>');
  expect(page.getByRole('checkbox', { name: 'B new' }).checked).toBe(false);
  expect(page.getAllByRole('button').map(({ name, value }) => [name, value])).toEqual([['Save', 'save']]);
  expect(page.getByText(/^At/).text).toBe('At most 9');
  expect(page.facts).toEqual({ Port: '80', Host: 'a.example' });
});

test('has the fields of a form as a browser sends them', () => {
  const form = page.getByRole('form', { name: 'Edit <b>' });
  const sent = { csrf: 'token', name: 'Timer', on: 'a', of: '2', note: ' two\nlines' };
  expect(Object.fromEntries(form.fields)).toEqual(sent);
  expect([form.field('csrf'), form.getByLabelText('Name').description]).toEqual(['token', 'At most 9']);
});

test('says what there is instead of what it did not find, or found several times', () => {
  expect(() => page.getByRole('link', { name: 'Second' })).toThrow('no link of name Second; there are: "First one"');
  expect(() => page.getByRole('checkbox')).toThrow('2 times checkbox : "A", "B new"');
  expect(() => page.getByLabelText('Website')).toThrow('there are: "Name", "A", "B new", "One Two", "Note"');
  expect(() => page.field('version')).toThrow('no field version; there are: csrf,name,on,of,note');
  expect(page.queryByRole('alert')).toBeUndefined();
});
