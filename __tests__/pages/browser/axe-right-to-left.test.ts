import { axeTests } from './axe.ts';
import { states } from './states.ts';

const shown = [
  'consent-registered',
  'consent-hostile-name',
  'connected',
  'connected-app',
  'applications',
  'application-problems',
  'application-conflict',
  'application-edit',
  'school-review',
];

axeTests(
  'ar',
  'rtl',
  states.filter(({ name }) => shown.includes(name)),
);
