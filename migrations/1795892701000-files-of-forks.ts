import type { Migration } from './migration.ts'
import { deleteRows } from './tenant.ts'

/** A fork has its own rows for the files that it takes over. */
export const filesOfForks: Migration = {
  id: 1795892701000,
  name: 'FilesOfForks',
  oldestVersion: '0.1.0',
  change: {
    kind: 'schema',
    // No released version has files, so the table is small.
    up: `
-- squawk-ignore adding-field-with-default
alter table files add column owner text not null generated always as (coalesce(trace_id::text, job_id, '')) stored;
-- squawk-ignore ban-drop-constraint, constraint-missing-not-valid, adding-serial-primary-key-field
alter table files drop constraint files_pkey, add primary key (id, owner);`,
    down: `${deleteRows(
      'files',
      'exists (select from files other where other.id = files.id and other.owner < files.owner)',
    )}
alter table files drop constraint files_pkey, add primary key (id);
alter table files drop column owner;`,
    loses: 'The files of forks, or of the runs and threads that they were made from',
  },
}
