import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const ROOT = join(import.meta.dirname, '../..')

/** Schemas with fewer fields match by chance, for example an id with a title. */
const MIN_FIELDS = 3

/** Yields the schema and all its nested schemas. */
function* walk(schema: unknown): Generator<z.ZodType> {
  if (!(schema instanceof z.ZodType)) return
  yield schema
  if (schema instanceof z.ZodObject) for (const field of Object.values(schema.shape)) yield* walk(field)
  else if (schema instanceof z.ZodArray) yield* walk(schema.element)
  else if (schema instanceof z.ZodUnion) for (const option of schema.options) yield* walk(option)
  else if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) yield* walk(schema.unwrap())
}

const toKey = (fields: string[]): string => fields.toSorted().join(' ')

/** Lists the interfaces and object types in a source file with their field names. Types with methods are omitted. */
function* listInterfaces(source: string): Generator<{ name: string; fields: string[] }> {
  const declaration = /^(?:export )?(?:interface (\w+) \{|type (\w+) = \{)\n([\s\S]*?)^\}/gm
  for (const [, asInterface, asType, body = ''] of source.matchAll(declaration)) {
    const members = [...body.matchAll(/^ {2}(\w+)(\??:|[(<])/gm)]
    if (members.some(([, , after]) => after === '(' || after === '<')) continue
    yield { name: asInterface ?? asType ?? '', fields: members.map(([, field = '']) => field) }
  }
}

test('services declare no type that the contract already defines', async () => {
  const shapes = new Map<string, string>()
  for (const file of globSync('contract/**/*.ts', { cwd: ROOT })) {
    const exported = (await import(join(ROOT, file))) as Record<string, unknown>
    for (const [name, value] of Object.entries(exported))
      for (const schema of walk(value))
        if (schema instanceof z.ZodObject) shapes.set(toKey(Object.keys(schema.shape)), `${name} in ${file}`)
  }
  const repeated = globSync('services/**/*.ts', { cwd: ROOT }).flatMap(file =>
    [...listInterfaces(readFileSync(join(ROOT, file), 'utf8'))]
      .filter(({ fields }) => fields.length >= MIN_FIELDS && shapes.has(toKey(fields)))
      .map(({ name, fields }) => `${name} in ${file} repeats ${shapes.get(toKey(fields))}`),
  )
  expect(shapes.size).toBeGreaterThan(100)
  expect(repeated).toEqual([])
})
