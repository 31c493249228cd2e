import { Connection, isGrpcServiceError } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import { setTimeout as sleep } from 'node:timers/promises'

const CHECK_MS = 3000
const RETENTION = '3 days'
const GRPC_NOT_FOUND = 5
const GRPC_ALREADY_EXISTS = 6
/** How long a server may take to discover a new namespace, which it does when it refreshes its cache. */
const VISIBLE_MS = 30_000

/** Throws unless a Temporal server responds at the address. */
export const checkTemporal = (address: string): Promise<void> => withConnection(address, async () => {})

/** Registers missing namespaces, and waits until the server accepts requests for them. */
export async function ensureNamespaces(address: string, namespaces: string[]): Promise<void> {
  await withConnection(address, async connection => {
    for (const namespace of namespaces) {
      if (!(await exists(connection, namespace))) await register(connection, namespace)
      const deadline = Date.now() + VISIBLE_MS
      while (!(await exists(connection, namespace)) && Date.now() < deadline) await sleep(200)
    }
  })
}

async function withConnection(address: string, work: (connection: Connection) => Promise<void>): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: CHECK_MS })
  try {
    await work(connection)
  } finally {
    await connection.close()
  }
}

async function exists(connection: Connection, namespace: string): Promise<boolean> {
  try {
    await connection.workflowService.describeNamespace({ namespace })
    return true
  } catch (error) {
    if (grpcCode(error) === GRPC_NOT_FOUND) return false
    throw error
  }
}

async function register(connection: Connection, namespace: string): Promise<void> {
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs(RETENTION),
    })
  } catch (error) {
    if (grpcCode(error) !== GRPC_ALREADY_EXISTS) throw error
  }
}

const grpcCode = (error: unknown): number | undefined => (isGrpcServiceError(error) ? error.code : undefined)
