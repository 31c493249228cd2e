import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { readConfig } from '../../config/config.ts'
import { CHART, isSelected, listPods, type Manifest, named, ofKind, render, VALUES, valuesOptions } from './chart.ts'

describe.each(VALUES)('with the values "%s"', file => {
  let manifests: Manifest[] = []
  beforeAll(async () => {
    manifests = await render(...valuesOptions(file))
  })

  test('every pod meets the restricted pod security standard', () => {
    expect(listPods(manifests).length).toBeGreaterThan(2)
    for (const { pod } of listPods(manifests)) {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      })
      expect(pod.containers).toHaveLength(1)
      for (const container of pod.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(container.resources.limits.memory).toMatch(/^\d+[GM]i$/)
        // The image's entry point reaps orphaned processes.
        expect(container.command).toBeUndefined()
      }
      const kinds = pod.volumes.flatMap(volume => Object.keys(volume).filter(field => field !== 'name'))
      expect(new Set(kinds).difference(new Set(['emptyDir', 'projected']))).toEqual(new Set())
      expect(pod.volumes.find(({ name }) => name === 'tmp')?.emptyDir?.sizeLimit).toMatch(/^\d+Gi$/)
    }
  })

  test('every secret comes as a file from an existing Secret, and only migrations get the owner credentials', () => {
    expect(ofKind(manifests, 'Secret')).toEqual([])
    for (const { labels, pod } of listPods(manifests)) {
      const sources = pod.volumes.flatMap(({ projected }) => projected?.sources ?? [])
      const files = sources.flatMap(({ secret }) => secret.items.map(({ path }) => path)).toSorted()
      const paths = pod.containers[0].env.flatMap(
        ({ value }) => /^\/run\/secrets\/ganglion\/(.+)$/.exec(value ?? '')?.[1] ?? [],
      )
      expect(paths.toSorted()).toEqual(files)
      for (const { secret } of sources) expect(secret.name).not.toBe('')
      const isMigration = labels['app.kubernetes.io/component'] === 'migrate'
      expect(files.includes('DATABASE_ADMIN_URL')).toBe(isMigration)
    }
  })

  test('selectors match exactly their own pods', () => {
    const pods = listPods(manifests)
    for (const { kind, metadata, spec } of manifests.filter(({ kind }) => kind === 'Deployment')) {
      const selector = spec.selector?.matchLabels ?? {}
      const selected = pods.filter(({ labels }) => isSelected(labels, selector))
      expect({ kind, names: selected.map(({ name }) => name) }).toEqual({ kind, names: [metadata.name] })
    }
    const service = named(manifests, 'Service', 'test-ganglion').spec.selector as unknown as Record<string, string>
    expect(pods.filter(({ labels }) => isSelected(labels, service)).map(({ name }) => name)).toEqual([
      'test-ganglion-api',
    ])
  })

  test('a pod has time to drain, and spreads over nodes', () => {
    const config = ofKind(manifests, 'ConfigMap').find(({ data }) => data?.['PORT'])?.data ?? {}
    const drain = Number(config['SHUTDOWN_SECONDS']) + Number(config['SHUTDOWN_DELAY_SECONDS'])
    const running = listPods(manifests).filter(({ labels }) =>
      /^(api|worker)$/.test(labels['app.kubernetes.io/component'] ?? ''),
    )
    expect(running.length).toBeGreaterThan(1)
    for (const { labels, pod } of running) {
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(drain)
      for (const { labelSelector } of pod.topologySpreadConstraints ?? [])
        expect(isSelected(labels, labelSelector.matchLabels)).toBe(true)
      expect(pod.topologySpreadConstraints).toHaveLength(2)
      const budgets = ofKind(manifests, 'PodDisruptionBudget')
      expect(budgets.filter(({ spec }) => isSelected(labels, spec.selector?.matchLabels ?? {}))).toHaveLength(1)
    }
  })
})

test("a worker's own settings determine its ports and its time to drain", async () => {
  const overrides = 'worker.config.SHUTDOWN_SECONDS=300,worker.config.WORKER_HEALTH_PORT=9000'
  const manifests = await render('--set', overrides)
  const worker = listPods(manifests).find(({ labels }) => labels['app.kubernetes.io/component'] === 'worker')
  expect(worker?.pod.terminationGracePeriodSeconds).toBe(315)
  expect(worker?.pod.containers[0]?.ports).toContainEqual({ name: 'health', containerPort: 9000 })
})

test('selectors stay the same when the image, the settings and the chart version change', async () => {
  const selectors = async (...options: string[]) =>
    (await render(...options)).flatMap(({ kind, metadata, spec }) =>
      spec?.selector ? [{ kind, name: metadata.name, selector: spec.selector }] : [],
    )
  const changes = 'image.tag=0.2.0,config.LOG_LEVEL=debug,worker.replicas=5,podLabels.team=a'
  expect(await selectors('--set', changes)).toEqual(await selectors())
})

test('a changed setting restarts the pods', async () => {
  const checksum = async (...options: string[]) =>
    named(await render(...options), 'Deployment', 'test-ganglion-api').spec.template?.metadata.annotations?.[
      'checksum/config'
    ]
  expect(await checksum('--set', 'config.LOG_LEVEL=debug')).not.toBe(await checksum())
})

test('the API and the worker accept the settings of the example for production', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'))
  try {
    const key = JSON.stringify({ 1: Buffer.alloc(32, 1).toString('base64') })
    const contents: Record<string, string> = {
      DATABASE_URL: 'postgres://app@postgres/ganglion',
      REDIS_URL: 'redis://redis',
      ELASTICSEARCH_URL: 'http://elasticsearch:9200',
      SECRETS_ENCRYPTION_KEYS: key,
      EVIDENCE_KEYS: key,
      TEMPORAL_ENCRYPTION_KEYS: key,
    }
    const production = readFileSync(join(CHART, 'values-production.yaml'), 'utf8')
    const { secrets } = load(production) as { secrets: object }
    const manifests = await render(...valuesOptions('values-production.yaml'))
    const data = named(manifests, 'ConfigMap', 'test-ganglion').data ?? {}
    for (const name of ['test-ganglion-api', 'test-ganglion-worker-default']) {
      const { env } = named(manifests, 'Deployment', name).spec.template?.spec.containers[0] ?? { env: [] }
      const files = env.map(({ name: variable, value = '' }) => {
        const path = join(folder, value.replace('/run/secrets/ganglion/', ''))
        writeFileSync(path, contents[variable.replace('_FILE', '')] ?? 'x'.repeat(32))
        return [variable, path]
      })
      expect(files).toHaveLength(Object.keys(secrets).length - 1)
      const config = readConfig({ ...data, ...(Object.fromEntries(files) as Record<string, string>) })
      expect(config).toMatchObject({
        HOST: '0.0.0.0',
        METRICS_PORT: 9464,
        WORKER_METRICS_PORT: 9465,
        BASE_URL: 'https://ganglion.example.com',
        DATABASE_URL: contents.DATABASE_URL,
        SECRETS_ENCRYPTION_KEY_ID: '1',
      })
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('settings keep large numbers and become JSON from objects', async () => {
  const manifests = await render(...valuesOptions('ci/minimal-values.yaml'))
  expect(named(manifests, 'ConfigMap', 'test-ganglion').data).toMatchObject({
    DOCUMENT_BUFFER_BYTES: '268435456',
    PLANS: '{"standard":{"requests_per_minute":600}}',
  })
  const { env, image } = named(manifests, 'Deployment', 'test-ganglion-api').spec.template?.spec.containers[0] ?? {}
  expect(image).toMatch(/^ghcr\.io\/ganglion\/ganglion@sha256:[0-9a-f]{64}$/)
  expect(env).toContainEqual({ name: 'REDIS_TLS_CA', value: '/run/secrets/ganglion/REDIS_TLS_CA' })
  expect(env).toContainEqual({ name: 'TEMPORAL_API_KEY_FILE', value: '/run/secrets/ganglion/TEMPORAL_API_KEY' })
})

test('probes use the health endpoints of the process', async () => {
  const manifests = await render()
  const probes = (name: string) => {
    const { livenessProbe, readinessProbe } =
      named(manifests, 'Deployment', name).spec.template?.spec.containers[0] ?? {}
    return [livenessProbe?.httpGet, readinessProbe?.httpGet]
  }
  expect(probes('test-ganglion-api')).toEqual([
    { path: '/v1/health/live', port: 'http' },
    { path: '/v1/health/ready', port: 'http' },
  ])
  expect(probes('test-ganglion-worker-default')).toEqual([
    { path: '/live', port: 'health' },
    { path: '/ready', port: 'health' },
  ])
})
