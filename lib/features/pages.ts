import { assistantPages } from './assistants/pages.ts';
import type { ToolPages } from './feature-pages.ts';

/** The pages of features for people who connect a program to the tools. At most one has a page at their addresses. */
export const featurePages: readonly ToolPages[] = [assistantPages];
