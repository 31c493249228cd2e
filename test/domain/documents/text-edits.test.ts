import { applyEdits } from '../../../domain/resources/text-edits.ts'

test('edits apply one after the other, each at its only place', () => {
  const edits = [
    { find: 'two', replace: 'one one' },
    { find: 'e o', replace: 'E O' },
  ]
  expect(applyEdits('a two b', edits)).toEqual({ text: 'a onE One b' })
  expect(applyEdits('one one', [{ find: 'one', replace: '' }])).toEqual({ edit: 0, message: expect.any(String) })
  expect(applyEdits('aaa', [{ find: 'aa', replace: '' }])).toEqual({ edit: 0, message: expect.any(String) })
})

/** The search that the language has would take minutes for it. */
test('a text that repeats itself is searched in linear time', () => {
  const find = `${'a'.repeat(200_000)}b${'a'.repeat(200_000)}`
  expect(applyEdits('a'.repeat(5_000_000), [{ find, replace: '' }])).toMatchObject({ edit: 0 })
})
