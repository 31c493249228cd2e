import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type CompressedDocument, compressWithTag } from './served-document.ts'

/** Browser bundle next to the package entry: a single file that loads no other files. */
const BUNDLE = 'browser/standalone.js'

/** Options of `Scalar.createApiReference`. They disable all requests to other hosts. */
const OPTIONS = {
  url: '/v1/openapi.json',
  authentication: { preferredSecurityScheme: 'apiKey' },
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
}

const START = `Scalar.createApiReference('#reference', ${JSON.stringify(OPTIONS)})`

/** The component inserts its own styles, which cannot be allowed by hash. Scripts can be. */
const POLICY = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${createHash('sha256').update(START).digest('base64')}'`,
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="data:," />
    <title>Ganglion API</title>
  </head>
  <body>
    <noscript>This page needs JavaScript. The description is at <a href="/v1/openapi.json">/v1/openapi.json</a>.</noscript>
    <div id="reference"></div>
    <script src="/v1/docs/reference.js"></script>
    <script>${START}</script>
  </body>
</html>
`

/** The API reference page and its Content-Security-Policy. */
export const referencePage = { html: PAGE, policy: POLICY }

let script: Promise<CompressedDocument> | undefined

/**
 * Returns the page's script, which is read and compressed once per process. Throws if the script's package is not
 * installed.
 */
export function readReferenceScript(): Promise<CompressedDocument> {
  script ??= loadScript()
  return script
}

async function loadScript(): Promise<CompressedDocument> {
  const entry = createRequire(import.meta.url).resolve('@scalar/api-reference')
  return compressWithTag(await readFile(join(dirname(entry), BUNDLE)))
}
