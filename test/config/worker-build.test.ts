import { readConfig, readDeployment } from '../../config/config.ts'

const REQUIRED = {
  DATABASE_URL: 'postgres://app@localhost/ganglion',
  REDIS_URL: 'redis://localhost',
  TEMPORAL_ADDRESS: 'localhost:7233',
  TEMPORAL_TASK_QUEUE: 'runs',
  API_KEY_SECRET: 'x'.repeat(32),
}
const read = (env: Record<string, string>) => readDeployment(readConfig({ ...REQUIRED, ...env }))

test('the build and the deployment come from the settings of Ganglion or of the Temporal Worker Controller', () => {
  expect(read({})).toEqual({ deploymentName: 'runs', buildId: undefined })
  expect(read({ WORKER_BUILD_ID: 'a' })).toEqual({ deploymentName: 'runs', buildId: 'a' })
  const controller = { TEMPORAL_DEPLOYMENT_NAME: 'apps/ganglion-worker', TEMPORAL_WORKER_BUILD_ID: '0.1.0-abcd' }
  expect(read(controller)).toEqual({ deploymentName: 'apps/ganglion-worker', buildId: '0.1.0-abcd' })
})

test.each([
  [
    { WORKER_BUILD_ID: 'a', TEMPORAL_WORKER_BUILD_ID: 'b' },
    'TEMPORAL_WORKER_BUILD_ID: must be the same as WORKER_BUILD_ID',
  ],
  [{ WORKER_BUILD_ID: 'a', TEMPORAL_TASK_QUEUE: 'a.b' }, 'TEMPORAL_TASK_QUEUE: must not have dots or colons'],
  [{ WORKER_BUILD_ID: 'a', TEMPORAL_DEPLOYMENT_NAME: 'a:b' }, 'TEMPORAL_DEPLOYMENT_NAME: must not have dots or colons'],
])('%j is rejected', (env, message) => {
  expect(() => read(env)).toThrow(message)
})
