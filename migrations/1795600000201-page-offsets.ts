import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Where the pages of an extracted text begin, so that a search can name the page of a chunk. */
export class PageOffsets1795600000201 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table extractions add column page_offsets integer[]')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table extractions drop column page_offsets')
  }
}
