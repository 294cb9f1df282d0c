/** The bill of materials of a tarball, as npm writes it. */
export function sbomOf(tarball: string): string;
