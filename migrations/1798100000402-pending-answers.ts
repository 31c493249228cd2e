import type { MigrationInterface, QueryRunner } from 'typeorm'
import { enableTenantPolicy, TENANT } from './tenant.ts'

/** True in transactions that deliver answers, which serve all workspaces. */
const ANSWERING = `current_setting('app.answering', true) = 'on'`

/** Answers that were sent to a run and may still count. */
export class PendingAnswers1798100000402 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table pending_answers (
        workspace_id uuid not null default ${TENANT} references workspaces,
        intervention_id text not null,
        -- The same answer has the same id.
        update_id text not null,
        job_id text not null references jobs on delete cascade,
        actor text not null,
        -- The answer with its author, as the run gets it.
        input json not null,
        at timestamptz not null default now(),
        -- The next attempt, or the end of the lease.
        due_at timestamptz not null default now(),
        primary key (workspace_id, intervention_id, update_id)
      );
      create index pending_answers_due on pending_answers (due_at);
      create index pending_answers_by_job on pending_answers (job_id);
    `)
    await enableTenantPolicy(runner, ['pending_answers'])
    await runner.query(`
      create policy answering_select on pending_answers for select using (${ANSWERING});
      create policy answering_update on pending_answers for update using (${ANSWERING}) with check (${ANSWERING});
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table pending_answers')
  }
}
