import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SETTINGS } from '../../config/config.ts'
import { SECRET_SETTINGS } from '../../config/secret-files.ts'
import { CHECKOUT } from '../machine/folders.ts'
import { code, fillRegions, renderTable } from './regions.ts'

const CHART = 'deploy/helm/ganglion'

/** Settings that the chart sets for each worker, and settings for the development setup. */
const CHART_SETTINGS = new Set([
  'TEMPORAL_DEPLOYMENT_NAME',
  'TEMPORAL_WORKER_BUILD_ID',
  'WORKER_BUILD_ID',
  'WORKFLOW_BUNDLE',
  'WORKFLOW_BUNDLE_CACHE',
])
/** Certificates that can also come from a Secret. Their settings accept a path. */
const CERTIFICATE_SETTINGS = ['REDIS_TLS_CA', 'TEMPORAL_TLS_CA', 'TEMPORAL_TLS_CERT']

interface Shape {
  properties: Record<string, { $ref: string }>
}

interface ValuesSchema {
  $defs: { config: Shape }
  properties: { secrets: Shape }
}

/** Fills the generated parts of the chart: the setting names in the schema, and the table of values in the README. */
export function generateChart(): Record<string, string> {
  const read = (file: string) => readFileSync(join(CHECKOUT, CHART, file), 'utf8')
  const secrets = new Set<string>(SECRET_SETTINGS)
  const schema = JSON.parse(read('values.schema.json')) as ValuesSchema
  const plain = SETTINGS.filter(name => !secrets.has(name) && !CHART_SETTINGS.has(name))
  schema.$defs.config.properties = refer(plain, 'setting')
  schema.properties.secrets.properties = refer([...secrets, ...CERTIFICATE_SETTINGS], 'secret')
  return {
    [`${CHART}/values.schema.json`]: `${JSON.stringify(schema, null, 2)}\n`,
    [`${CHART}/README.md`]: fillRegions(read('README.md'), { values: renderValues(read('values.yaml')) }),
  }
}

const refer = (names: string[], definition: string) =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/$defs/${definition}` }]))

/** Renders a table of the values that have a default or a comment that starts with `# --`. */
function renderValues(yaml: string): string {
  const path: string[] = []
  const rows: string[][] = []
  let meaning = ''
  for (const line of yaml.split('\n')) {
    const [, comment] = /^ *# -- (.*)$/.exec(line) ?? []
    if (comment !== undefined) meaning = comment
    const [, indent = '', key, value = ''] = /^( *)([^#:\s]+): ?(.*)$/.exec(line) ?? []
    if (key === undefined) continue
    path.splice(indent.length / 2, path.length, key)
    if (meaning || value) rows.push([code(path.join('.')), value && code(value), meaning])
    meaning = ''
  }
  return renderTable(['Value', 'Default', 'Meaning'], rows)
}
