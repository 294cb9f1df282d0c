import { axeTests } from './axe.ts';

axeTests('zh-Hant', 'ltr');
