import { ValidationError } from '../../../domain/shared/errors.ts'
import { parseExternalJson } from '../../../domain/shared/json/parsing/parse-external-json.ts'
import { parseJson } from '../../../domain/shared/json/parsing/parse-json.ts'

/** Returns the pointers and messages of a rejected request. */
function problemsOf(json: string): string[] {
  try {
    parseJson(Buffer.from(json))
    return []
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    return (error.details ?? []).map(({ pointer, message }) => `${pointer} ${message}`)
  }
}

const INEXACT = 'must be a string: as a JSON number it would lose digits'

test.each([
  ['{"p_id":7615917337495251231}', '/p_id'],
  ['{"a":[1,{"b~/c":-9007199254740993}]}', '/a/1/b~0~1c'],
  ['9007199254740992', ''],
  ['[12345678901234567890.5]', '/0'],
  ['[1e400]', '/0'],
  ['[-1E+0400]', '/0'],
  ['[1e-400]', '/0'],
])('a request with %s is rejected at "%s"', (json, pointer) =>
  expect(problemsOf(json)).toEqual([`${pointer} ${INEXACT}`]),
)

test.each([
  '9007199254740991',
  '-9007199254740991',
  '"7615917337495251231"',
  '{"7615917337495251231":"1e400"}',
  '0.30000000000000004',
  '3.14159265358979323846',
  '1e300',
  '-0.0000000000000000',
  '0e999',
])('a request with %s is accepted', json => expect(parseJson(Buffer.from(json))).toEqual(JSON.parse(json)))

test('keys and text that cannot be stored are rejected at their location', () => {
  expect(problemsOf('{"a":{"__proto__":1}}')).toEqual(['/a/__proto__ must have another name'])
  expect(problemsOf(String.raw`["\ud83d"]`)).toEqual(['/0 must not contain U+0000 or an unpaired surrogate'])
  expect(parseJson(Buffer.from('{"constructor":{"prototype":1}}'))).toEqual({ constructor: { prototype: 1 } })
})

test('JSON from another server keeps all digits of its numbers, and its text is made storable', () => {
  const json = String.raw`{"id":7615917337495251231,"big":1e400,"n":1.5,"half":"\uD83d!","pair":"\ud83d\ude00","a\u0000":["\u0000"]}`
  expect(parseExternalJson(json)).toEqual({
    id: '7615917337495251231',
    big: '1e400',
    n: 1.5,
    half: '\ufffd!',
    pair: '😀',
    'a\ufffd': ['\ufffd'],
  })
  expect(JSON.stringify(parseExternalJson('{"__proto__":9007199254740993}'))).toBe('{"__proto__":"9007199254740993"}')
})

test('64-bit integer bounds in schemas are converted to the nearest double, and other such numbers are rejected', () => {
  const int64 = '"type":"integer","format":"int64","minimum":-9223372036854775808,"maximum":9223372036854775807'
  expect(parseJson(Buffer.from(`{"schema":{${int64}}}`))).toEqual({
    schema: { type: 'integer', format: 'int64', minimum: -(2 ** 63), maximum: 2 ** 63 },
  })
  expect(problemsOf(`{"type":["null","number"],"exclusiveMaximum":9223372036854775808}`)).toEqual([])
  expect(problemsOf(`{${int64},"default":9223372036854775807}`)).toEqual([`/default ${INEXACT}`])
  expect(problemsOf('{"type":"order","maximum":9223372036854775807}')).toEqual([`/maximum ${INEXACT}`])
  expect(problemsOf('{"type":"number","maximum":1e400}')).toEqual([`/maximum ${INEXACT}`])
})
