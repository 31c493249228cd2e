import { shorten } from '../../../domain/shared/text/shorten.ts'

describe('a text with a limit', () => {
  test('stays as it is up to the limit', () => expect(shorten('invoice', 7)).toBe('invoice'))

  test('ends with an ellipsis above the limit', () => expect(shorten('invoice 7', 8)).toBe('invoice…'))

  test('never ends with half of a character', () => {
    expect(shorten('paid 🎉🎉', 7)).toBe('paid …')
    expect(shorten('paid 🎉🎉', 8)).toBe('paid 🎉…')
  })
})
