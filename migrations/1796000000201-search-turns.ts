import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Workspaces take turns in the queue of the search index. */
export class SearchTurns1796000000201 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index search_outbox_due;
      create index search_outbox_turns on search_outbox (is_large, workspace_id, due_at, id);
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index search_outbox_turns;
      create index search_outbox_due on search_outbox (is_large, due_at, id);
    `)
  }
}
