import type { MigrationInterface, QueryRunner } from 'typeorm'
import { enableTenantPolicy, TENANT } from './tenant.ts'

const TABLES = ['jobs', 'job_nodes', 'interventions', 'intervention_votes', 'usage_events', 'idempotency_keys']

/**
 * Projections of runs and of their interventions; Temporal is the authority. Inputs and outputs are `json`, not `jsonb`:
 * they are returned unchanged and never searched.
 */
export class Runs1795348980000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table jobs (
        job_id text primary key,
        workspace_id uuid not null default ${TENANT} references workspaces,
        brain_id uuid references brains,
        root_job_id text not null,
        -- Null for outermost runs.
        parent_job_id text,
        parent_key text,
        kind text not null default 'pathway',
        pathway_id uuid,
        pathway_version integer,
        asset_id uuid,
        neuron_id uuid,
        neuron_version integer,
        receptor_id uuid,
        trace_id uuid,
        turn integer,
        title text not null,
        status text not null default 'pending'
          check (status in ('pending', 'running', 'waiting', 'paused', 'completed', 'failed')),
        -- Number of the last status change; older changes that arrive late have no effect.
        status_seq integer not null default 0,
        progress json,
        current_step text,
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
      create index jobs_by_status on jobs (workspace_id, status, created_at desc, job_id desc);
      create index jobs_by_pathway on jobs (workspace_id, pathway_id, created_at desc, job_id desc);
      create index jobs_by_asset on jobs (workspace_id, asset_id, created_at desc, job_id desc)
        where asset_id is not null;
      create index jobs_by_neuron on jobs (workspace_id, neuron_id, created_at desc, job_id desc)
        where neuron_id is not null;
      create index jobs_by_receptor on jobs (workspace_id, receptor_id, created_at desc, job_id desc)
        where receptor_id is not null;
      create unique index jobs_by_turn on jobs (trace_id, turn) where trace_id is not null;

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

      create table interventions (
        workspace_id uuid not null default ${TENANT} references workspaces,
        id text not null,
        job_id text not null references jobs on delete cascade,
        root_job_id text not null,
        node_key text,
        node_id text,
        kind text,
        title text,
        description text,
        form json,
        questions json,
        context json,
        assignees text[] not null default '{}',
        quorum integer,
        excluded text,
        due_at timestamptz,
        -- Null until the opening is known: changes may arrive in any order.
        opened_at timestamptz,
        status text not null default 'open' check (status in ('open', 'decided', 'timed_out', 'cancelled')),
        closed_at timestamptz,
        decision json,
        shown_hash text,
        primary key (workspace_id, id)
      );
      create index interventions_by_job on interventions (job_id);
      create index interventions_by_root on interventions (root_job_id);
      create index interventions_by_time on interventions (workspace_id, opened_at desc, id desc);
      create index interventions_by_status on interventions (workspace_id, status, opened_at desc, id desc);

      create table intervention_votes (
        workspace_id uuid not null default ${TENANT} references workspaces,
        intervention_id text not null,
        actor text not null,
        action text not null,
        at timestamptz not null,
        comment text,
        data json,
        answers json,
        primary key (workspace_id, intervention_id, actor),
        foreign key (workspace_id, intervention_id) references interventions on delete cascade
      );

      create table usage_events (
        id bigint generated always as identity primary key,
        workspace_id uuid not null default ${TENANT} references workspaces,
        -- Null for embeddings.
        job_id text,
        key text not null,
        attempt integer not null,
        kind text not null default 'model',
        model text,
        input_tokens bigint not null,
        cached_input_tokens bigint not null default 0,
        output_tokens bigint not null,
        audio_seconds numeric not null default 0,
        usd numeric not null,
        at timestamptz not null default now(),
        constraint usage_events_attempt unique (job_id, key, attempt)
      );
      create index usage_events_by_time on usage_events (workspace_id, at);

      create table idempotency_keys (
        workspace_id uuid not null default ${TENANT} references workspaces,
        key text not null,
        route text not null,
        body_hash text not null,
        target text not null,
        claim uuid not null,
        response json,
        expires_at timestamptz not null,
        primary key (workspace_id, key)
      );

      -- Large payloads of Temporal, read by workflow id and hash without a workspace.
      create table run_payloads (
        job_id text not null,
        sha256 text not null,
        bytes bytea not null,
        created_at timestamptz not null default now(),
        primary key (job_id, sha256)
      );
    `)
    await enableTenantPolicy(runner, TABLES)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table ${TABLES.toReversed().join(', ')}, run_payloads`)
  }
}
