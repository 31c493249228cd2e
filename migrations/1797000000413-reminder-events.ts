import type { MigrationInterface, QueryRunner } from 'typeorm'

const CHANGES = `'claimed', 'released', 'reassigned', 'delegated', 'escalated', 'commented'`

/** Reminders belong to the history of an intervention, from which its events come. */
export class ReminderEvents1797000000413 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table intervention_changes drop constraint intervention_changes_change_check,
        add constraint intervention_changes_change_check check (change in (${CHANGES}, 'reminded'));
      -- A run may report a reminder again. It has no revision, because it changes nobody's rights.
      create unique index intervention_changes_reminders on intervention_changes (workspace_id, intervention_id, at)
        where change = 'reminded';
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from intervention_changes where change = 'reminded';
      drop index intervention_changes_reminders;
      alter table intervention_changes drop constraint intervention_changes_change_check,
        add constraint intervention_changes_change_check check (change in (${CHANGES}));
    `)
  }
}
