import { applyEdits } from '../../../domain/resources/text-edits.ts'

test('edits are applied in order, each at its only match', () => {
  const edits = [
    { find: 'two', replace: 'one one' },
    { find: 'e o', replace: 'E O' },
  ]
  expect(applyEdits('a two b', edits)).toEqual({ text: 'a onE One b' })
  expect(applyEdits('one one', [{ find: 'one', replace: '' }])).toEqual({ edit: 0, message: expect.any(String) })
  expect(applyEdits('aaa', [{ find: 'aa', replace: '' }])).toEqual({ edit: 0, message: expect.any(String) })
})

/** The language's built-in search would take minutes. */
test('a repetitive text is searched in linear time', () => {
  const find = `${'a'.repeat(200_000)}b${'a'.repeat(200_000)}`
  expect(applyEdits('a'.repeat(5_000_000), [{ find, replace: '' }])).toMatchObject({ edit: 0 })
})
