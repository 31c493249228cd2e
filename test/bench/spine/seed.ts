import { Client } from 'pg'

/** Paths of the seeded resources that the items use. */
export const PLACES = {
  /** 20,000 resources directly in the folder. */
  big: '/archive/everything',
  /** A folder at the fourth level. */
  deep: '/team 3/project 7/part 5/step 1',
  /** 100 resources that are moved back and forth. */
  small: '/moving/small',
  /** 1,000 resources that are moved back and forth. */
  batch: '/moving/batch',
} as const

/** Teams are root folders that contain three more levels of folders. */
export const TEAMS = 10

/**
 * Fills a workspace with 100,000 resources: 78,900 in about 9,000 folders up to four levels deep, 20,000 in one
 * folder, and 1,100 for moves. They are not queued for search, which is not measured.
 */
export async function seedSpine(adminUrl: string, workspace: { id: string; brain_id: string }): Promise<void> {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query(`select set_config('app.workspace_id', $1, false)`, [workspace.id])
    await client.query('alter table resources disable trigger resources_inserted')
    await client.query(SEED, [workspace.brain_id])
    await client.query('alter table resources enable trigger resources_inserted')
    // Leaves the table in the state that autovacuum would produce.
    await client.query('vacuum analyze resources')
  } finally {
    await client.end()
  }
}

const SEED = `
  insert into resources (id, brain_id, scope, kind, slug, title, path, document, created_at, updated_at)
  select gen_random_uuid(),
         case when i % 5 = 0 then $1::uuid end,
         case when i % 5 = 0 then 'brain' else 'workspace' end,
         (array['assets', 'assets', 'assets', 'assets', 'artifacts', 'artifacts', 'meetings', 'neurons',
                'stakeholder_maps', 'pathways', 'triggers', 'skills', 'neurons'])[1 + i % 13],
         'resource-' || i,
         'Report ' || md5(i::text) || ' of ' || i,
         case when i < 20000 then '${PLACES.big}'
              when i < 21000 then '${PLACES.batch}'
              when i < 21100 then '${PLACES.small}'
              when i % 16 = 0 then team
              when i % 16 = 1 then team || project
              when i % 16 = 2 then team || project || part
              else team || project || part || step end,
         json_build_object('description', repeat(md5(i::text) || ' ', 10)),
         now() - i * interval '1 minute',
         now() - (i * 7919 % 100000) * interval '1 minute'
    from generate_series(0, 99999) as i,
         lateral (select '/team ' || i / 16 % ${TEAMS} as team, '/project ' || i / 160 % 20 as project,
                         '/part ' || i / 3200 % 11 as part, '/step ' || i % 4 as step) names`
