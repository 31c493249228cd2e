import fc from 'fast-check'

const unit = fc.constantFrom('a', 'Z', '9', ' ', '-', '_', '/', 'ß', '株', '🦉', '\ud83e', '\n')

/**
 * Texts of any length in which each limit may fall on a space, a hyphen or half of a character, and texts that look
 * like ids.
 */
export const awkwardText = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .oneof(
      fc.string({ unit: 'binary', maxLength }),
      fc
        .tuple(fc.string({ unit, minLength: 1, maxLength: 7 }), fc.nat(maxLength))
        .map(([part, length]) => part.repeat(length).slice(0, length)),
      fc.uuid(),
      fc.uuid().map(id => ` ${id.toUpperCase()}!`),
    )
    .map(text => text.slice(0, maxLength))
