import { parseArgs } from 'node:util'
import { startStack } from '../../support/stack/stack.ts'
import { runSchemathesis } from './schemathesis.ts'

/** `npm run fuzz [-- --examples <number> --seed <number> <operation id> …]`: fails when a Schemathesis check fails. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { examples: { type: 'string', default: '50' }, seed: { type: 'string' } },
    allowPositionals: true,
  })
  const stack = await startStack()
  try {
    const { api_key: apiKey } = await stack.workspace()
    const { ok } = await runSchemathesis({
      baseUrl: stack.baseUrl,
      apiKey,
      examples: Number(values.examples),
      phases: ['examples', 'coverage', 'fuzzing', 'stateful'],
      seed: values.seed === undefined ? undefined : Number(values.seed),
      operations: positionals,
      isShown: true,
    })
    return ok ? 0 : 1
  } finally {
    await stack.stop()
  }
}

process.exit(await main())
