import { startHttpServer, type TestServer } from '../stack/http-server.ts'

const NONCE = 'bm9uY2U'

/** Styles that would break a chat that isn't isolated from the page. */
const STYLES = `* { color: red !important; font-size: 30px; letter-spacing: 3px; text-transform: uppercase }
button, textarea { display: none !important }`

/**
 * Starts a website on another origin, with a strict content security policy.
 * @param render returns the body of the page, given the attribute that allows a script
 */
export async function startWebsite(render: (nonce: string) => string, apiUrl: () => string): Promise<TestServer> {
  return startHttpServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader(
      'content-security-policy',
      `default-src 'none'; script-src 'nonce-${NONCE}'; style-src 'nonce-${NONCE}'; img-src 'self'; connect-src ${apiUrl()}`,
    )
    response.end(`<!doctype html>
<html lang="en">
  <head><title>Museum</title><style nonce="${NONCE}">${STYLES}</style></head>
  <body><main><h1>Museum</h1></main>${render(`nonce="${NONCE}"`)}</body>
</html>`)
  })
}
