import { axeTests, galleryTests } from './axe.ts';

axeTests('en', 'ltr');
galleryTests();
