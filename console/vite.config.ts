import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { buildThemeCss } from './theme-css.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const THEME = 'virtual:theme.css'

/** Gives the variables of the theme as a style sheet, because the policy of the page allows no style element. */
const themeCss: Plugin = {
  name: 'theme-css',
  resolveId: id => (id === THEME ? id : null),
  load: id => (id === THEME ? buildThemeCss() : null),
}

export default defineConfig({
  root: here('.'),
  base: '/console/',
  plugins: [themeCss],
  // The form library imports its own validator, which compiles code; ours takes its place.
  resolve: { alias: { '@rjsf/validator-ajv8': here('forms/validator.ts') } },
  build: {
    outDir: here('../build/console'),
    emptyOutDir: true,
    manifest: true,
    // The policy of the page allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Libraries mark their modules for servers, of which there is none here.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
})
