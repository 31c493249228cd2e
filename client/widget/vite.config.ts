import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Public operations that the widget doesn't call. */
const UNUSED = 'continueTrace|fileContent|receiveFromChannel|receiveHook'
const OTHER_OPERATIONS = new RegExp(`^ {2}'(?!public\\.(?!${UNUSED})).*\\n`, 'gm')
const OTHER_METHODS = new RegExp(`^ {2}(?:${UNUSED})\\([^]*?^ {2}\\}\\n`, 'gm')

/** Leaves out parts of the client that visitors don't use: other operations, and pages of lists. */
const partsForVisitors: Plugin = {
  name: 'parts-for-visitors',
  load(id) {
    if (id.endsWith('/core/pages.ts')) return 'export class PagePromise {}'
    if (id.endsWith('/generated/operations.ts')) return readFileSync(id, 'utf8').replaceAll(OTHER_OPERATIONS, '')
    if (id.endsWith('/generated/resources.ts')) return readFileSync(id, 'utf8').replaceAll(OTHER_METHODS, '')
    return null
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
