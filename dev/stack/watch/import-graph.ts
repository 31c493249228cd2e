import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Modules that are loaded at run time, and files that are started as separate processes or threads. */
const IMPORTS = [
  /^(?:import|export)(?! type\b)[^'"]*?from '(\.{1,2}\/[^']+)'/gm,
  /^import '(\.{1,2}\/[^']+)'/gm,
  /\bimport\('(\.{1,2}\/[^']+)'\)/g,
  /new URL\('([^']+\.ts)', import\.meta\.url\)/g,
]

/** Returns the absolute paths of the entry files and of all source files that they import directly or indirectly. */
export function findImports(entries: string[]): Set<string> {
  const imports = new Set<string>()
  const open = [...entries]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (imports.has(file) || !existsSync(file)) continue
    imports.add(file)
    open.push(...listImports(file))
  }
  return imports
}

function listImports(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return IMPORTS.flatMap(pattern => [...text.matchAll(pattern)].map(([, path = '']) => resolve(dirname(file), path)))
}
