export const pseudonymsFindings = {
  'pseudonyms-off': [
    'warning',
    'set the option pseudonyms again, with the same key; without it these get no tokens, since nobody may be known to them by name',
  ],
} as const;
