import { shortenEscaped } from '../../../services/channels/slack/text.ts'

test.each([
  ['a & b & c', 12, 'a &amp; b …'],
  ['a & 🎉🎉🎉', 10, 'a &amp; …'],
])('%j with at most %d escaped characters never ends with half of one', (text, maxChars, shortened) =>
  expect(shortenEscaped(text, maxChars)).toBe(shortened),
)
