import { axeTests } from './axe.ts';

axeTests('en', 'ltr');
