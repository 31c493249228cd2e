import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { KUBERNETES_VERSIONS } from '../../dev/machine/chart-tools.ts'
import { CHART, execute, HELM, KUBECONFORM, KUBERNETES_SCHEMAS, named, render, VALUES, valuesOptions } from './chart.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Their schemas belong to operators, and aren't in the Kubernetes schemas. */
const CUSTOM_KINDS = 'PodMonitor,PrometheusRule,ScaledObject,HTTPRoute,WorkerDeployment,Connection'
const LOCATION = `${KUBERNETES_SCHEMAS}/{{ .NormalizedKubernetesVersion }}-local{{ .StrictSuffix }}/{{ .ResourceKind }}{{ .KindSuffix }}.json`

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chart-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

test.each(VALUES)('helm lint accepts the values "%s"', async file => {
  await expect(execute(HELM, ['lint', '--strict', CHART, ...valuesOptions(file)])).resolves.toMatchObject({
    stdout: expect.stringContaining('0 chart(s) failed'),
  })
})

test.each(KUBERNETES_VERSIONS)('all manifests are valid for Kubernetes %s', async version => {
  for (const [index, file] of VALUES.entries()) {
    const output = join(folder, `${version}-${index}`)
    const template = ['template', 'test', CHART, '--kube-version', version, '--output-dir', output]
    await execute(HELM, [...template, ...valuesOptions(file)])
    const check = ['-strict', '-output', 'json', '-summary', '-kubernetes-version', version]
    const schemas = ['-schema-location', LOCATION, '-skip', CUSTOM_KINDS]
    const { stdout } = await execute(KUBECONFORM, [...check, ...schemas, output])
    const { resources, summary } = JSON.parse(stdout) as { resources?: object[]; summary: { valid: number } }
    expect({ file, resources: resources ?? [] }).toEqual({ file, resources: [] })
    expect(summary.valid).toBeGreaterThan(5)
  }
})

test('the chart accepts the oldest checked version of Kubernetes, and no older one', () => {
  const { kubeVersion } = load(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')) as { kubeVersion: string }
  expect(kubeVersion).toBe(`>=${KUBERNETES_VERSIONS[0]}-0`)
})

test('the packaged chart contains the alerts and the dashboard of the repository', async () => {
  const { stdout } = await execute(HELM, ['package', CHART, '--destination', folder])
  const archive = stdout.trim().split(': ').at(-1) ?? ''
  const unpack = async (path: string) =>
    (await execute('tar', ['-xzOf', archive, `ganglion/files/${path}`], { maxBuffer: 2 ** 24 })).stdout
  const alerts = readFileSync(join(ROOT, 'deploy/prometheus/alerts.yml'), 'utf8')
  const dashboard = readFileSync(join(ROOT, 'deploy/grafana/ganglion.json'), 'utf8')
  expect(await unpack('alerts.yml')).toBe(alerts)
  expect(await unpack('dashboard.json')).toBe(dashboard)

  const manifests = await render(...valuesOptions('values-production.yaml'))
  expect(named(manifests, 'PrometheusRule', 'test-ganglion').spec).toEqual(load(alerts))
  expect(named(manifests, 'ConfigMap', 'test-ganglion-dashboard').data?.['ganglion.json']).toBe(dashboard)
})

test.each([
  ['workers=null', "missing property 'workers'"],
  ['workers.default=null', "at '/workers': minProperties: got 0, want 1"],
  ['worker.replicas=0', "at '/worker/replicas': minimum: got 0, want 1"],
  ['worker.keda.minReplicas=0', "at '/worker/keda/minReplicas': minimum: got 0, want 1"],
  ['workers.default.replicas=0', "at '/workers/default/replicas': minimum: got 0, want 1"],
  ['workers.a.build=a:b', "at '/workers/a/build': 'a:b' does not match pattern"],
  ['config.TEMPORAL_ADRESS=x:1', "at '/config': additional properties 'TEMPORAL_ADRESS' not allowed"],
  ['config.TEMPORAL_ADDRESS=host', "at '/config/TEMPORAL_ADDRESS': 'host' does not match pattern"],
  ['config.DATABASE_URL=postgres://a', "at '/config': additional properties 'DATABASE_URL' not allowed"],
  ['secrets.API_KEY_SECRET=null', "at '/secrets': missing property 'API_KEY_SECRET'"],
  ['secrets.OPENAI_API_KEY=sk-1', "at '/secrets/OPENAI_API_KEY': got string, want object"],
  ['secrets.DATABASE_ADMIN_URL=null', 'secrets.DATABASE_ADMIN_URL: required for the migrations'],
  ['networkPolicy.enabled=true', "at '/networkPolicy/stores': minItems: got 0, want 1"],
  ['ingress.enabled=true', "at '/ingress/host': minLength: got 0, want 1"],
  ['httpRoute.enabled=true', "at '/httpRoute/parentRefs': minItems: got 0, want 1"],
  ['bootstrap.enabled=true', "at '/bootstrap/workspace': minLength: got 0, want 1"],
  ['image.taag=1', "at '/image': additional properties 'taag' not allowed"],
  ['temporalSetup.retention=month', "at '/temporalSetup/retention': 'month' does not match pattern"],
])('the chart rejects %s and names the value', async (value, message) => {
  await expect(render('--set', value)).rejects.toMatchObject({ stderr: expect.stringContaining(message) })
})
