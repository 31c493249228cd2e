import { z } from 'zod'
import { PARSE_OPTIONS, zodProblems } from '../../../domain/shared/zod-problems.ts'

const schema = z.strictObject({
  title: z.string().min(1).max(5),
  id: z.uuid(),
  at: z.iso.datetime({ offset: true }),
  limit: z.coerce.number().int().min(1).max(200),
  ratio: z.number().positive(),
  mode: z.enum(['all', 'any']),
  type: z.literal('note'),
  tags: z.array(z.string()).min(1).max(2),
  names: z.record(z.string().max(3), z.union([z.string(), z.number()])),
  thread: z.union([z.literal('new'), z.uuid()]),
  form: z.union([z.strictObject({ a: z.int() }), z.strictObject({ b: z.int() })]),
  even: z.int().multipleOf(2),
  flag: z.boolean(),
  odd: z.int().refine(value => value % 2 === 1),
  code: z.string().regex(/^[a-z]+$/, 'must consist of lower-case letters'),
})

const valid = {
  title: 'a',
  id: '0b1c2d3e-0000-4000-8000-000000000000',
  at: '2026-01-31T12:00:00Z',
  limit: '5',
  ratio: 1,
  mode: 'all',
  type: 'note',
  tags: ['a'],
  names: {},
  thread: 'new',
  form: { a: 1 },
  even: 2,
  flag: true,
  odd: 1,
  code: 'a',
}

test.each([
  [{ title: 5 }, '/title', 'must be a string'],
  [{ title: undefined }, '/title', 'is required'],
  [{ title: '' }, '/title', 'must have at least 1 character'],
  [{ title: 'abcdef' }, '/title', 'must have at most 5 characters'],
  [{ id: 'x' }, '/id', 'must be a UUID'],
  [{ at: 'noon' }, '/at', 'must be an ISO 8601 time such as 2026-01-31T12:00:00Z'],
  [{ limit: 'x' }, '/limit', 'must be a number'],
  [{ limit: '1.5' }, '/limit', 'must be an integer'],
  [{ limit: '0' }, '/limit', 'must be at least 1'],
  [{ limit: '201' }, '/limit', 'must be at most 200'],
  [{ ratio: 0 }, '/ratio', 'must be greater than 0'],
  [{ mode: 'some' }, '/mode', 'must be one of all, any'],
  [{ mode: undefined }, '/mode', 'is required'],
  [{ type: 'other' }, '/type', 'must be note'],
  [{ tags: [] }, '/tags', 'must have at least 1 entry'],
  [{ tags: ['a', 'b', 'c'] }, '/tags', 'must have at most 2 entries'],
  [{ names: { long_name: 'x' } }, '/names/long_name', 'must have another name: a name must have at most 3 characters'],
  [{ names: { a: true } }, '/names/a', 'must be a string or a number'],
  [{ thread: 5 }, '/thread', 'must be new or a string'],
  [{ code: 'A' }, '/code', 'must consist of lower-case letters'],
  [{ form: { a: 1, b: 2 } }, '/form', 'must have one of the allowed forms'],
  [{ even: 3 }, '/even', 'must be a multiple of 2'],
  [{ flag: 'yes' }, '/flag', 'must be true or false'],
  [{ odd: 2 }, '/odd', 'must be valid'],
  [{ extra: 1 }, '/extra', 'is not a known field'],
])('a problem with %j explains the requirement', (change, pointer, message) => {
  const parsed = schema.safeParse({ ...valid, ...change }, PARSE_OPTIONS)
  expect(parsed.error && zodProblems(parsed.error)).toEqual([{ pointer, message }])
})
