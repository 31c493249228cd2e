import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AUDIO_ERROR_CODES } from '../../activities/speech/audio-error.ts'
import { DOCUMENT_ERROR_CODES } from '../../services/documents/reading/document-error.ts'

const ROOT = join(import.meta.dirname, '../..')
const PAGE = readFileSync(join(ROOT, 'docs/reference/errors.md'), 'utf8')
const SOURCES = globSync('{activities,services,domain,workflows}/**/*.ts', { cwd: ROOT })

/** The codes with which steps fail, as the sources construct their errors. */
function listStepCodes(): string[] {
  const CONSTRUCTED = /\b(?:StepError|transientError|[eE]xpressionError|failure)\(\s*'([A-Z][A-Z_]+)'/g
  return SOURCES.flatMap(file =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(CONSTRUCTED)].map(([, code = '']) => code),
  )
}

test('the reference lists every code with which a step can fail', () => {
  const codes = new Set([...listStepCodes(), ...AUDIO_ERROR_CODES, ...DOCUMENT_ERROR_CODES])
  expect(codes.size).toBeGreaterThan(40)
  expect([...codes].filter(code => !PAGE.includes(`\`${code}\``))).toEqual([])
})
