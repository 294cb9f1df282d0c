import { journeyTests } from './journeys.ts';

// With those of `journeys.test.ts`, each way to use a browser meets each other one.

journeyTests([
  { by: 'mouse', width: 1280, javaScript: true },
  { by: 'mouse', width: 390, javaScript: false },
  { by: 'keyboard', width: 390, javaScript: true },
]);
