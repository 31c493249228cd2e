/** Returns all permutations of a short list. */
export const orders = <T>(items: T[]): T[][] =>
  items.length < 2
    ? [items]
    : items.flatMap((item, i) => orders(items.toSpliced(i, 1)).map(rest => [item].concat(rest)))
