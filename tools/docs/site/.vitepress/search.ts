/**
 * What the search prefers: the runbook, incidents and tasks before what is generated. VitePress sends the function to browsers as text, so it uses
 * nothing from outside.
 */
export const searchOptions = {
  fuzzy: 0.2,
  prefix: true,
  boost: { title: 4, text: 2, titles: 1 },
  boostDocument: (id: string): number => {
    if (/^\/operate\/(?:runbook|incidents|production)/.test(id)) return 3;
    if (/^\/(?:get-started|guides|operate|security|schools)\b/.test(id)) return id.includes('changelog') ? 0.2 : 2;
    if (id.startsWith('/concepts/')) return 1.5;
    return id.startsWith('/reference/api') ? 0.2 : 0.7;
  },
};
