import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApt } from '../../../dev/machine/apt.ts'
import { findPython } from '../../../dev/machine/python.ts'
import { run } from '../../../dev/machine/shell.ts'
import { PROGRAMS } from './generator.ts'
import { runGo } from './go.ts'

/** Checks by language. Each check throws for a pattern that does not compile in that language. */
export const PATTERN_CHECKS: Record<string, (patterns: string[], folder: string) => Promise<unknown>> = {
  Python: async (patterns, folder) => {
    const python = await findPython(createApt(message => process.stderr.write(`${message}\n`)))
    return run(python, [join(PROGRAMS, 'patterns.py'), write(patterns, folder)])
  },
  Go: (patterns, folder) => runGo(['run', join(PROGRAMS, 'patterns.go'), write(patterns, folder)], folder),
  ECMAScript: async patterns => {
    for (const pattern of patterns) void new RegExp(pattern, 'u')
  },
}

function write(patterns: string[], folder: string): string {
  const file = join(folder, 'patterns.json')
  writeFileSync(file, JSON.stringify(patterns))
  return file
}
