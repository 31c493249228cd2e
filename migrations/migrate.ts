import { readDatabaseConfig } from '../config/config.ts'
import { readEnvironment } from '../config/environment.ts'
import { migrate } from './runner.ts'

const config = readDatabaseConfig(readEnvironment())
if (!config.DATABASE_ADMIN_URL) throw new Error('Set DATABASE_ADMIN_URL: migrations run as the owner of the tables')
const { applied } = await migrate(config.DATABASE_ADMIN_URL, config.DATABASE_URL)
console.log(applied.length ? `Migrated: ${applied.join(', ')}` : 'The database is up to date')
