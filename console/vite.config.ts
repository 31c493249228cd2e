import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  deepMerge,
  mergeMantineTheme,
  type MantineTheme,
} from '@mantine/core'
import { defineConfig, type Plugin } from 'vite'
import { resolveVariables, theme } from './shared/theme.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** A module that the build writes. */
const virtual = (name: string, build: () => string): Plugin => ({
  name,
  resolveId: id => (id === name ? id : null),
  load: id => (id === name ? build() : null),
})

const CLASSES = /@mantine[\\/]core[\\/]esm[\\/].*[\\/](\w+)\.module\.mjs$/

/** Loads the styles of each part of Mantine with the part. They are in a layer, so that our own come first. */
const stylesOfParts: Plugin = {
  name: 'styles-of-parts',
  transform(code, id) {
    const [, part] = CLASSES.exec(id) ?? []
    return part === undefined ? null : `import '@mantine/core/styles/${part}.layer.css'\n${code}`
  },
}

/** Builds the style sheet that MantineProvider would write into the page, with the colours that the page uses. */
function buildThemeCss(): string {
  const { dark, gray, red, indigo } = DEFAULT_THEME.colors
  const merged = {
    ...mergeMantineTheme(DEFAULT_THEME, theme),
    colors: { dark, gray, red, indigo } as MantineTheme['colors'],
  }
  return convertCssVariables(deepMerge(defaultCssVariablesResolver(merged), resolveVariables(merged)), ':root')
}

function buildPathwaySchemas(): string {
  const { components } = JSON.parse(readFileSync(here('../client/openapi.json'), 'utf8')) as {
    components: { schemas: Record<string, object> }
  }
  const ofPathways = Object.entries(components.schemas).filter(([name]) =>
    /^Pathway(Definition|Body|\w*Node)$/.test(name),
  )
  return `export default ${JSON.stringify(Object.fromEntries(ofPathways))}`
}

export default defineConfig({
  root: here('.'),
  base: '/console/',
  plugins: [
    // The policy of the page allows no style element, so the variables of the theme are a style sheet.
    virtual('virtual:theme.css', buildThemeCss),
    virtual('virtual:pathway-schemas', buildPathwaySchemas),
    stylesOfParts,
  ],
  // The form library imports its own validator, which compiles code; ours takes its place.
  resolve: { alias: { '@rjsf/validator-ajv8': here('shared/forms/validator.ts') } },
  build: {
    outDir: here('../build/console'),
    emptyOutDir: true,
    manifest: true,
    // The policy of the page allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Libraries mark their modules for servers, of which there is none here.
      checks: { moduleLevelDirective: false },
      // What each visit loads is one file, which is smaller and sooner there than several.
      output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
    },
  },
})
