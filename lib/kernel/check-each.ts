/** More problems than this are only counted. */
const shownProblems = 10;

/** One error for several. */
export function joined(first: TypeError, others: readonly TypeError[]): TypeError {
  if (others.length === 0) return first;
  const problems = [...new Set([first, ...others].map(({ message }) => message))];
  const more = problems.length - shownProblems;
  const text = problems.slice(0, shownProblems).join('; also ');
  return new TypeError(`${text}${more > 0 ? `; and ${more} more` : ''}`, { cause: first });
}

/** Checks each of a list. @throws TypeError with what is wrong with all of them, so that nobody has to start again for each */
export function checkEach<T>(all: Iterable<T>, check: (each: T, i: number) => void): void {
  const wrong: TypeError[] = [];
  let i = 0;
  for (const each of all) {
    try {
      check(each, i);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      wrong.push(error);
    }
    i += 1;
  }
  const [first, ...others] = wrong;
  if (first) throw joined(first, others);
}
