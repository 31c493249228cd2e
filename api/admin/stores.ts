import { type Config, readConfig } from '../../config/config.ts'
import { readEnvironment } from '../../config/environment.ts'
import { createAccessAdmin, type AccessAdmin } from '../../services/access/admin.ts'
import { createApiKeys, type ApiKeysService } from '../../services/access/credentials/api-keys.ts'
import { createMembers, type MembersService } from '../../services/access/members.ts'
import { createSessions, type SessionsService } from '../../services/access/credentials/sessions.ts'
import { openStores } from '../../services/shared/stores.ts'

export type Stores = ReturnType<typeof openStores>

/** Opens the stores for one command and closes them when the command ends. */
export async function withStores(pool: number, work: (stores: Stores, config: Config) => Promise<void>): Promise<void> {
  const config = { ...readConfig(readEnvironment()), DATABASE_POOL: pool }
  const stores = openStores(config)
  try {
    await work(stores, config)
  } finally {
    await stores.close()
  }
}

/** Services that the access commands use. */
interface Access {
  admin: AccessAdmin
  apiKeys: ApiKeysService
  members: MembersService
  sessions: SessionsService
}

/** Opens the services for one access command, and closes them when the command ends. */
export const withAccess = (work: (access: Access, config: Config) => Promise<void>): Promise<void> =>
  withStores(1, ({ db }, config) => {
    const { API_KEY_SECRET: secret, SESSION_HOURS: hours } = config
    const access = {
      admin: createAccessAdmin({ db, secret }),
      apiKeys: createApiKeys({ db, secret }),
      members: createMembers({ db }),
      sessions: createSessions({ db, secret, hours }),
    }
    return work(access, config)
  })
