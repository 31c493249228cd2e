import { createHash } from 'node:crypto'
import type { OpenApiDocument } from './document.ts'
import { html, join, raw } from './html.ts'
import type { Html } from './html.ts'
import { schemaView } from './schema-view.ts'
import { STYLE } from './style.ts'

/** Exactly what the hash in the policy is of: nothing may stand around it. */
const SHEET = raw(`<style>${STYLE}</style>`)

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

type PathItem = NonNullable<OpenApiDocument['paths']>[string]
type Operation = NonNullable<PathItem['get']>

interface Entry {
  method: string
  path: string
  operation: Operation
}

/** The reference as one page without scripts, and the policy under which it is to be shown. */
export function referencePage(document: OpenApiDocument): { html: string; policy: string } {
  const hash = createHash('sha256').update(STYLE).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  return { html: pageOf(document).text, policy }
}

function pageOf(document: OpenApiDocument): Html {
  const entries = entriesOf(document)
  const groups = [...Map.groupBy(entries, ({ operation }) => operation.tags?.[0] ?? '')]
  const schemas = Object.entries(document.components?.schemas ?? {})
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${document.info.title} API</title>
        ${SHEET}
      </head>
      <body>
        <nav>
          <a class="home" href="#top">${document.info.title} <small>${document.info.version}</small></a>
          ${join(groups.map(([tag, group]) => contents(tag, group)))}
          <h2><a href="#schemas">Schemas</a></h2>
        </nav>
        <main id="top">
          <h1>${document.info.title} API</h1>
          ${prose(document.info.description)}
          <p>Machine-readable version: <a href="/v1/openapi.json">/v1/openapi.json</a>, OpenAPI ${document.openapi}.</p>
          ${join(
            groups.map(
              ([tag, group]) =>
                html`<section>
                  <h2>${tag}</h2>
                  ${join(group.map(operationView))}
                </section>`,
            ),
          )}
          <section id="schemas">
            <h2>Schemas</h2>
            ${join(
              schemas.map(
                ([name, schema]) =>
                  html`<article id="schema-${name}">
                    <h3>${name}</h3>
                    ${schemaView(schema)}
                  </article>`,
              ),
            )}
          </section>
        </main>
      </body>
    </html>`
}

function entriesOf(document: OpenApiDocument): Entry[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap(method => {
      const operation = item[method]
      return operation ? [{ method, path, operation }] : []
    }),
  )
}

const contents = (tag: string, group: Entry[]): Html =>
  html`<h2>${tag}</h2>
    <ul>
      ${join(
        group.map(
          ({ method, path, operation }) =>
            html`<li>
              <a href="#${operation.operationId}"><b class="${method}">${method}</b> ${path.replace('/v1', '')}</a>
            </li>`,
        ),
      )}
    </ul>`

function operationView({ method, path, operation }: Entry): Html {
  const { operationId, summary, description, parameters = [], requestBody, responses = {}, security } = operation
  const body = requestBody && 'content' in requestBody ? requestBody.content['application/json']?.schema : undefined
  return html`<article id="${operationId}">
    <h3><b class="${method}">${method}</b> <code>${path}</code></h3>
    <p class="summary">${summary}${security?.length === 0 ? html` <small>no credentials needed</small>` : ''}</p>
    ${prose(description)}
    ${
      parameters.length > 0
        ? html`<h4>Parameters</h4>
            <table>
              ${join(parameters.map(parameterRow))}
            </table>`
        : ''
    }
    ${
      body
        ? html`<h4>Body</h4>
            ${schemaView(body)}`
        : ''
    }
    <h4>Responses</h4>
    <table>
      ${join(Object.entries(responses).map(([status, response]) => responseRow(status, response)))}
    </table>
  </article>`
}

function parameterRow(parameter: NonNullable<Operation['parameters']>[number]): Html {
  if (!('in' in parameter)) return html``
  const { name, in: where, required, schema } = parameter
  const description = parameter.description ?? (schema && 'description' in schema ? schema.description : undefined)
  return html`<tr>
    <th><code>${name}</code>${required ? html` <small>required</small>` : ''}</th>
    <td><small>${where}</small></td>
    <td>${schema ? schemaView(schema, { note: false }) : ''} ${description ?? ''}</td>
  </tr>`
}

interface ResponseView {
  description?: string
  content?: Record<string, { schema?: Parameters<typeof schemaView>[0] }>
}

function responseRow(status: string, { description, content }: ResponseView): Html {
  const [mediaType, media] = Object.entries(content ?? {})[0] ?? []
  const schema = media?.schema && !status.startsWith('4') && !status.startsWith('5') ? schemaView(media.schema) : ''
  return html`<tr>
    <th><code class="s${status.charAt(0)}">${status}</code></th>
    <td>
      ${inline(description)}${mediaType && mediaType !== 'application/json' ? html` <small>${mediaType}</small>` : ''}
      ${schema}
    </td>
  </tr>`
}

/** Paragraphs, with code between backticks. */
const prose = (text: string | undefined): Html =>
  join(
    (text ?? '')
      .split('\n\n')
      .filter(Boolean)
      .map(part => html`<p>${inline(part)}</p>`),
  )

const inline = (text: string | undefined): Html =>
  join((text ?? '').split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`)))
