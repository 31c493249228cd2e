import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const CLIENT = here('../src/')

/** Public operations that the widget doesn't call. */
const UNUSED = 'continueTrace|fileContent|receiveFromChannel|receiveHook'

const drop = (pattern: RegExp) => (code: string) => code.replaceAll(pattern, '')

/** Files of the client without the parts that visitors don't use: they have only a share token, and read no lists. */
const REDUCED: Record<string, (code: string) => string> = {
  'core/pages.ts': () => 'export class PagePromise {}',
  'core/api-promise.ts': drop(/(?<=^export function readRateLimit.*\{\n)[^]*?(?=^\})/gm),
  'core/credentials.ts': () =>
    ['readSetting', 'requireSafe', 'buildAuthHeaders'].map(name => `export const ${name} = () => undefined`).join('\n'),
  'core/transport.ts': drop(/^ {2}async readWorkspaceId[^]*?^ {2}\}\n/gm),
  'errors.ts': drop(
    /^export class \w+ extends (?:APIError|ConflictError) \{\}\n|(?<=^const CLASSES: .* = \{)[^}]*(?=^\})/gm,
  ),
  'generated/operations.ts': drop(new RegExp(`^ {2}'(?!public\\.(?!${UNUSED})).*\\n`, 'gm')),
  'generated/resources.ts': drop(new RegExp(`^ {2}(?:${UNUSED})\\([^]*?^ {2}\\}\\n`, 'gm')),
}

const partsForVisitors: Plugin = {
  name: 'parts-for-visitors',
  load(id) {
    const reduce = id.startsWith(CLIENT) ? REDUCED[id.slice(CLIENT.length)] : undefined
    return reduce ? reduce(readFileSync(id, 'utf8')) : null
  },
}

/** Removes white space from the styles. */
const compactStyles: Plugin = {
  name: 'compact-styles',
  transform: (code, id) =>
    id.endsWith('/react/styles.ts')
      ? code.replace(/`[^`]*`/, css => css.replaceAll(/\s*\n\s*/g, '').replaceAll(/ ?([{};]|:(?= )) ?/g, '$1'))
      : null,
}

/** Bundles the widget into one script. */
export default defineConfig({
  root: here('.'),
  resolve: { alias: { react: here('react.ts') } },
  plugins: [partsForVisitors, compactStyles],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  build: {
    outDir: here('../../build/widget'),
    emptyOutDir: true,
    target: 'es2022',
    minify: 'terser',
    terserOptions: { ecma: 2020, compress: { passes: 3, pure_getters: true, toplevel: true }, mangle: true },
    lib: { entry: here('main.tsx'), formats: ['iife'], name: 'ganglionChat', fileName: () => 'widget.js' },
    license: { fileName: 'licenses.json' },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        postBanner:
          '/*! Contains eventsource-parser, (c) Espen Hovlandsdal, and Preact, (c) Jason Miller. MIT License. */',
      },
    },
  },
})
