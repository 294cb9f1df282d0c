/** The entries of a version. Throws where the changelog has none. */
export function notesOf(changelog: string, version: string): string;
/** The changelog with its unreleased entries under a version. Throws where there are none. */
export function released(changelog: string, version: string, day: string): string;
/** A page that calls a version "the next release", in the heading of the guide to upgrades and in links to it. */
export function named(page: string, version: string): string;
