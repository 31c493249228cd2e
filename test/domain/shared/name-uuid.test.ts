import { fnv1a, deriveUuid } from '../../../domain/shared/name-uuid.ts'

test('the hash matches RFC 9923', () => {
  expect(fnv1a('').toString(16)).toBe('6c62272e07bb014262b821756295c58d')
  expect(fnv1a('a').toString(16)).toBe('d228cb696f1a8caf78912b704e4a8964')
  expect(fnv1a('foobar').toString(16)).toBe('343e1662793c64bf6f0d3597ba446f18')
})

test('a name always yields the same version 8 UUID, and similar names yield different ones', () => {
  const names = Array.from({ length: 20_000 }, (_, i) => `each[${i % 200}]/ask${Math.floor(i / 200)}`)
  const uuids = names.map(deriveUuid)
  expect(uuids).toEqual(names.map(deriveUuid))
  expect(new Set(uuids).size).toBe(names.length)
  const version8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  expect(uuids.filter(uuid => !version8.test(uuid))).toEqual([])
})
