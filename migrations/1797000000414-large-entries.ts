import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Large documents get to the queue of large resources at once: the queue of small ones would read them for nothing. */
export class LargeEntries1797000000414 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(defineFunction('workspace_id, resource_id, revision, version, is_large', SELECT_WITH_SIZE))
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      defineFunction('workspace_id, resource_id, revision, version', 'workspace_id, id, revision, version'),
    )
  }
}

/** The stored size is that of the compressed text. A text of more than 20,000 characters is large. */
const SELECT_WITH_SIZE = 'workspace_id, id, revision, version, pg_column_size(document) > 20000'

const defineFunction = (columns: string, values: string): string => `
  create or replace function enqueue_search() returns trigger language plpgsql as $$
  begin
    insert into search_outbox (${columns}) select ${values} from changed;
    return null;
  end $$`
