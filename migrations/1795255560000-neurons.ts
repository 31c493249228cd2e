import type { MigrationInterface, QueryRunner } from 'typeorm'

const TENANT = `nullif(current_setting('app.workspace_id', true), '')::uuid`

/** Conversations: threads, what was said in them, and what each run of a neuron was pinned to. */
export class Neurons1795255560000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table traces (
        id uuid primary key,
        workspace_id uuid not null default ${TENANT} references workspaces,
        brain_id uuid references brains,
        trace_type text not null default 'user' check (trace_type in ('user', 'system')),
        title text not null,
        -- Whose thread it is.
        actor text not null,
        -- What answers in it unless a message says otherwise.
        target json,
        turns integer not null default 0,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        deleted_at timestamptz
      );
      create index traces_by_update on traces (workspace_id, trace_type, updated_at desc, id desc)
        where deleted_at is null;

      -- One turn is one run: what somebody said, and everything until the answer. A position belongs to one message, so
      -- that writing it again changes nothing.
      create table trace_messages (
        workspace_id uuid not null default ${TENANT} references workspaces,
        trace_id uuid not null references traces on delete cascade,
        turn integer not null,
        position integer not null,
        job_id text not null,
        role text not null check (role in ('user', 'assistant', 'tool')),
        content json not null,
        at timestamptz not null default now(),
        primary key (trace_id, turn, position)
      );

      -- Everything a run goes by: the neuron as of its version, its tools with their schemas. Activities read it here,
      -- so that it is not in each of their inputs.
      create table neuron_runs (
        job_id text primary key references jobs on delete cascade,
        workspace_id uuid not null default ${TENANT} references workspaces,
        spec json not null
      );

      alter table jobs
        add column neuron_id uuid,
        add column neuron_version integer,
        add column receptor_id uuid,
        add column trace_id uuid,
        add column turn integer;
      -- Embeddings belong to no job.
      alter table usage_events
        drop constraint usage_events_pkey,
        alter column job_id drop not null,
        add column id bigint generated always as identity primary key,
        add constraint usage_events_once unique (job_id, key, attempt),
        add column kind text not null default 'model',
        add column model text,
        add column cached_input_tokens bigint not null default 0,
        add column audio_seconds numeric not null default 0;
      create index usage_events_by_time on usage_events (workspace_id, at);
      create unique index jobs_by_turn on jobs (trace_id, turn) where trace_id is not null;
      create index jobs_by_neuron on jobs (workspace_id, neuron_id, created_at desc, job_id desc)
        where neuron_id is not null;
      create index jobs_by_receptor on jobs (workspace_id, receptor_id, created_at desc, job_id desc)
        where receptor_id is not null;
    `)
    for (const table of ['traces', 'trace_messages', 'neuron_runs']) {
      await runner.query(`
        alter table ${table} enable row level security;
        alter table ${table} force row level security;
        create policy tenant on ${table} using (workspace_id = ${TENANT}) with check (workspace_id = ${TENANT});
      `)
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index jobs_by_receptor, jobs_by_neuron, jobs_by_turn, usage_events_by_time;
      delete from usage_events where job_id is null;
      alter table usage_events
        drop constraint usage_events_once, drop column id, alter column job_id set not null,
        add primary key (job_id, key, attempt),
        drop column audio_seconds, drop column cached_input_tokens, drop column model, drop column kind;
      alter table jobs
        drop column turn, drop column trace_id, drop column receptor_id, drop column neuron_version,
        drop column neuron_id;
      drop table neuron_runs, trace_messages, traces;
    `)
  }
}
