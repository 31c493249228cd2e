import { initialSchema } from './1795824000000-initial-schema.ts'
import { memberProfiles } from './1795892400000-member-profiles.ts'
import { channels } from './1795892506000-channels.ts'
import { mail } from './1795892600000-mail.ts'
import { mailSourceIndex } from './1795892601000-mail-source-index.ts'
import { mailThreadIndex } from './1795892602000-mail-thread-index.ts'
import { files } from './1795892700000-files.ts'
import { filesOfForks } from './1795892701000-files-of-forks.ts'
import { channelMessageAge } from './1795892800000-channel-message-age.ts'
import { notifications } from './1795892801000-notifications.ts'
import { channelMessageNotification } from './1795892802000-channel-message-notification.ts'
import { shareTokenOrigins } from './1795893000000-share-token-origins.ts'
import { memberSources } from './1795893600000-member-sources.ts'
import { deactivatedMembers } from './1795894500000-deactivated-members.ts'
import { provisioning } from './1795895100000-provisioning.ts'
import { pushSubscriptions } from './1795896000000-push-subscriptions.ts'
import { channelCredentialAuthors } from './1795896100000-channel-credential-authors.ts'
import { channelMessageRecipient } from './1795896200000-channel-message-recipient.ts'
import { channelMessageTask } from './1795897000000-channel-message-task.ts'
import { channelMessageReplies } from './1795897050000-channel-message-replies.ts'
import { pushSubscriptionFailures } from './1795897100000-push-subscription-failures.ts'
import { unusedMessageIndex } from './1795897200000-unused-message-index.ts'
import { channelMessageBrowsers } from './1795971031000-channel-message-browsers.ts'
import { overdueBacklog } from './1795971700000-overdue-backlog.ts'
import { waitingMail } from './1795972932000-waiting-mail.ts'
import type { Migration } from './migration.ts'

/** All migrations, oldest first. */
export const migrations: readonly Migration[] = [
  initialSchema,
  memberProfiles,
  channels,
  mail,
  mailSourceIndex,
  mailThreadIndex,
  files,
  filesOfForks,
  channelMessageAge,
  notifications,
  channelMessageNotification,
  shareTokenOrigins,
  memberSources,
  deactivatedMembers,
  provisioning,
  pushSubscriptions,
  channelCredentialAuthors,
  channelMessageRecipient,
  channelMessageTask,
  channelMessageReplies,
  pushSubscriptionFailures,
  unusedMessageIndex,
  channelMessageBrowsers,
  overdueBacklog,
  waitingMail,
]
