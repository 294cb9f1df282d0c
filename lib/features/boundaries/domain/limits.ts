/** The id of an item: in records, in tokens and in forms. */
export const idPattern = /^[\x21-\x7e]{1,64}$/;

/** The most items of one type that a grant has. A person who needs more allows all. */
export const maxChosen = 100;

/** The most characters of all limits of a grant, in JSON. */
export const maxCharacters = 4000;
