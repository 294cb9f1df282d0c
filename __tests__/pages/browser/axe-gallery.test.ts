import { galleryTests } from './axe.ts';

galleryTests();
