import type { MigrationInterface, QueryRunner } from 'typeorm'

/** What was last written to Temporal. A schedule is not written again without need: Temporal then drops missed times. */
export class TriggerScheduleHashes1795900000203 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table trigger_states add column schedule_hash text')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table trigger_states drop column schedule_hash')
  }
}
