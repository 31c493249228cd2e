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
  'core/api-promise.ts': () => `export const readRateLimit = () => undefined
    export class ApiPromise { constructor(response) { return response.then(({ data }) => data) } }`,
  'core/credentials.ts': () =>
    ['readSetting', 'requireSafe', 'buildAuthHeaders'].map(name => `export const ${name} = () => undefined`).join('\n'),
  'core/resource.ts': drop(/^ {2}protected (?:getPage|fetchRaw)[^]*?^ {2}\}\n/gm),
  'core/settings.ts': drop(/^.*\bbrain\b.*\n|^ {2}const key = .*\n^ {2}return key.*\n/gm),
  'core/transport.ts': drop(
    /^.*\b(?:brain|ifMatch|requestId|rateLimit)\b.*\n|^ {2}(?:async readWorkspaceId|raw)[(<][^]*?^ {2}\}\n/gm,
  ),
  'errors.ts': drop(
    /^export class \w+ extends (?:APIError|ConflictError) \{\}\n|(?<=^const CLASSES: .* = \{)[^}]*(?=^\})/gm,
  ),
  'generated/operations.ts': drop(new RegExp(`^ {2}'(?!public\\.(?!${UNUSED})).*\\n`, 'gm')),
  'generated/resources.ts': drop(new RegExp(`^ {2}(?:${UNUSED})\\([^]*?^ {2}\\}\\n`, 'gm')),
}

/** Options of the event parser that the client doesn't set. The client doesn't call `reset` either. */
const UNSET = ['maxBufferSize', 'onError', 'onId', 'onRetry'].map(name => `${name} = undefined`)

const partsForVisitors: Plugin = {
  name: 'parts-for-visitors',
  load(id) {
    const reduce = id.startsWith(CLIENT) ? REDUCED[id.slice(CLIENT.length)] : undefined
    return reduce ? reduce(readFileSync(id, 'utf8')) : null
  },
  transform: (code, id) =>
    id.endsWith('/eventsource-parser/dist/parse.js')
      ? code
          .replace(/const \{.*\} = config/, `const { onComment, onEvent } = config, ${UNSET.join()}`)
          .replace('{ feed, reset }', '{ feed }')
      : null,
}

/** Removes white space from the styles. */
const compactStyles: Plugin = {
  name: 'compact-styles',
  transform: (code, id) =>
    id.endsWith('/react/styles.ts')
      ? code.replace(/`[^`]*`/, css =>
          css
            .replaceAll(/\s*\n\s*/g, '')
            .replaceAll(/ ?([{};,]|:(?= )) ?/g, '$1')
            .replaceAll(';}', '}'),
        )
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
