import type { MigrationInterface, QueryRunner } from 'typeorm'

const TENANT = `nullif(current_setting('app.workspace_id', true), '')::uuid`

/**
 * Runs as the API shows them; Temporal is the authority. What users send and nodes answer is `json`, not `jsonb`:
 * it is given back as it came and never searched.
 */
export class Runs1795255320000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table jobs (
        job_id text primary key,
        workspace_id uuid not null default ${TENANT} references workspaces,
        brain_id uuid references brains,
        root_job_id text not null,
        parent_key text,
        kind text not null default 'pathway',
        pathway_id uuid,
        pathway_version integer,
        title text not null,
        status text not null default 'pending'
          check (status in ('pending', 'running', 'waiting', 'paused', 'completed', 'failed')),
        progress json,
        current_step text,
        -- Of the last news of the run's status: older news coming late change nothing.
        news_seq integer not null default 0,
        requester text not null,
        input json,
        result json,
        failed_reason text,
        failed_code text,
        cancelled_by text,
        receipt json,
        usage jsonb not null default '{"input_tokens": 0, "output_tokens": 0, "usd": 0}',
        created_at timestamptz not null default now(),
        processed_at timestamptz,
        finished_at timestamptz
      );
      create index jobs_by_time on jobs (workspace_id, created_at desc, job_id desc);
      create index jobs_by_pathway on jobs (workspace_id, pathway_id, created_at desc, job_id desc);
      create index jobs_by_status on jobs (workspace_id, status, created_at desc, job_id desc);

      create table job_nodes (
        workspace_id uuid not null default ${TENANT} references workspaces,
        job_id text not null references jobs on delete cascade,
        key text not null,
        node_id text not null,
        node_type text not null,
        title text,
        status text not null,
        at timestamptz not null,
        -- Orders milestones of the same millisecond.
        rank smallint not null,
        attempt integer,
        port text,
        output json,
        error json,
        transcript text,
        started_at timestamptz,
        finished_at timestamptz,
        primary key (job_id, key)
      );

      create table usage_events (
        workspace_id uuid not null default ${TENANT} references workspaces,
        job_id text not null,
        key text not null,
        attempt integer not null,
        input_tokens bigint not null,
        output_tokens bigint not null,
        usd numeric not null,
        at timestamptz not null default now(),
        primary key (job_id, key, attempt)
      );

      create table idempotency_keys (
        workspace_id uuid not null default ${TENANT} references workspaces,
        key text not null,
        route text not null,
        body_hash text not null,
        job_id text not null,
        claim uuid not null,
        response json,
        expires_at timestamptz not null,
        primary key (workspace_id, key)
      );

      -- Temporal's large payloads. Whoever fetches one knows its workflow id and its hash, and no workspace.
      create table run_payloads (
        job_id text not null,
        sha256 text not null,
        bytes bytea not null,
        created_at timestamptz not null default now(),
        primary key (job_id, sha256)
      );
    `)
    for (const table of ['jobs', 'job_nodes', 'usage_events', 'idempotency_keys']) {
      await runner.query(`
        alter table ${table} enable row level security;
        alter table ${table} force row level security;
        create policy tenant on ${table} using (workspace_id = ${TENANT}) with check (workspace_id = ${TENANT});
      `)
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table run_payloads, idempotency_keys, usage_events, job_nodes, jobs')
  }
}
