/** The names of its pages, for a template of the host. */
export type AssistantsPageName = 'check' | 'assistants';
