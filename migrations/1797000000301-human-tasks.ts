import type { MigrationInterface, QueryRunner } from 'typeorm'
import { enableTenantPolicy, TENANT } from './tenant.ts'

/** Who deals with an intervention beside its assignees, and the history of that with the comments. */
export class HumanTasks1797000000301 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Revision, claim and delegations. Null until somebody changes it.
      alter table interventions add column handling json;

      create table intervention_changes (
        workspace_id uuid not null default ${TENANT} references workspaces,
        id uuid not null default gen_random_uuid() primary key,
        intervention_id text not null,
        -- Of the handling that the change led to; null for a comment.
        revision integer,
        change text not null
          check (change in ('claimed', 'released', 'reassigned', 'delegated', 'escalated', 'commented')),
        -- Null for what the run did by itself.
        actor text,
        person text,
        -- Who could answer after it; null for a comment.
        assignees text[],
        comment text,
        at timestamptz not null,
        constraint intervention_changes_revision unique (workspace_id, intervention_id, revision),
        foreign key (workspace_id, intervention_id) references interventions on delete cascade
      );
      create index intervention_changes_by_time on intervention_changes (workspace_id, intervention_id, at);

      create function announce_intervention_change() returns trigger language plpgsql as $$
      begin
        insert into event_outbox (workspace_id, brain_id, type, subject)
          select new.workspace_id, job.brain_id, 'intervention.' || new.change,
                 json_build_object('intervention', json_build_object('id', task.id, 'job_id', task.job_id,
                   'root_job_id', task.root_job_id, 'kind', task.kind, 'status', task.status, 'brain_id', job.brain_id))
            from interventions task join jobs job on job.job_id = task.job_id
           where task.id = new.intervention_id;
        return null;
      end $$;
      create trigger intervention_changes_announced after insert on intervention_changes
        for each row execute function announce_intervention_change();
    `)
    await enableTenantPolicy(runner, ['intervention_changes'])
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table intervention_changes;
      drop function announce_intervention_change();
      alter table interventions drop column handling;
    `)
  }
}
