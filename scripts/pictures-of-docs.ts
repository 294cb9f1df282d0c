/** A page of the gallery in a picture. */
export interface Part {
  /** The name of an example. */
  readonly example: string;
  /** @default 'own' */
  readonly theme?: 'own' | 'other';
  /** @default 'light' */
  readonly colorScheme?: 'light' | 'dark';
  readonly size: { readonly width: number; readonly height: number };
  /** A selector, for a part of the page. @default what a screen of this size shows */
  readonly element?: string;
}

/** A picture of docs/images. */
export interface Picture {
  readonly file: string;
  readonly width: number;
  readonly columns: number;
  readonly parts: readonly Part[];
}

function onePart(file: string, part: Part): Picture {
  return { file, parts: [part], columns: 1, width: part.size.width };
}

/** A page in the built-in theme and in the other one of the gallery, dark below light. */
function themes(file: string, example: string, size: Part['size']): Picture {
  const parts = (['light', 'dark'] as const).flatMap((colorScheme) =>
    (['own', 'other'] as const).map((theme) => ({ example, theme, colorScheme, size })),
  );
  return { file, width: 720, columns: 2, parts };
}

/** Small, since they are in the repository. */
export const pictures: readonly Picture[] = [
  {
    file: 'overview.png',
    width: 1008,
    columns: 2,
    parts: [
      { example: 'consent-operators', size: { width: 500, height: 460 } },
      { example: 'connections-client', size: { width: 500, height: 460 } },
    ],
  },
  onePart('consent.png', { example: 'consent-operators', size: { width: 520, height: 680 } }),
  onePart('consent-classes.png', {
    example: 'consent-limits',
    size: { width: 520, height: 1600 },
    element: 'fieldset.limits',
  }),
  onePart('apps.png', { example: 'connections', size: { width: 1200, height: 640 } }),
  onePart('school-turn-off.png', { example: 'connections-rule-roles', size: { width: 1000, height: 560 } }),
  onePart('school-requests.png', {
    example: 'applications-asked',
    size: { width: 1100, height: 1200 },
    element: 'main li[aria-labelledby]:last-child',
  }),
  onePart('school-person.png', { example: 'person', size: { width: 1100, height: 760 } }),
  themes('theme-consent.jpg', 'consent-registered', { width: 760, height: 560 }),
  themes('theme-app.jpg', 'connections-rule', { width: 1180, height: 620 }),
];
