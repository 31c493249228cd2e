import type { JobEventSource } from '../../domain/runs/job-event-source.ts'
import type { Services } from '../../services/services.ts'

/** The services that both MCP tools and routes call. */
export type McpDeps = Pick<
  Services,
  | 'chat'
  | 'discovery'
  | 'documents'
  | 'evidence'
  | 'humanTasks'
  | 'jobs'
  | 'bulkJobs'
  | 'mcpToolkits'
  | 'neurons'
  | 'pathways'
  | 'plans'
  | 'resources'
  | 'search'
  | 'skills'
  | 'waitForResult'
> & { events: JobEventSource; config: { BASE_URL?: string } }
