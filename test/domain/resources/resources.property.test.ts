import fc from 'fast-check'
import jsonPatch from 'fast-json-patch'
import { ValidationError } from '../../../domain/shared/errors.ts'
import { checkEditable } from '../../../domain/resources/checking.ts'
import { findResourceKind, getResourceKind, RESOURCE_KINDS } from '../../../domain/resources/kinds/index.ts'
import { applyChange, compare, computeDelta, type Editable } from '../../../domain/resources/patching.ts'
import { applyMapDelta } from '../../../domain/resources/map-delta.ts'
import {
  mapDelta,
  mapProblems,
  stakeholderMap,
  type StakeholderMap,
} from '../../../domain/resources/stakeholder-map.ts'

const editable = (document: object): Editable => ({
  title: 'T',
  slug: 't',
  path: '/',
  scope: 'workspace',
  brain_id: null,
  is_active: true,
  document,
})
const json = fc.jsonValue({ depthSize: 'small' }) as fc.Arbitrary<never>
const document = fc.dictionary(fc.stringMatching(/^[a-z~/]{1,6}$/), json)

describe('a delta', () => {
  test('transforms one version into the next', () => {
    fc.assert(
      fc.property(document, document, (a, b) => {
        const [before, after] = [editable(a), editable(b)]
        const { ops = [] } = computeDelta(before, after)
        const made = applyChange(before, { ops }, getResourceKind('skills'))
        expect(made).toEqual(JSON.parse(JSON.stringify(after)))
      }),
    )
  })

  test('contains only the changed fields', () => {
    fc.assert(
      fc.property(document, document, (a, b) => {
        const { changed } = computeDelta(editable(a), editable(b))
        const keys = new Set([...Object.keys(a), ...Object.keys(b)])
        const differing = [...keys].filter(key => compare({ v: a[key] }, { v: b[key] }).length > 0)
        expect(new Set(changed.map(unescape))).toEqual(new Set(differing))
      }),
    )
  })

  test('between equal versions is empty', () => {
    fc.assert(
      fc.property(document, a => expect(computeDelta(editable(a), editable(a))).toEqual({ changed: [], ops: [] })),
    )
  })
})

const unescape = (step: string) => jsonPatch.unescapePathComponent(step)

test('a patch never changes its input object, whether it is valid or not', () => {
  const path = fc.array(fc.stringMatching(/^[a-z0-9-]{0,3}$/), { maxLength: 4 }).map(steps => `/${steps.join('/')}`)
  const op = fc.oneof(
    fc.record({ op: fc.constantFrom('add' as const, 'replace' as const, 'test' as const), path, value: json }),
    fc.record({ op: fc.constant('remove' as const), path }),
    fc.record({ op: fc.constantFrom('move' as const, 'copy' as const), path, from: path }),
  )
  fc.assert(
    fc.property(document, fc.array(op, { maxLength: 5 }), (a, ops) => {
      const before = editable(a)
      const copy = structuredClone(before)
      try {
        applyChange(before, { ops: ops as never }, getResourceKind('skills'))
      } catch (error) {
        expect(error).toBeInstanceOf(ValidationError)
      }
      expect(before).toEqual(copy)
    }),
  )
})

test('any document is either accepted or rejected with pointers', () => {
  fc.assert(
    fc.property(fc.constantFrom(...RESOURCE_KINDS), fc.oneof(document, json), (name, raw) => {
      const kind = getResourceKind(name)
      const checked = checkEditable({ ...editable({}), document: raw }, kind)
      if ('problems' in checked) {
        expect(checked.problems.length).toBeGreaterThan(0)
        for (const { pointer } of checked.problems) expect(pointer).toMatch(/^\/document/)
      } else {
        expect(typeof kind.text(checked.value.document)).toBe('string')
      }
    }),
  )
})

test('a kind can be looked up by its plural and singular name', () => {
  for (const kind of RESOURCE_KINDS)
    expect([findResourceKind(kind)?.kind, findResourceKind(getResourceKind(kind).singular)?.kind]).toEqual([kind, kind])
  expect(findResourceKind('constructor')).toBeUndefined()
})

describe('a stakeholder map', () => {
  const ids = ['a', 'b', 'c', 'd', 'e']
  const id = fc.constantFrom(...ids)
  const relation = fc
    .record({ from: id, to: id, type: fc.constantFrom('knows', 'pays') })
    .filter(({ from, to }) => from !== to)
  const map: fc.Arbitrary<StakeholderMap> = fc
    .record({
      people: fc.uniqueArray(id),
      relations: fc.uniqueArray(relation, { selector: r => r.from + r.to + r.type }),
    })
    .map(({ people, relations }) => ({
      description: null,
      stakeholders: people.map(id => ({ id, name: id.toUpperCase(), attributes: {} })),
      edges: relations.filter(({ from, to }) => people.includes(from) && people.includes(to)),
    }))
  const delta = fc
    .record({
      stakeholders: fc.record({
        add: fc.array(
          id.map(id => ({ id, name: `New ${id}` })),
          { maxLength: 3 },
        ),
        update: fc.array(fc.record({ id, role: fc.constantFrom('boss', null) }), { maxLength: 3 }),
        remove: fc.array(id, { maxLength: 2 }),
      }),
      edges: fc.record({ add: fc.array(relation, { maxLength: 3 }), remove: fc.array(relation, { maxLength: 2 }) }),
      cascade: fc.boolean(),
    })
    .map(raw => mapDelta.safeParse(raw))
    .filter(parsed => parsed.success)
    .map(parsed => parsed.data ?? {})

  test('contains no relation to an unknown stakeholder and no duplicates, after any accepted delta', () => {
    fc.assert(
      fc.property(map, delta, (before, change) => {
        const copy = structuredClone(before)
        try {
          const after = applyMapDelta(before, change)
          expect(mapProblems(after)).toEqual([])
          expect(stakeholderMap.parse(after)).toEqual(after)
          const known = new Set(after.stakeholders.map(person => person.id))
          for (const gone of change.stakeholders?.remove ?? []) expect(known.has(gone)).toBe(false)
        } catch (error) {
          expect(error).toBeInstanceOf(ValidationError)
          expect((error as ValidationError).details?.length).toBeGreaterThan(0)
        }
        expect(before).toEqual(copy)
      }),
    )
  })
})
