/** The entries of a version. Throws where the changelog has none. */
export function notesOf(changelog: string, version: string): string;
/** The changelog with its unreleased entries under a version. Throws where there are none. */
export function released(changelog: string, version: string, day: string): string;
