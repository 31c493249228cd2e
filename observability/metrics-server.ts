import { serveTexts, type TextServer, type TextServerSettings } from './text-server.ts'

interface Settings extends Omit<TextServerSettings, 'name' | 'routes'> {
  /** Returns the metrics in the Prometheus text format. */
  read: () => Promise<string>
}

const contentType = 'text/plain; version=0.0.4; charset=utf-8'

/** Serves only `GET /metrics`, on a separate port. Throws if the port is in use. */
export const serveMetrics = ({ read, ...settings }: Settings): Promise<TextServer> =>
  serveTexts({
    ...settings,
    name: 'metrics',
    routes: { '/metrics': async () => ({ status: 200, text: await read(), contentType }) },
  })
