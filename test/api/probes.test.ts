import { modelsProbe } from '../../api/probes.ts'
import { startHttpServer } from '../support/stack/http-server.ts'

describe('the models probe', () => {
  const ready = { ready: () => Promise.resolve() }
  const away = { ready: () => Promise.reject(new Error('no model')) }

  test('passes if text can be embedded and a configured provider responds', async () => {
    let status = 401
    const server = await startHttpServer((_request, response) => response.writeHead(status).end())
    try {
      await modelsProbe(ready)()
      await modelsProbe(ready, server.url)()
      await expect(modelsProbe(away, server.url)()).rejects.toThrow('no model')
      status = 502
      await expect(modelsProbe(ready, server.url)()).rejects.toThrow('502')
    } finally {
      await server.close()
    }
  })
})
