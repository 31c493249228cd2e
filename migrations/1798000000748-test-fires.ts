import type { MigrationInterface, QueryRunner } from 'typeorm'

const buildFunction = (condition: string): string => `
  create or replace function note_triggered_run() returns trigger language plpgsql as $$
  begin
    update trigger_states
       set failed_runs = case new.status when 'failed' then failed_runs + 1 else 0 end,
           sync_due_at = case when (new.status = 'failed') <> (failed_runs > 0) then now() else sync_due_at end
     where trigger_id = new.trigger_id ${condition};
    return null;
  end $$;
`

/** Runs that a person starts to test a trigger of another type than `manual` do not count for its health. */
export class TestFires1798000000748 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      buildFunction(`
       and not exists (
         select from trigger_firings firing join resources head on head.id = firing.trigger_id
          where firing.trigger_id = new.trigger_id and firing.job_id = new.job_id and firing.source = 'manual'
            and head.document ->> 'trigger_type' <> 'manual')`),
    )
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(buildFunction(''))
  }
}
