import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHART, type Manifest, named, ofKind, render, valuesOptions } from './chart.ts'

const read = (manifest: Manifest) => manifest.spec.template?.spec.containers[0]
const valueOf = (manifest: Manifest, name: string) =>
  read(manifest)?.env.find(variable => variable.name === name)?.value

test('each build has its own Deployment, which Helm keeps until it is deleted', async () => {
  const manifests = await render(...valuesOptions('ci/builds-values.yaml'))
  const [without, blue, green] = ['default', 'blue-0-1-0', 'green-0-2-0-rc-1'].map(name =>
    named(manifests, 'Deployment', `test-ganglion-worker-${name}`),
  ) as [Manifest, Manifest, Manifest]
  expect([without, blue, green].map(worker => valueOf(worker, 'WORKER_BUILD_ID'))).toEqual([
    undefined,
    '0.1.0',
    '0.2.0_rc.1',
  ])
  expect([without, blue, green].map(worker => read(worker)?.image.split(':')[1])).toEqual([
    '0.1.0',
    '0.1.0',
    '0.2.0-rc.1',
  ])
  expect([without, blue, green].map(({ metadata }) => metadata.annotations?.['helm.sh/resource-policy'])).toEqual([
    undefined,
    'keep',
    'keep',
  ])
  expect(valueOf(green, 'WORKER_ACTIVITIES')).toBe('100')

  const [first, next] = await Promise.all(['a', 'b'].map(build => render('--set', `worker.build=${build}`)))
  expect(named(first ?? [], 'Deployment', 'test-ganglion-worker-default-a')).toBeDefined()
  expect(named(next ?? [], 'Deployment', 'test-ganglion-worker-default-b')).toBeDefined()
})

test('KEDA scales each build with its own backlog, and never to zero', async () => {
  const manifests = await render(...valuesOptions('ci/builds-values.yaml'), '--set', 'config.TEMPORAL_TASK_QUEUE=runs')
  const scaled = ofKind(manifests, 'ScaledObject')
  expect(scaled.map(({ spec }) => spec)).toMatchObject([
    {
      scaleTargetRef: { name: 'test-ganglion-worker-blue-0-1-0' },
      minReplicaCount: 1,
      triggers: [
        {
          type: 'temporal',
          metadata: {
            endpoint: 'temporal-frontend.temporal:7233',
            namespace: 'ganglion',
            taskQueue: 'runs',
            workerDeploymentName: 'runs',
            workerDeploymentBuildId: '0.1.0',
            enableTLS: 'false',
          },
        },
      ],
    },
    { minReplicaCount: 2, triggers: [{ metadata: { enableTLS: 'true' }, authenticationRef: { name: 'temporal' } }] },
  ])
  for (const { spec } of scaled) {
    expect(spec).not.toHaveProperty('idleReplicaCount')
    const { name } = spec['scaleTargetRef'] as { name: string }
    expect(named(manifests, 'Deployment', name).spec.replicas).toBeUndefined()
  }
})

test('with the Temporal Worker Controller, workers get their build from it and the API knows the deployment', async () => {
  const manifests = await render(...valuesOptions('ci/controller-values.yaml'))
  const worker = named(manifests, 'WorkerDeployment', 'test-ganglion-worker-default')
  expect(worker.spec).toMatchObject({
    workerOptions: { connectionRef: { name: 'test-ganglion' }, temporalNamespace: 'ganglion' },
    rollout: { strategy: 'Progressive' },
  })
  // The controller names the deployment <Kubernetes namespace>/<name of the WorkerDeployment>.
  const { data } = named(manifests, 'ConfigMap', 'test-ganglion')
  expect(data?.['TEMPORAL_DEPLOYMENT_NAME']).toBe('apps/test-ganglion-worker-default')
  expect(named(manifests, 'Connection', 'test-ganglion').spec).toMatchObject({ hostPort: data?.['TEMPORAL_ADDRESS'] })
  // It also sets TEMPORAL_API_KEY, which can't be combined with a file.
  expect(valueOf(worker, 'TEMPORAL_API_KEY_FILE')).toBeUndefined()
  expect(valueOf(named(manifests, 'Deployment', 'test-ganglion-api'), 'TEMPORAL_API_KEY_FILE')).toBeDefined()
  expect(ofKind(manifests, 'Deployment').map(({ metadata }) => metadata.name)).toEqual(['test-ganglion-api'])
  expect(named(manifests, 'ConfigMap', 'test-extra')).toBeDefined()

  const controller = ['--set', 'workerController.enabled=true', '--set']
  await expect(render(...controller, 'workers.other.replicas=1')).rejects.toThrow('exactly one pool')
  await expect(render(...controller, 'worker.keda.enabled=true')).rejects.toThrow('workers.default.keda: not available')
})

test('the migrations run before the Temporal setup and before the release, without its other objects', async () => {
  const manifests = await render(...valuesOptions('values-production.yaml'))
  const hook = (name: string) => {
    const { metadata, spec } = named(manifests, 'Job', `test-ganglion-${name}`)
    const [container] = spec.template?.spec.containers ?? []
    return {
      hook: metadata.annotations?.['helm.sh/hook'],
      weight: metadata.annotations?.['helm.sh/hook-weight'],
      args: container?.args,
    }
  }
  expect(hook('migrate')).toEqual({ hook: 'pre-install,pre-upgrade', weight: '0', args: ['ganglion-admin', 'migrate'] })
  expect(hook('temporal-setup')).toEqual({
    hook: 'pre-install,pre-upgrade',
    weight: '1',
    args: ['ganglion-admin', 'temporal', 'setup', '--retention', '30d'],
  })
  expect(hook('bootstrap').hook).toBe('post-install,post-upgrade')
  for (const name of ['migrate', 'temporal-setup']) {
    const pod = named(manifests, 'Job', `test-ganglion-${name}`).spec.template?.spec
    expect(pod?.serviceAccountName).toBeUndefined()
    expect(pod?.containers[0].envFrom).toBeUndefined()
  }
})

test('the API scales with CPU and open streams', async () => {
  const manifests = await render(...valuesOptions('ci/builds-values.yaml'))
  expect(named(manifests, 'Deployment', 'test-ganglion-api').spec.replicas).toBeUndefined()
  expect(named(manifests, 'HorizontalPodAutoscaler', 'test-ganglion-api').spec).toMatchObject({
    minReplicas: 2,
    metrics: [
      { resource: { name: 'cpu', target: { averageUtilization: 70 } } },
      { pods: { metric: { name: 'ganglion_open_streams' }, target: { averageValue: '500' } } },
    ],
  })
  expect(readFileSync(join(CHART, '../../../docs/operate/monitoring.md'), 'utf8')).toContain('`ganglion_open_streams`')
})
