import type { Migration } from './migration.ts'
import { tenantPolicy, TENANT } from './tenant.ts'

export const files: Migration = {
  id: 1795892700000,
  name: 'Files',
  oldestVersion: '0.1.0',
  change: {
    kind: 'schema',
    up: `
create table files (
  id uuid primary key,
  workspace_id uuid not null default ${TENANT} references workspaces,
  -- The uploader.
  actor text not null,
  -- The thread or run that the file belongs to. Both are null until a message or an answer uses the file.
  trace_id uuid,
  job_id text,
  file_name text not null,
  media_type text not null,
  charset text,
  size bigint not null,
  sha256 text not null,
  created_at timestamptz not null default now(),
  constraint files_owner check (num_nonnulls(trace_id, job_id) <= 1)
);
create index files_by_trace on files (workspace_id, trace_id) where trace_id is not null;
create index files_by_job on files (workspace_id, job_id) where job_id is not null;
create index files_by_content on files (workspace_id, sha256);
create index files_unused on files (workspace_id, actor, created_at) where trace_id is null and job_id is null;
${tenantPolicy('files')}`,
    down: 'drop table files;',
    loses: 'The files of threads and runs',
  },
}
