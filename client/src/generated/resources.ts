// Generated from client/openapi.json by `npm run client:generate`. Do not edit.

import type { ApiPromise } from '../core/api-promise.ts'
import type { EventStream } from '../core/event-stream.ts'
import type { PagePromise } from '../core/pages.ts'
import { Resource } from '../core/resource.ts'
import type { RequestOptions, Transport } from '../core/transport.ts'
import type { Body, Data, Item, Query, StreamEvent, StreamOptions } from '../types.ts'

export class AbsencesOperations extends Resource {
  /** End a person's absence. `DELETE /v1/absences/{actor}` */
  end(actor: string, options?: RequestOptions): ApiPromise<Data<'absences.end'>> {
    return this.sendCall('absences.end', [actor], {}, options)
  }

  /** End the caller's absence. `DELETE /v1/absence` */
  endOwn(options?: RequestOptions): ApiPromise<Data<'absences.endOwn'>> {
    return this.sendCall('absences.endOwn', [], {}, options)
  }

  /** List current and future absences. `GET /v1/absences` */
  list(options?: RequestOptions): ApiPromise<Data<'absences.list'>> {
    return this.sendCall('absences.list', [], {}, options)
  }

  /** Set a person's substitute. `PUT /v1/absences` */
  save(body: Body<'absences.save'>, options?: RequestOptions): ApiPromise<Data<'absences.save'>> {
    return this.sendCall('absences.save', [], { body }, options)
  }

  /** Set the caller's substitute. `PUT /v1/absence` */
  saveOwn(body: Body<'absences.saveOwn'>, options?: RequestOptions): ApiPromise<Data<'absences.saveOwn'>> {
    return this.sendCall('absences.saveOwn', [], { body }, options)
  }
}

export class ActivityOperations extends Resource {
  /** List changes, newest first. `GET /v1/activity` */
  list(query?: Query<'activity.list'>, options?: RequestOptions): PagePromise<Item<'activity.list'>> {
    return this.getPage('activity.list', [], { query }, options)
  }
}

export class ApiKeysOperations extends Resource {
  /** Create an API key. `POST /v1/api-keys` */
  create(body: Body<'apiKeys.create'>, options?: RequestOptions): ApiPromise<Data<'apiKeys.create'>> {
    return this.sendCall('apiKeys.create', [], { body }, options)
  }

  /** Read an API key. `GET /v1/api-keys/{id}` */
  get(id: string, options?: RequestOptions): ApiPromise<Data<'apiKeys.get'>> {
    return this.sendCall('apiKeys.get', [id], {}, options)
  }

  /** List API keys, oldest first. `GET /v1/api-keys` */
  list(query?: Query<'apiKeys.list'>, options?: RequestOptions): PagePromise<Item<'apiKeys.list'>> {
    return this.getPage('apiKeys.list', [], { query }, options)
  }

  /** Update an API key. `PUT /v1/api-keys/{id}` */
  replace(id: string, body: Body<'apiKeys.replace'>, options?: RequestOptions): ApiPromise<Data<'apiKeys.replace'>> {
    return this.sendCall('apiKeys.replace', [id], { body }, options)
  }

  /** Revoke an API key. `DELETE /v1/api-keys/{id}` */
  revoke(id: string, options?: RequestOptions): ApiPromise<Data<'apiKeys.revoke'>> {
    return this.sendCall('apiKeys.revoke', [id], {}, options)
  }

  /** Rotate an API key. `POST /v1/api-keys/{id}/rotate` */
  rotate(id: string, body?: Body<'apiKeys.rotate'>, options?: RequestOptions): ApiPromise<Data<'apiKeys.rotate'>> {
    return this.sendCall('apiKeys.rotate', [id], { body }, options)
  }
}

export class ArtifactsOperations extends Resource {
  /** Download an artifact. `GET /v1/artifacts/{id}/content` */
  content(id: string, query?: Query<'artifacts.content'>, options?: RequestOptions): ApiPromise<Response> {
    return this.fetchRaw('artifacts.content', [id], { query }, options)
  }

  /** Create an artifact. `POST /v1/artifacts` */
  create(body: Body<'artifacts.create'>, options?: RequestOptions): ApiPromise<Data<'artifacts.create'>> {
    return this.sendCall('artifacts.create', [], { body }, options)
  }

  /** Delete an artifact. `DELETE /v1/artifacts/{id}` */
  delete(id: string, options?: RequestOptions): ApiPromise<Data<'artifacts.delete'>> {
    return this.sendCall('artifacts.delete', [id], {}, options)
  }

  /** Compare versions of an artifact. `GET /v1/artifacts/{id}/diff` */
  diff(id: string, query: Query<'artifacts.diff'>, options?: RequestOptions): ApiPromise<Data<'artifacts.diff'>> {
    return this.sendCall('artifacts.diff', [id], { query }, options)
  }

  /** Read an artifact. `GET /v1/artifacts/{id}` */
  get(id: string, query?: Query<'artifacts.get'>, options?: RequestOptions): ApiPromise<Data<'artifacts.get'>> {
    return this.sendCall('artifacts.get', [id], { query }, options)
  }

  /** List versions of an artifact. `GET /v1/artifacts/{id}/history` */
  history(id: string, query?: Query<'artifacts.history'>, options?: RequestOptions): PagePromise<Item<'artifacts.history'>> {
    return this.getPage('artifacts.history', [id], { query }, options)
  }

  /** List artifacts, latest first. `GET /v1/artifacts` */
  list(query?: Query<'artifacts.list'>, options?: RequestOptions): PagePromise<Item<'artifacts.list'>> {
    return this.getPage('artifacts.list', [], { query }, options)
  }

  /** Restore an artifact. `POST /v1/artifacts/{id}/restore` */
  restore(id: string, body?: Body<'artifacts.restore'>, options?: RequestOptions): ApiPromise<Data<'artifacts.restore'>> {
    return this.sendCall('artifacts.restore', [id], { body }, options)
  }

  /** Update an artifact. `PATCH /v1/artifacts/{id}` */
  update(id: string, body: Body<'artifacts.update'>, options?: RequestOptions): ApiPromise<Data<'artifacts.update'>> {
    return this.sendCall('artifacts.update', [id], { body }, options)
  }

  /** List references to an artifact. `GET /v1/artifacts/{id}/used-by` */
  usedBy(id: string, query?: Query<'artifacts.usedBy'>, options?: RequestOptions): PagePromise<Item<'artifacts.usedBy'>> {
    return this.getPage('artifacts.usedBy', [id], { query }, options)
  }
}

export class AssetsOperations extends Resource {
  /** Download an asset. `GET /v1/assets/{id}/content` */
  content(id: string, query?: Query<'assets.content'>, options?: RequestOptions): ApiPromise<Response> {
    return this.fetchRaw('assets.content', [id], { query }, options)
  }

  /** Delete an asset. `DELETE /v1/assets/{id}` */
  delete(id: string, options?: RequestOptions): ApiPromise<Data<'assets.delete'>> {
    return this.sendCall('assets.delete', [id], {}, options)
  }

  /** Compare versions of an asset. `GET /v1/assets/{id}/diff` */
  diff(id: string, query: Query<'assets.diff'>, options?: RequestOptions): ApiPromise<Data<'assets.diff'>> {
    return this.sendCall('assets.diff', [id], { query }, options)
  }

  /** Read an asset. `GET /v1/assets/{id}` */
  get(id: string, query?: Query<'assets.get'>, options?: RequestOptions): ApiPromise<Data<'assets.get'>> {
    return this.sendCall('assets.get', [id], { query }, options)
  }

  /** List versions of an asset. `GET /v1/assets/{id}/history` */
  history(id: string, query?: Query<'assets.history'>, options?: RequestOptions): PagePromise<Item<'assets.history'>> {
    return this.getPage('assets.history', [id], { query }, options)
  }

  /** Ingest a document. `POST /v1/assets/ingest` */
  ingest(body: Body<'assets.ingest'>, options?: RequestOptions): ApiPromise<Data<'assets.ingest'>> {
    return this.sendCall('assets.ingest', [], { body }, options)
  }

  /** List assets, latest first. `GET /v1/assets` */
  list(query?: Query<'assets.list'>, options?: RequestOptions): PagePromise<Item<'assets.list'>> {
    return this.getPage('assets.list', [], { query }, options)
  }

  /** Restore an asset. `POST /v1/assets/{id}/restore` */
  restore(id: string, body?: Body<'assets.restore'>, options?: RequestOptions): ApiPromise<Data<'assets.restore'>> {
    return this.sendCall('assets.restore', [id], { body }, options)
  }

  /** List references to an asset. `GET /v1/assets/{id}/used-by` */
  usedBy(id: string, query?: Query<'assets.usedBy'>, options?: RequestOptions): PagePromise<Item<'assets.usedBy'>> {
    return this.getPage('assets.usedBy', [id], { query }, options)
  }
}

export class AutomationsOperations extends Resource {
  /** List triggers and their targets. `GET /v1/automations/graph` */
  graph(query?: Query<'automations.graph'>, options?: RequestOptions): ApiPromise<Data<'automations.graph'>> {
    return this.sendCall('automations.graph', [], { query }, options)
  }
}

export class BrainsOperations extends Resource {
  /** Create a brain. `POST /v1/brains` */
  create(body: Body<'brains.create'>, options?: RequestOptions): ApiPromise<Data<'brains.create'>> {
    return this.sendCall('brains.create', [], { body }, options)
  }

  /** List brains, oldest first. `GET /v1/brains` */
  list(query?: Query<'brains.list'>, options?: RequestOptions): PagePromise<Item<'brains.list'>> {
    return this.getPage('brains.list', [], { query }, options)
  }

  /** Update a brain. `PATCH /v1/brains/{id}` */
  update(id: string, body: Body<'brains.update'>, options?: RequestOptions): ApiPromise<Data<'brains.update'>> {
    return this.sendCall('brains.update', [id], { body }, options)
  }
}

export class BrowseOperations extends Resource {
  /** Browse resources of a kind. `POST /v1/browse` */
  list(body: Body<'browse.list'>, options?: RequestOptions): PagePromise<Item<'browse.list'>> {
    return this.getPage('browse.list', [], { body }, options)
  }

  /** List the children of folders. `POST /v1/browse/resource-tree` */
  tree(body?: Body<'browse.tree'>, options?: RequestOptions): ApiPromise<Data<'browse.tree'>> {
    return this.sendCall('browse.tree', [], { body }, options)
  }
}

export class CalendarsOperations extends Resource {
  /** Delete a working calendar. `DELETE /v1/calendars/{name}` */
  delete(name: string, options?: RequestOptions): ApiPromise<Data<'calendars.delete'>> {
    return this.sendCall('calendars.delete', [name], {}, options)
  }

  /** List working calendars. `GET /v1/calendars` */
  list(options?: RequestOptions): ApiPromise<Data<'calendars.list'>> {
    return this.sendCall('calendars.list', [], {}, options)
  }

  /** Create or replace a working calendar. `PUT /v1/calendars` */
  save(body: Body<'calendars.save'>, options?: RequestOptions): ApiPromise<Data<'calendars.save'>> {
    return this.sendCall('calendars.save', [], { body }, options)
  }
}

export class ChannelAccountsOperations extends Resource {
  /** Create a code that links an account to you. `POST /v1/channel-accounts/{name}/code` */
  createCode(name: string, body?: Body<'channelAccounts.createCode'>, options?: RequestOptions): ApiPromise<Data<'channelAccounts.createCode'>> {
    return this.sendCall('channelAccounts.createCode', [name], { body }, options)
  }

  /** Remove the link to your account. `DELETE /v1/channel-accounts/{name}` */
  delete(name: string, options?: RequestOptions): ApiPromise<Data<'channelAccounts.delete'>> {
    return this.sendCall('channelAccounts.delete', [name], {}, options)
  }

  /** List the channels of the workspace, with your accounts. `GET /v1/channel-accounts` */
  list(options?: RequestOptions): ApiPromise<Data<'channelAccounts.list'>> {
    return this.sendCall('channelAccounts.list', [], {}, options)
  }
}

export class ChannelsOperations extends Resource {
  /** Delete a channel, its linked accounts and its log. `DELETE /v1/channels/{name}` */
  delete(name: string, options?: RequestOptions): ApiPromise<Data<'channels.delete'>> {
    return this.sendCall('channels.delete', [name], {}, options)
  }

  /** Read a channel. `GET /v1/channels/{name}` */
  get(name: string, options?: RequestOptions): ApiPromise<Data<'channels.get'>> {
    return this.sendCall('channels.get', [name], {}, options)
  }

  /** List channels, by name. `GET /v1/channels` */
  list(query?: Query<'channels.list'>, options?: RequestOptions): PagePromise<Item<'channels.list'>> {
    return this.getPage('channels.list', [], { query }, options)
  }

  /** List a channel's messages, latest first. `GET /v1/channels/{name}/messages` */
  messages(name: string, query?: Query<'channels.messages'>, options?: RequestOptions): PagePromise<Item<'channels.messages'>> {
    return this.getPage('channels.messages', [name], { query }, options)
  }

  /** Create a channel, or replace its credentials. `PUT /v1/channels` */
  save(body: Body<'channels.save'>, options?: RequestOptions): ApiPromise<Data<'channels.save'>> {
    return this.sendCall('channels.save', [], { body }, options)
  }
}

export class ChatOperations extends Resource {
  /** Send a message to a thread. `POST /v1/chat/{traceId}` */
  send(traceId: string, body: Body<'chat.send'>, options?: RequestOptions): ApiPromise<Data<'chat.send'>> {
    return this.sendCall('chat.send', [traceId], { body }, options)
  }
}

export class ConfigOperations extends Resource {
  /** Read settings and cost estimates. `GET /v1/config` */
  get(options?: RequestOptions): ApiPromise<Data<'config.get'>> {
    return this.sendCall('config.get', [], {}, options)
  }
}

export class DocsOperations extends Resource {
  /** Open the API reference. `GET /v1/docs` */
  page(options?: RequestOptions): ApiPromise<Response> {
    return this.fetchRaw('docs.page', [], {}, options)
  }

  /** Read the API reference script. `GET /v1/docs/reference.js` */
  script(options?: RequestOptions): ApiPromise<Response> {
    return this.fetchRaw('docs.script', [], {}, options)
  }
}

export class EventsOperations extends Resource {
  /** Stream workspace events. `GET /v1/events/stream` */
  stream(query?: Query<'events.stream'>, options?: StreamOptions): EventStream<StreamEvent<'events.stream'>> {
    return this.openStream('events.stream', [], { query }, options)
  }
}

export class FilesOperations extends Resource {
  /** Download a file. `GET /v1/files/{id}/content` */
  content(id: string, options?: RequestOptions): ApiPromise<Response> {
    return this.fetchRaw('files.content', [id], {}, options)
  }

  /** Read the name, type and size of a file. `GET /v1/files/{id}` */
  get(id: string, options?: RequestOptions): ApiPromise<Data<'files.get'>> {
    return this.sendCall('files.get', [id], {}, options)
  }

  /** Upload a file for a conversation or a form. `POST /v1/files` */
  upload(body: Body<'files.upload'>, options?: RequestOptions): ApiPromise<Data<'files.upload'>> {
    return this.sendCall('files.upload', [], { body }, options)
  }
}

export class HealthOperations extends Resource {
  /** Read the service health. `GET /v1/health` */
  get(options?: RequestOptions): ApiPromise<Data<'health.get'>> {
    return this.sendCall('health.get', [], {}, options)
  }

  /** Check that the process is alive. `GET /v1/health/live` */
  live(options?: RequestOptions): ApiPromise<Data<'health.live'>> {
    return this.sendCall('health.live', [], {}, options)
  }

  /** Check that the process can serve requests. `GET /v1/health/ready` */
  ready(options?: RequestOptions): ApiPromise<Data<'health.ready'>> {
    return this.sendCall('health.ready', [], {}, options)
  }
}

export class InterventionsOperations extends Resource {
  /** Answer several interventions. `POST /v1/interventions/answers` */
  answerMany(body: Body<'interventions.answerMany'>, options?: RequestOptions): ApiPromise<Data<'interventions.answerMany'>> {
    return this.sendCall('interventions.answerMany', [], { body }, options)
  }

  /** Claim an intervention. `POST /v1/interventions/{id}/claim` */
  claim(id: string, body?: Body<'interventions.claim'>, options?: RequestOptions): ApiPromise<Data<'interventions.claim'>> {
    return this.sendCall('interventions.claim', [id], { body }, options)
  }

  /** Comment on an open intervention. `POST /v1/interventions/{id}/comments` */
  comment(id: string, body: Body<'interventions.comment'>, options?: RequestOptions): ApiPromise<Data<'interventions.comment'>> {
    return this.sendCall('interventions.comment', [id], { body }, options)
  }

  /** Count open interventions. `GET /v1/interventions/counts` */
  counts(options?: RequestOptions): ApiPromise<Data<'interventions.counts'>> {
    return this.sendCall('interventions.counts', [], {}, options)
  }

  /** Delegate an intervention. `POST /v1/interventions/{id}/delegate` */
  delegate(id: string, body: Body<'interventions.delegate'>, options?: RequestOptions): ApiPromise<Data<'interventions.delegate'>> {
    return this.sendCall('interventions.delegate', [id], { body }, options)
  }

  /** Read the evidence of a decision. `GET /v1/interventions/{id}/evidence` */
  evidence(id: string, options?: RequestOptions): ApiPromise<Data<'interventions.evidence'>> {
    return this.sendCall('interventions.evidence', [id], {}, options)
  }

  /** List evidence verification keys. `GET /v1/evidence-keys` */
  evidenceKeys(options?: RequestOptions): ApiPromise<Data<'interventions.evidenceKeys'>> {
    return this.sendCall('interventions.evidenceKeys', [], {}, options)
  }

  /** Read an intervention. `GET /v1/interventions/{id}` */
  get(id: string, options?: RequestOptions): ApiPromise<Data<'interventions.get'>> {
    return this.sendCall('interventions.get', [id], {}, options)
  }

  /** List interventions. `GET /v1/interventions` */
  list(query?: Query<'interventions.list'>, options?: RequestOptions): PagePromise<Item<'interventions.list'>> {
    return this.getPage('interventions.list', [], { query }, options)
  }

  /** Reassign an intervention. `POST /v1/interventions/{id}/reassign` */
  reassign(id: string, body: Body<'interventions.reassign'>, options?: RequestOptions): ApiPromise<Data<'interventions.reassign'>> {
    return this.sendCall('interventions.reassign', [id], { body }, options)
  }

  /** Release a claimed intervention. `POST /v1/interventions/{id}/release` */
  release(id: string, body?: Body<'interventions.release'>, options?: RequestOptions): ApiPromise<Data<'interventions.release'>> {
    return this.sendCall('interventions.release', [id], { body }, options)
  }

  /** Reopen a decision. `POST /v1/interventions/{id}/reopen` */
  reopen(id: string, body: Body<'interventions.reopen'>, options?: RequestOptions): ApiPromise<Data<'interventions.reopen'>> {
    return this.sendCall('interventions.reopen', [id], { body }, options)
  }
}

export class JobsOperations extends Resource {
  /** Answer an intervention. `POST /v1/jobs/{jobId}/input` */
  answer(jobId: string, body: Body<'jobs.answer'>, options?: RequestOptions): ApiPromise<Data<'jobs.answer'>> {
    return this.sendCall('jobs.answer', [jobId], { body }, options)
  }

  /** Run a bulk operation. `POST /v1/jobs/bulk` */
  bulk(body: Body<'jobs.bulk'>, options?: RequestOptions): ApiPromise<Data<'jobs.bulk'>> {
    return this.sendCall('jobs.bulk', [], { body }, options)
  }

  /** Cancel a job. `POST /v1/jobs/{jobId}/cancel` */
  cancel(jobId: string, body?: Body<'jobs.cancel'>, options?: RequestOptions): ApiPromise<Data<'jobs.cancel'>> {
    return this.sendCall('jobs.cancel', [jobId], { body }, options)
  }

  /** Count jobs by diagnosis. `GET /v1/jobs/diagnosis` */
  causes(query?: Query<'jobs.causes'>, options?: RequestOptions): ApiPromise<Data<'jobs.causes'>> {
    return this.sendCall('jobs.causes', [], { query }, options)
  }

  /** Count jobs by status and outcome. `GET /v1/jobs/counts` */
  counts(query?: Query<'jobs.counts'>, options?: RequestOptions): ApiPromise<Data<'jobs.counts'>> {
    return this.sendCall('jobs.counts', [], { query }, options)
  }

  /** Read a run's definition. `GET /v1/jobs/{jobId}/definition` */
  definition(jobId: string, options?: RequestOptions): ApiPromise<Data<'jobs.definition'>> {
    return this.sendCall('jobs.definition', [jobId], {}, options)
  }

  /** Diagnose a job. `GET /v1/jobs/{jobId}/diagnosis` */
  diagnosis(jobId: string, options?: RequestOptions): ApiPromise<Data<'jobs.diagnosis'>> {
    return this.sendCall('jobs.diagnosis', [jobId], {}, options)
  }

  /** Fork a run. `POST /v1/jobs/{jobId}/fork` */
  fork(jobId: string, body: Body<'jobs.fork'>, options?: RequestOptions): ApiPromise<Data<'jobs.fork'>> {
    return this.sendCall('jobs.fork', [jobId], { body }, options)
  }

  /** Read a job. `GET /v1/jobs/{jobId}` */
  get(jobId: string, options?: RequestOptions): ApiPromise<Data<'jobs.get'>> {
    return this.sendCall('jobs.get', [jobId], {}, options)
  }

  /** List jobs, latest first. `GET /v1/jobs` */
  list(query?: Query<'jobs.list'>, options?: RequestOptions): PagePromise<Item<'jobs.list'>> {
    return this.getPage('jobs.list', [], { query }, options)
  }

  /** Migrate runs to another version. `POST /v1/jobs/migrate` */
  migrate(body: Body<'jobs.migrate'>, options?: RequestOptions): ApiPromise<Data<'jobs.migrate'>> {
    return this.sendCall('jobs.migrate', [], { body }, options)
  }

  /** Pause a job. `POST /v1/jobs/{jobId}/pause` */
  pause(jobId: string, body?: Body<'jobs.pause'>, options?: RequestOptions): ApiPromise<Data<'jobs.pause'>> {
    return this.sendCall('jobs.pause', [jobId], { body }, options)
  }

  /** Purge a job. `DELETE /v1/jobs/{jobId}` */
  purge(jobId: string, options?: RequestOptions): ApiPromise<Data<'jobs.purge'>> {
    return this.sendCall('jobs.purge', [jobId], {}, options)
  }

  /** Resume a job or deliver an event. `POST /v1/jobs/{jobId}/resume` */
  resume(jobId: string, body?: Body<'jobs.resume'>, options?: RequestOptions): ApiPromise<Data<'jobs.resume'>> {
    return this.sendCall('jobs.resume', [jobId], { body }, options)
  }

  /** Retry a failed run. `POST /v1/jobs/{jobId}/retry` */
  retry(jobId: string, body?: Body<'jobs.retry'>, options?: RequestOptions): ApiPromise<Data<'jobs.retry'>> {
    return this.sendCall('jobs.retry', [jobId], { body }, options)
  }

  /** Start a run. `POST /v1/jobs` */
  start(body: Body<'jobs.start'>, options?: RequestOptions): ApiPromise<Data<'jobs.start'>> {
    return this.sendCall('jobs.start', [], { body }, options)
  }

  /** Read a job's status. `GET /v1/jobs/{jobId}/status` */
  status(jobId: string, options?: RequestOptions): ApiPromise<Data<'jobs.status'>> {
    return this.sendCall('jobs.status', [jobId], {}, options)
  }

  /** Stream a job's events. `GET /v1/jobs/{jobId}/stream` */
  stream(jobId: string, options?: StreamOptions): EventStream<StreamEvent<'jobs.stream'>> {
    return this.openStream('jobs.stream', [jobId], {}, options)
  }

  /** Undo a migration. `POST /v1/jobs/{jobId}/migration/undo` */
  undoMigration(jobId: string, body?: Body<'jobs.undoMigration'>, options?: RequestOptions): ApiPromise<Data<'jobs.undoMigration'>> {
    return this.sendCall('jobs.undoMigration', [jobId], { body }, options)
  }
}

export class McpToolkitsOperations extends Resource {
  /** Create a toolkit. `POST /v1/mcp-toolkits` */
  create(body: Body<'mcpToolkits.create'>, options?: RequestOptions): ApiPromise<Data<'mcpToolkits.create'>> {
    return this.sendCall('mcpToolkits.create', [], { body }, options)
  }

  /** Delete a toolkit. `DELETE /v1/mcp-toolkits/{id}` */
  delete(id: string, options?: RequestOptions): ApiPromise<Data<'mcpToolkits.delete'>> {
    return this.sendCall('mcpToolkits.delete', [id], {}, options)
  }

  /** Read a toolkit. `GET /v1/mcp-toolkits/{id}` */
  get(id: string, options?: RequestOptions): ApiPromise<Data<'mcpToolkits.get'>> {
    return this.sendCall('mcpToolkits.get', [id], {}, options)
  }

  /** List toolkits, oldest first. `GET /v1/mcp-toolkits` */
  list(query?: Query<'mcpToolkits.list'>, options?: RequestOptions): PagePromise<Item<'mcpToolkits.list'>> {
    return this.getPage('mcpToolkits.list', [], { query }, options)
  }

  /** Update a toolkit. `PUT /v1/mcp-toolkits/{id}` */
  replace(id: string, body: Body<'mcpToolkits.replace'>, options?: RequestOptions): ApiPromise<Data<'mcpToolkits.replace'>> {
    return this.sendCall('mcpToolkits.replace', [id], { body }, options)
  }
}

export class MeetingsOperations extends Resource {
  /** Upload a piece of audio. `POST /v1/meetings/{id}/audio` */
  addAudio(id: string, body: Body<'meetings.addAudio'>, options?: RequestOptions): ApiPromise<Data<'meetings.addAudio'>> {
    return this.sendCall('meetings.addAudio', [id], { body }, options)
  }

  /** Create a meeting. `POST /v1/meetings` */
  create(body: Body<'meetings.create'>, options?: RequestOptions): ApiPromise<Data<'meetings.create'>> {
    return this.sendCall('meetings.create', [], { body }, options)
  }

  /** Delete a meeting. `DELETE /v1/meetings/{id}` */
  delete(id: string, options?: RequestOptions): ApiPromise<Data<'meetings.delete'>> {
    return this.sendCall('meetings.delete', [id], {}, options)
  }

  /** Compare versions of a meeting. `GET /v1/meetings/{id}/diff` */
  diff(id: string, query: Query<'meetings.diff'>, options?: RequestOptions): ApiPromise<Data<'meetings.diff'>> {
    return this.sendCall('meetings.diff', [id], { query }, options)
  }

  /** End a meeting. `POST /v1/meetings/{id}/end` */
  end(id: string, body?: Body<'meetings.end'>, options?: RequestOptions): ApiPromise<Data<'meetings.end'>> {
    return this.sendCall('meetings.end', [id], { body }, options)
  }

  /** Read a meeting. `GET /v1/meetings/{id}` */
  get(id: string, query?: Query<'meetings.get'>, options?: RequestOptions): ApiPromise<Data<'meetings.get'>> {
    return this.sendCall('meetings.get', [id], { query }, options)
  }

  /** List versions of a meeting. `GET /v1/meetings/{id}/history` */
  history(id: string, query?: Query<'meetings.history'>, options?: RequestOptions): PagePromise<Item<'meetings.history'>> {
    return this.getPage('meetings.history', [id], { query }, options)
  }

  /** List meetings, latest first. `GET /v1/meetings` */
  list(query?: Query<'meetings.list'>, options?: RequestOptions): PagePromise<Item<'meetings.list'>> {
    return this.getPage('meetings.list', [], { query }, options)
  }

  /** Restore a meeting. `POST /v1/meetings/{id}/restore` */
  restore(id: string, body?: Body<'meetings.restore'>, options?: RequestOptions): ApiPromise<Data<'meetings.restore'>> {
    return this.sendCall('meetings.restore', [id], { body }, options)
  }

  /** Stream the events of a meeting. `GET /v1/meetings/{id}/stream` */
  stream(id: string, options?: StreamOptions): EventStream<StreamEvent<'meetings.stream'>> {
    return this.openStream('meetings.stream', [id], {}, options)
  }

  /** Read the current transcript. `GET /v1/meetings/{id}/transcript` */
  transcript(id: string, options?: RequestOptions): ApiPromise<Data<'meetings.transcript'>> {
    return this.sendCall('meetings.transcript', [id], {}, options)
  }

  /** Update a meeting. `PATCH /v1/meetings/{id}` */
  update(id: string, body?: Body<'meetings.update'>, options?: RequestOptions): ApiPromise<Data<'meetings.update'>> {
    return this.sendCall('meetings.update', [id], { body }, options)
  }

  /** List references to a meeting. `GET /v1/meetings/{id}/used-by` */
  usedBy(id: string, query?: Query<'meetings.usedBy'>, options?: RequestOptions): PagePromise<Item<'meetings.usedBy'>> {
    return this.getPage('meetings.usedBy', [id], { query }, options)
  }
}

export class MembersOperations extends Resource {
  /** Deactivate a member. `POST /v1/members/{actor}/deactivate` */
  deactivate(actor: string, body?: Body<'members.deactivate'>, options?: RequestOptions): ApiPromise<Data<'members.deactivate'>> {
    return this.sendCall('members.deactivate', [actor], { body }, options)
  }

  /** Hand over tasks and triggers. `POST /v1/members/{actor}/handover` */
  handOver(actor: string, body: Body<'members.handOver'>, options?: RequestOptions): ApiPromise<Data<'members.handOver'>> {
    return this.sendCall('members.handOver', [actor], { body }, options)
  }

  /** List members by name. `GET /v1/members` */
  list(query?: Query<'members.list'>, options?: RequestOptions): PagePromise<Item<'members.list'>> {
    return this.getPage('members.list', [], { query }, options)
  }

  /** Look up display names. `GET /v1/members/names` */
  names(query: Query<'members.names'>, options?: RequestOptions): ApiPromise<Data<'members.names'>> {
    return this.sendCall('members.names', [], { query }, options)
  }

  /** Reactivate a member. `POST /v1/members/{actor}/reactivate` */
  reactivate(actor: string, body?: Body<'members.reactivate'>, options?: RequestOptions): ApiPromise<Data<'members.reactivate'>> {
    return this.sendCall('members.reactivate', [actor], { body }, options)
  }

  /** Remove a member. `DELETE /v1/members/{actor}` */
  remove(actor: string, query?: Query<'members.remove'>, options?: RequestOptions): ApiPromise<Data<'members.remove'>> {
    return this.sendCall('members.remove', [actor], { query }, options)
  }

  /** Add or update a member. `PUT /v1/members/{actor}` */
  save(actor: string, body?: Body<'members.save'>, options?: RequestOptions): ApiPromise<Data<'members.save'>> {
    return this.sendCall('members.save', [actor], { body }, options)
  }
}

export class NeuronsOperations extends Resource {
  /** Create a neuron. `POST /v1/neurons` */
  create(body: Body<'neurons.create'>, options?: RequestOptions): ApiPromise<Data<'neurons.create'>> {
    return this.sendCall('neurons.create', [], { body }, options)
  }

  /** Delete a neuron. `DELETE /v1/neurons/{id}` */
  delete(id: string, options?: RequestOptions): ApiPromise<Data<'neurons.delete'>> {
    return this.sendCall('neurons.delete', [id], {}, options)
  }

  /** Compare versions of a neuron. `GET /v1/neurons/{id}/diff` */
  diff(id: string, query: Query<'neurons.diff'>, options?: RequestOptions): ApiPromise<Data<'neurons.diff'>> {
    return this.sendCall('neurons.diff', [id], { query }, options)
  }

  /** Read a neuron. `GET /v1/neurons/{id}` */
  get(id: string, query?: Query<'neurons.get'>, options?: RequestOptions): ApiPromise<Data<'neurons.get'>> {
    return this.sendCall('neurons.get', [id], { query }, options)
  }

  /** List versions of a neuron. `GET /v1/neurons/{id}/history` */
  history(id: string, query?: Query<'neurons.history'>, options?: RequestOptions): PagePromise<Item<'neurons.history'>> {
    return this.getPage('neurons.history', [id], { query }, options)
  }

  /** Invoke a neuron. `POST /v1/neurons/{id}/invoke` */
  invoke(id: string, body: Body<'neurons.invoke'>, options?: RequestOptions): ApiPromise<Data<'neurons.invoke'>> {
    return this.sendCall('neurons.invoke', [id], { body }, options)
  }

  /** List neurons. `GET /v1/neurons` */
  list(query?: Query<'neurons.list'>, options?: RequestOptions): PagePromise<Item<'neurons.list'>> {
    return this.getPage('neurons.list', [], { query }, options)
  }

  /** Restore a neuron. `POST /v1/neurons/{id}/restore` */
  restore(id: string, body?: Body<'neurons.restore'>, options?: RequestOptions): ApiPromise<Data<'neurons.restore'>> {
    return this.sendCall('neurons.restore', [id], { body }, options)
  }

  /** Update a neuron. `PATCH /v1/neurons/{id}` */
  update(id: string, body: Body<'neurons.update'>, options?: RequestOptions): ApiPromise<Data<'neurons.update'>> {
    return this.sendCall('neurons.update', [id], { body }, options)
  }

  /** List references to a neuron. `GET /v1/neurons/{id}/used-by` */
  usedBy(id: string, query?: Query<'neurons.usedBy'>, options?: RequestOptions): PagePromise<Item<'neurons.usedBy'>> {
    return this.getPage('neurons.usedBy', [id], { query }, options)
  }
}

export class NotificationRulesOperations extends Resource {
  /** Delete a notification rule. `DELETE /v1/notification-rules/{subject}/{channel}` */
  delete(subject: string, channel: string, options?: RequestOptions): ApiPromise<Data<'notificationRules.delete'>> {
    return this.sendCall('notificationRules.delete', [subject, channel], {}, options)
  }

  /** List notification rules. `GET /v1/notification-rules` */
  list(query?: Query<'notificationRules.list'>, options?: RequestOptions): PagePromise<Item<'notificationRules.list'>> {
    return this.getPage('notificationRules.list', [], { query }, options)
  }

  /** Create or replace a notification rule. `PUT /v1/notification-rules` */
  save(body: Body<'notificationRules.save'>, options?: RequestOptions): ApiPromise<Data<'notificationRules.save'>> {
    return this.sendCall('notificationRules.save', [], { body }, options)
  }
}

export class NotificationsOperations extends Resource {
  /** List your notifications, latest first. `GET /v1/notifications` */
  list(query?: Query<'notifications.list'>, options?: RequestOptions): PagePromise<Item<'notifications.list'>> {
    return this.getPage('notifications.list', [], { query }, options)
  }

  /** Mark your notifications as read. `POST /v1/notifications/read` */
  markRead(body?: Body<'notifications.markRead'>, options?: RequestOptions): ApiPromise<Data<'notifications.markRead'>> {
    return this.sendCall('notifications.markRead', [], { body }, options)
  }
}

export class OpenapiOperations extends Resource {
  /** Read the OpenAPI document. `GET /v1/openapi.json` */
  get(options?: RequestOptions): ApiPromise<Data<'openapi.get'>> {
    return this.sendCall('openapi.get', [], {}, options)
  }
}

export class PathwaysOperations extends Resource {
  /** Create a pathway. `POST /v1/pathways` */
  create(body: Body<'pathways.create'>, options?: RequestOptions): ApiPromise<Data<'pathways.create'>> {
    return this.sendCall('pathways.create', [], { body }, options)
  }

  /** Delete a pathway. `DELETE /v1/pathways/{id}` */
  delete(id: string, options?: RequestOptions): ApiPromise<Data<'pathways.delete'>> {
    return this.sendCall('pathways.delete', [id], {}, options)
  }

  /** Compare versions of a pathway. `GET /v1/pathways/{id}/diff` */
  diff(id: string, query: Query<'pathways.diff'>, options?: RequestOptions): ApiPromise<Data<'pathways.diff'>> {
    return this.sendCall('pathways.diff', [id], { query }, options)
  }

  /** Simulate a pathway. `POST /v1/pathways/{id}/dry-run` */
  dryRun(id: string, body?: Body<'pathways.dryRun'>, options?: RequestOptions): ApiPromise<Data<'pathways.dryRun'>> {
    return this.sendCall('pathways.dryRun', [id], { body }, options)
  }

  /** Simulate an unsaved definition. `POST /v1/pathways/dry-run` */
  dryRunDefinition(body: Body<'pathways.dryRunDefinition'>, options?: RequestOptions): ApiPromise<Data<'pathways.dryRunDefinition'>> {
    return this.sendCall('pathways.dryRunDefinition', [], { body }, options)
  }

  /** Run a pathway. `POST /v1/pathways/{id}/execute` */
  execute(id: string, body?: Body<'pathways.execute'>, options?: RequestOptions): ApiPromise<Data<'pathways.execute'>> {
    return this.sendCall('pathways.execute', [id], { body }, options)
  }

  /** Read a pathway. `GET /v1/pathways/{id}` */
  get(id: string, query?: Query<'pathways.get'>, options?: RequestOptions): ApiPromise<Data<'pathways.get'>> {
    return this.sendCall('pathways.get', [id], { query }, options)
  }

  /** List versions of a pathway. `GET /v1/pathways/{id}/history` */
  history(id: string, query?: Query<'pathways.history'>, options?: RequestOptions): PagePromise<Item<'pathways.history'>> {
    return this.getPage('pathways.history', [id], { query }, options)
  }

  /** List pathways. `GET /v1/pathways` */
  list(query?: Query<'pathways.list'>, options?: RequestOptions): PagePromise<Item<'pathways.list'>> {
    return this.getPage('pathways.list', [], { query }, options)
  }

  /** Restore a pathway. `POST /v1/pathways/{id}/restore` */
  restore(id: string, body?: Body<'pathways.restore'>, options?: RequestOptions): ApiPromise<Data<'pathways.restore'>> {
    return this.sendCall('pathways.restore', [id], { body }, options)
  }

  /** Update a pathway. `PATCH /v1/pathways/{id}` */
  update(id: string, body: Body<'pathways.update'>, options?: RequestOptions): ApiPromise<Data<'pathways.update'>> {
    return this.sendCall('pathways.update', [id], { body }, options)
  }

  /** List references to a pathway. `GET /v1/pathways/{id}/used-by` */
  usedBy(id: string, query?: Query<'pathways.usedBy'>, options?: RequestOptions): PagePromise<Item<'pathways.usedBy'>> {
    return this.getPage('pathways.usedBy', [id], { query }, options)
  }

  /** Validate a definition. `POST /v1/pathways/validate` */
  validate(body: Body<'pathways.validate'>, options?: RequestOptions): ApiPromise<Data<'pathways.validate'>> {
    return this.sendCall('pathways.validate', [], { body }, options)
  }
}

export class PublicOperations extends Resource {
  /** Answer a task in a shared thread. `POST /v1/public/jobs/{jobId}/input` */
  answer(jobId: string, body: Body<'public.answer'>, options?: RequestOptions): ApiPromise<Data<'public.answer'>> {
    return this.sendCall('public.answer', [jobId], { body }, options)
  }

  /** Send a message to a shared thread. `POST /v1/public/traces/{id}` */
  continueTrace(id: string, body: Body<'public.continueTrace'>, options?: RequestOptions): ApiPromise<Data<'public.continueTrace'>> {
    return this.sendCall('public.continueTrace', [id], { body }, options)
  }

  /** Download a file of a shared thread. `GET /v1/public/traces/{id}/files/{file_id}/content` */
  fileContent(id: string, fileId: string, options?: RequestOptions): ApiPromise<Response> {
    return this.fetchRaw('public.fileContent', [id, fileId], {}, options)
  }

  /** Read a shared thread. `GET /v1/public/traces/{id}` */
  getTrace(id: string, query?: Query<'public.getTrace'>, options?: RequestOptions): ApiPromise<Data<'public.getTrace'>> {
    return this.sendCall('public.getTrace', [id], { query }, options)
  }

  /** Send a message to a shared receptor. `POST /v1/public/receptors/{workspace_slug}/{slug}/invoke` */
  invokeReceptor(workspaceSlug: string, slug: string, body: Body<'public.invokeReceptor'>, options?: RequestOptions): ApiPromise<Data<'public.invokeReceptor'>> {
    return this.sendCall('public.invokeReceptor', [workspaceSlug, slug], { body }, options)
  }

  /** Send an event or an interaction of a channel. `POST /v1/public/channels/{workspace_slug}/{name}` */
  receiveFromChannel(workspaceSlug: string, name: string, body?: Body<'public.receiveFromChannel'>, options?: RequestOptions): ApiPromise<Data<'public.receiveFromChannel'>> {
    return this.sendCall('public.receiveFromChannel', [workspaceSlug, name], { body }, options)
  }

  /** Send a webhook request. `POST /v1/public/hooks/{token}` */
  receiveHook(token: string, body?: Body<'public.receiveHook'>, options?: RequestOptions): ApiPromise<Data<'public.receiveHook'>> {
    return this.sendCall('public.receiveHook', [token], { body }, options)
  }

  /** Stream a job in a shared thread. `GET /v1/public/jobs/{jobId}/stream` */
  streamJob(jobId: string, query?: Query<'public.streamJob'>, options?: StreamOptions): EventStream<StreamEvent<'public.streamJob'>> {
    return this.openStream('public.streamJob', [jobId], { query }, options)
  }

  /** Upload a file for a shared thread. `POST /v1/public/files` */
  uploadFile(body: Body<'public.uploadFile'>, options?: RequestOptions): ApiPromise<Data<'public.uploadFile'>> {
    return this.sendCall('public.uploadFile', [], { body }, options)
  }
}

export class PublishableKeysOperations extends Resource {
  /** Create a publishable key. `POST /v1/publishable-keys` */
  create(body: Body<'publishableKeys.create'>, options?: RequestOptions): ApiPromise<Data<'publishableKeys.create'>> {
    return this.sendCall('publishableKeys.create', [], { body }, options)
  }

  /** List publishable keys, oldest first. `GET /v1/publishable-keys` */
  list(query?: Query<'publishableKeys.list'>, options?: RequestOptions): PagePromise<Item<'publishableKeys.list'>> {
    return this.getPage('publishableKeys.list', [], { query }, options)
  }

  /** Revoke a publishable key. `DELETE /v1/publishable-keys/{id}` */
  revoke(id: string, options?: RequestOptions): ApiPromise<Data<'publishableKeys.revoke'>> {
    return this.sendCall('publishableKeys.revoke', [id], {}, options)
  }
}

export class PushSubscriptionsOperations extends Resource {
  /** Stop receiving notifications in a browser. `DELETE /v1/channel-accounts/{name}/push-subscriptions/{id}` */
  delete(name: string, id: string, options?: RequestOptions): ApiPromise<Data<'pushSubscriptions.delete'>> {
    return this.sendCall('pushSubscriptions.delete', [name, id], {}, options)
  }

  /** Receive your notifications in a browser. `PUT /v1/channel-accounts/{name}/push-subscriptions` */
  save(name: string, body: Body<'pushSubscriptions.save'>, options?: RequestOptions): ApiPromise<Data<'pushSubscriptions.save'>> {
    return this.sendCall('pushSubscriptions.save', [name], { body }, options)
  }
}

export class ReceptorsOperations extends Resource {
  /** Create a receptor. `POST /v1/receptors` */
  create(body: Body<'receptors.create'>, options?: RequestOptions): ApiPromise<Data<'receptors.create'>> {
    return this.sendCall('receptors.create', [], { body }, options)
  }

  /** Delete a receptor. `DELETE /v1/receptors/{id}` */
  delete(id: string, options?: RequestOptions): ApiPromise<Data<'receptors.delete'>> {
    return this.sendCall('receptors.delete', [id], {}, options)
  }

  /** Compare versions of a receptor. `GET /v1/receptors/{id}/diff` */
  diff(id: string, query: Query<'receptors.diff'>, options?: RequestOptions): ApiPromise<Data<'receptors.diff'>> {
    return this.sendCall('receptors.diff', [id], { query }, options)
  }

  /** Read a receptor. `GET /v1/receptors/{id}` */
  get(id: string, query?: Query<'receptors.get'>, options?: RequestOptions): ApiPromise<Data<'receptors.get'>> {
    return this.sendCall('receptors.get', [id], { query }, options)
  }

  /** List versions of a receptor. `GET /v1/receptors/{id}/history` */
  history(id: string, query?: Query<'receptors.history'>, options?: RequestOptions): PagePromise<Item<'receptors.history'>> {
    return this.getPage('receptors.history', [id], { query }, options)
  }

  /** Send a message to a receptor. `POST /v1/receptors/{workspace_slug}/{slug_or_id}/invoke` */
  invoke(workspaceSlug: string, slugOrId: string, body: Body<'receptors.invoke'>, options?: RequestOptions): ApiPromise<Data<'receptors.invoke'>> {
    return this.sendCall('receptors.invoke', [workspaceSlug, slugOrId], { body }, options)
  }

  /** List receptors. `GET /v1/receptors` */
  list(query?: Query<'receptors.list'>, options?: RequestOptions): PagePromise<Item<'receptors.list'>> {
    return this.getPage('receptors.list', [], { query }, options)
  }

  /** Restore a receptor. `POST /v1/receptors/{id}/restore` */
  restore(id: string, body?: Body<'receptors.restore'>, options?: RequestOptions): ApiPromise<Data<'receptors.restore'>> {
    return this.sendCall('receptors.restore', [id], { body }, options)
  }

  /** Update a receptor. `PATCH /v1/receptors/{id}` */
  update(id: string, body: Body<'receptors.update'>, options?: RequestOptions): ApiPromise<Data<'receptors.update'>> {
    return this.sendCall('receptors.update', [id], { body }, options)
  }

  /** List references to a receptor. `GET /v1/receptors/{id}/used-by` */
  usedBy(id: string, query?: Query<'receptors.usedBy'>, options?: RequestOptions): PagePromise<Item<'receptors.usedBy'>> {
    return this.getPage('receptors.usedBy', [id], { query }, options)
  }
}

export class RecollectionsOperations extends Resource {
  /** Create a recollection. `POST /v1/recollections` */
  create(body: Body<'recollections.create'>, options?: RequestOptions): ApiPromise<Data<'recollections.create'>> {
    return this.sendCall('recollections.create', [], { body }, options)
  }

  /** Delete a recollection. `DELETE /v1/recollections/{id}` */
  delete(id: string, options?: RequestOptions): ApiPromise<Data<'recollections.delete'>> {
    return this.sendCall('recollections.delete', [id], {}, options)
  }

  /** List recollections, latest first. `GET /v1/recollections` */
  list(query?: Query<'recollections.list'>, options?: RequestOptions): PagePromise<Item<'recollections.list'>> {
    return this.getPage('recollections.list', [], { query }, options)
  }

  /** Search recollections. `POST /v1/recollections/search` */
  search(body: Body<'recollections.search'>, options?: RequestOptions): ApiPromise<Data<'recollections.search'>> {
    return this.sendCall('recollections.search', [], { body }, options)
  }
}

export class ReflexesOperations extends Resource {
  /** Create a reflex. `POST /v1/reflexes` */
  create(body: Body<'reflexes.create'>, options?: RequestOptions): ApiPromise<Data<'reflexes.create'>> {
    return this.sendCall('reflexes.create', [], { body }, options)
  }

  /** Delete a reflex. `DELETE /v1/reflexes/{id}` */
  delete(id: string, options?: RequestOptions): ApiPromise<Data<'reflexes.delete'>> {
    return this.sendCall('reflexes.delete', [id], {}, options)
  }

  /** Compare versions of a reflex. `GET /v1/reflexes/{id}/diff` */
  diff(id: string, query: Query<'reflexes.diff'>, options?: RequestOptions): ApiPromise<Data<'reflexes.diff'>> {
    return this.sendCall('reflexes.diff', [id], { query }, options)
  }

  /** Read a reflex. `GET /v1/reflexes/{id}` */
  get(id: string, query?: Query<'reflexes.get'>, options?: RequestOptions): ApiPromise<Data<'reflexes.get'>> {
    return this.sendCall('reflexes.get', [id], { query }, options)
  }

  /** List versions of a reflex. `GET /v1/reflexes/{id}/history` */
  history(id: string, query?: Query<'reflexes.history'>, options?: RequestOptions): PagePromise<Item<'reflexes.history'>> {
    return this.getPage('reflexes.history', [id], { query }, options)
  }

  /** List reflexes. `GET /v1/reflexes` */
  list(query?: Query<'reflexes.list'>, options?: RequestOptions): PagePromise<Item<'reflexes.list'>> {
    return this.getPage('reflexes.list', [], { query }, options)
  }

  /** Refresh the tools of a reflex. `POST /v1/reflexes/{id}/refresh` */
  refresh(id: string, body?: Body<'reflexes.refresh'>, options?: RequestOptions): ApiPromise<Data<'reflexes.refresh'>> {
    return this.sendCall('reflexes.refresh', [id], { body }, options)
  }

  /** Restore a reflex. `POST /v1/reflexes/{id}/restore` */
  restore(id: string, body?: Body<'reflexes.restore'>, options?: RequestOptions): ApiPromise<Data<'reflexes.restore'>> {
    return this.sendCall('reflexes.restore', [id], { body }, options)
  }

  /** Update a reflex. `PATCH /v1/reflexes/{id}` */
  update(id: string, body: Body<'reflexes.update'>, options?: RequestOptions): ApiPromise<Data<'reflexes.update'>> {
    return this.sendCall('reflexes.update', [id], { body }, options)
  }

  /** List references to a reflex. `GET /v1/reflexes/{id}/used-by` */
  usedBy(id: string, query?: Query<'reflexes.usedBy'>, options?: RequestOptions): PagePromise<Item<'reflexes.usedBy'>> {
    return this.getPage('reflexes.usedBy', [id], { query }, options)
  }
}

export class ResourcesOperations extends Resource {
  /** Create a resource. `POST /v1/resources/{catalog}` */
  create(catalog: string, body: Body<'resources.create'>, options?: RequestOptions): ApiPromise<Data<'resources.create'>> {
    return this.sendCall('resources.create', [catalog], { body }, options)
  }

  /** Delete a resource. `DELETE /v1/resources/{catalog}/{id}` */
  delete(catalog: string, id: string, query?: Query<'resources.delete'>, options?: RequestOptions): ApiPromise<Data<'resources.delete'>> {
    return this.sendCall('resources.delete', [catalog, id], { query }, options)
  }

  /** Compare versions of a resource. `GET /v1/resources/{catalog}/{id}/diff` */
  diff(catalog: string, id: string, query: Query<'resources.diff'>, options?: RequestOptions): ApiPromise<Data<'resources.diff'>> {
    return this.sendCall('resources.diff', [catalog, id], { query }, options)
  }

  /** Validate resources without saving. `POST /v1/resources/dry-run` */
  dryRun(body: Body<'resources.dryRun'>, options?: RequestOptions): ApiPromise<Data<'resources.dryRun'>> {
    return this.sendCall('resources.dryRun', [], { body }, options)
  }

  /** Read a resource. `GET /v1/resources/{catalog}/{id}` */
  get(catalog: string, id: string, options?: RequestOptions): ApiPromise<Data<'resources.get'>> {
    return this.sendCall('resources.get', [catalog, id], {}, options)
  }

  /** Read a resource version. `GET /v1/resources/{catalog}/{id}/versions/{version}` */
  getVersion(catalog: string, id: string, version: string | number, options?: RequestOptions): ApiPromise<Data<'resources.getVersion'>> {
    return this.sendCall('resources.getVersion', [catalog, id, version], {}, options)
  }

  /** List versions of a resource. `GET /v1/resources/{catalog}/{id}/history` */
  history(catalog: string, id: string, query?: Query<'resources.history'>, options?: RequestOptions): PagePromise<Item<'resources.history'>> {
    return this.getPage('resources.history', [catalog, id], { query }, options)
  }

  /** List resources of a kind. `GET /v1/resources/{catalog}` */
  list(catalog: string, query?: Query<'resources.list'>, options?: RequestOptions): PagePromise<Item<'resources.list'>> {
    return this.getPage('resources.list', [catalog], { query }, options)
  }

  /** Move resources and folders. `POST /v1/resources/move` */
  move(body: Body<'resources.move'>, options?: RequestOptions): ApiPromise<Data<'resources.move'>> {
    return this.sendCall('resources.move', [], { body }, options)
  }

  /** List a subtree with a request body. `POST /v1/resources/tree` */
  queryTree(body?: Body<'resources.queryTree'>, options?: RequestOptions): ApiPromise<Data<'resources.queryTree'>> {
    return this.sendCall('resources.queryTree', [], { body }, options)
  }

  /** Restore a resource. `POST /v1/resources/{catalog}/{id}/restore` */
  restore(catalog: string, id: string, body?: Body<'resources.restore'>, options?: RequestOptions): ApiPromise<Data<'resources.restore'>> {
    return this.sendCall('resources.restore', [catalog, id], { body }, options)
  }

  /** List a subtree. `GET /v1/resources/tree` */
  tree(query?: Query<'resources.tree'>, options?: RequestOptions): ApiPromise<Data<'resources.tree'>> {
    return this.sendCall('resources.tree', [], { query }, options)
  }

  /** Update a resource. `POST /v1/resources/{catalog}/{id}/patch` */
  update(catalog: string, id: string, body: Body<'resources.update'>, options?: RequestOptions): ApiPromise<Data<'resources.update'>> {
    return this.sendCall('resources.update', [catalog, id], { body }, options)
  }

  /** List references to a resource. `GET /v1/resources/{catalog}/{id}/used-by` */
  usedBy(catalog: string, id: string, query?: Query<'resources.usedBy'>, options?: RequestOptions): PagePromise<Item<'resources.usedBy'>> {
    return this.getPage('resources.usedBy', [catalog, id], { query }, options)
  }
}

export class SearchOperations extends Resource {
  /** Search resources. `POST /v1/search` */
  query(body: Body<'search.query'>, options?: RequestOptions): ApiPromise<Data<'search.query'>> {
    return this.sendCall('search.query', [], { body }, options)
  }

  /** Start a search job. `GET /v1/search` */
  start(query: Query<'search.start'>, options?: RequestOptions): ApiPromise<Data<'search.start'>> {
    return this.sendCall('search.start', [], { query }, options)
  }
}

export class SecretsOperations extends Resource {
  /** Delete a secret. `DELETE /v1/secrets/{name}` */
  delete(name: string, options?: RequestOptions): ApiPromise<Data<'secrets.delete'>> {
    return this.sendCall('secrets.delete', [name], {}, options)
  }

  /** List secrets, without values. `GET /v1/secrets` */
  list(query?: Query<'secrets.list'>, options?: RequestOptions): PagePromise<Item<'secrets.list'>> {
    return this.getPage('secrets.list', [], { query }, options)
  }

  /** Create or update a secret. `PUT /v1/secrets/{name}` */
  save(name: string, body: Body<'secrets.save'>, options?: RequestOptions): ApiPromise<Data<'secrets.save'>> {
    return this.sendCall('secrets.save', [name], { body }, options)
  }
}

export class SessionOperations extends Resource {
  /** Read the console start data. `GET /v1/session/boot` */
  boot(options?: RequestOptions): ApiPromise<Data<'session.boot'>> {
    return this.sendCall('session.boot', [], {}, options)
  }

  /** Read the current session. `GET /v1/session/context` */
  context(options?: RequestOptions): ApiPromise<Data<'session.context'>> {
    return this.sendCall('session.context', [], {}, options)
  }

  /** Sign out. `DELETE /v1/session` */
  end(query?: Query<'session.end'>, options?: RequestOptions): ApiPromise<Data<'session.end'>> {
    return this.sendCall('session.end', [], { query }, options)
  }

  /** Sign in with a one-time link. `POST /v1/session/link` */
  link(body: Body<'session.link'>, options?: RequestOptions): ApiPromise<Data<'session.link'>> {
    return this.sendCall('session.link', [], { body }, options)
  }

  /** List sign-in methods. `GET /v1/session/options` */
  options(options?: RequestOptions): ApiPromise<Data<'session.options'>> {
    return this.sendCall('session.options', [], {}, options)
  }
}

export class ShareTokensOperations extends Resource {
  /** Create a share token. `POST /v1/share-tokens` */
  create(body: Body<'shareTokens.create'>, options?: RequestOptions): ApiPromise<Data<'shareTokens.create'>> {
    return this.sendCall('shareTokens.create', [], { body }, options)
  }

  /** List share tokens, oldest first. `GET /v1/share-tokens` */
  list(query?: Query<'shareTokens.list'>, options?: RequestOptions): PagePromise<Item<'shareTokens.list'>> {
    return this.getPage('shareTokens.list', [], { query }, options)
  }

  /** Revoke a share token. `DELETE /v1/share-tokens/{id}` */
  revoke(id: string, options?: RequestOptions): ApiPromise<Data<'shareTokens.revoke'>> {
    return this.sendCall('shareTokens.revoke', [id], {}, options)
  }
}

export class SkillsOperations extends Resource {
  /** Create a skill. `POST /v1/skills` */
  create(body: Body<'skills.create'>, options?: RequestOptions): ApiPromise<Data<'skills.create'>> {
    return this.sendCall('skills.create', [], { body }, options)
  }

  /** Delete a skill. `DELETE /v1/skills/{id}` */
  delete(id: string, options?: RequestOptions): ApiPromise<Data<'skills.delete'>> {
    return this.sendCall('skills.delete', [id], {}, options)
  }

  /** Compare versions of a skill. `GET /v1/skills/{id}/diff` */
  diff(id: string, query: Query<'skills.diff'>, options?: RequestOptions): ApiPromise<Data<'skills.diff'>> {
    return this.sendCall('skills.diff', [id], { query }, options)
  }

  /** Read a skill. `GET /v1/skills/{id}` */
  get(id: string, query?: Query<'skills.get'>, options?: RequestOptions): ApiPromise<Data<'skills.get'>> {
    return this.sendCall('skills.get', [id], { query }, options)
  }

  /** List versions of a skill. `GET /v1/skills/{id}/history` */
  history(id: string, query?: Query<'skills.history'>, options?: RequestOptions): PagePromise<Item<'skills.history'>> {
    return this.getPage('skills.history', [id], { query }, options)
  }

  /** List skills. `GET /v1/skills` */
  list(query?: Query<'skills.list'>, options?: RequestOptions): PagePromise<Item<'skills.list'>> {
    return this.getPage('skills.list', [], { query }, options)
  }

  /** Restore a skill. `POST /v1/skills/{id}/restore` */
  restore(id: string, body?: Body<'skills.restore'>, options?: RequestOptions): ApiPromise<Data<'skills.restore'>> {
    return this.sendCall('skills.restore', [id], { body }, options)
  }

  /** Update a skill. `PATCH /v1/skills/{id}` */
  update(id: string, body: Body<'skills.update'>, options?: RequestOptions): ApiPromise<Data<'skills.update'>> {
    return this.sendCall('skills.update', [id], { body }, options)
  }

  /** List references to a skill. `GET /v1/skills/{id}/used-by` */
  usedBy(id: string, query?: Query<'skills.usedBy'>, options?: RequestOptions): PagePromise<Item<'skills.usedBy'>> {
    return this.getPage('skills.usedBy', [id], { query }, options)
  }
}

export class StakeholdersOperations extends Resource {
  /** Read a stakeholder briefing. `GET /v1/stakeholders/{node_id}/briefing` */
  briefing(nodeId: string, query?: Query<'stakeholders.briefing'>, options?: RequestOptions): ApiPromise<Data<'stakeholders.briefing'>> {
    return this.sendCall('stakeholders.briefing', [nodeId], { query }, options)
  }

  /** Compare stakeholder map versions. `GET /v1/stakeholders/diff` */
  diff(query: Query<'stakeholders.diff'>, options?: RequestOptions): ApiPromise<Data<'stakeholders.diff'>> {
    return this.sendCall('stakeholders.diff', [], { query }, options)
  }

  /** Propose stakeholder map changes. `POST /v1/stakeholders/extract` */
  extract(body: Body<'stakeholders.extract'>, options?: RequestOptions): ApiPromise<Data<'stakeholders.extract'>> {
    return this.sendCall('stakeholders.extract', [], { body }, options)
  }

  /** Draw a stakeholder map. `GET /v1/stakeholders/graph.svg` */
  graph(query?: Query<'stakeholders.graph'>, options?: RequestOptions): ApiPromise<Response> {
    return this.fetchRaw('stakeholders.graph', [], { query }, options)
  }

  /** Read a stakeholder map. `GET /v1/stakeholders/latest` */
  latest(query?: Query<'stakeholders.latest'>, options?: RequestOptions): ApiPromise<Data<'stakeholders.latest'>> {
    return this.sendCall('stakeholders.latest', [], { query }, options)
  }
}

export class ToolsOperations extends Resource {
  /** Call a tool. `POST /v1/tools/{name}/call` */
  call(name: string, body?: Body<'tools.call'>, options?: RequestOptions): ApiPromise<Data<'tools.call'>> {
    return this.sendCall('tools.call', [name], { body }, options)
  }

  /** List tools. `GET /v1/tools` */
  list(query?: Query<'tools.list'>, options?: RequestOptions): PagePromise<Item<'tools.list'>> {
    return this.getPage('tools.list', [], { query }, options)
  }
}

export class TracesOperations extends Resource {
  /** Delete a thread. `DELETE /v1/traces/{id}` */
  delete(id: string, options?: RequestOptions): ApiPromise<Data<'traces.delete'>> {
    return this.sendCall('traces.delete', [id], {}, options)
  }

  /** Read a thread. `GET /v1/traces/{id}` */
  get(id: string, query?: Query<'traces.get'>, options?: RequestOptions): ApiPromise<Data<'traces.get'>> {
    return this.sendCall('traces.get', [id], { query }, options)
  }

  /** List threads, latest first. `GET /v1/traces` */
  list(query?: Query<'traces.list'>, options?: RequestOptions): PagePromise<Item<'traces.list'>> {
    return this.getPage('traces.list', [], { query }, options)
  }
}

export class TranscribeOperations extends Resource {
  /** Transcribe audio. `POST /v1/transcribe` */
  start(body: Body<'transcribe.start'>, options?: RequestOptions): ApiPromise<Data<'transcribe.start'>> {
    return this.sendCall('transcribe.start', [], { body }, options)
  }
}

export class TriggersOperations extends Resource {
  /** Backfill a schedule. `POST /v1/triggers/{id}/backfill` */
  backfill(id: string, body: Body<'triggers.backfill'>, options?: RequestOptions): ApiPromise<Data<'triggers.backfill'>> {
    return this.sendCall('triggers.backfill', [id], { body }, options)
  }

  /** Create a trigger. `POST /v1/triggers` */
  create(body: Body<'triggers.create'>, options?: RequestOptions): ApiPromise<Data<'triggers.create'>> {
    return this.sendCall('triggers.create', [], { body }, options)
  }

  /** Delete a trigger. `DELETE /v1/triggers/{id}` */
  delete(id: string, options?: RequestOptions): ApiPromise<Data<'triggers.delete'>> {
    return this.sendCall('triggers.delete', [id], {}, options)
  }

  /** Compare versions of a trigger. `GET /v1/triggers/{id}/diff` */
  diff(id: string, query: Query<'triggers.diff'>, options?: RequestOptions): ApiPromise<Data<'triggers.diff'>> {
    return this.sendCall('triggers.diff', [id], { query }, options)
  }

  /** Fire a trigger. `POST /v1/triggers/{id}/fire` */
  fire(id: string, body?: Body<'triggers.fire'>, options?: RequestOptions): ApiPromise<Data<'triggers.fire'>> {
    return this.sendCall('triggers.fire', [id], { body }, options)
  }

  /** Read a trigger. `GET /v1/triggers/{id}` */
  get(id: string, query?: Query<'triggers.get'>, options?: RequestOptions): ApiPromise<Data<'triggers.get'>> {
    return this.sendCall('triggers.get', [id], { query }, options)
  }

  /** List versions of a trigger. `GET /v1/triggers/{id}/history` */
  history(id: string, query?: Query<'triggers.history'>, options?: RequestOptions): PagePromise<Item<'triggers.history'>> {
    return this.getPage('triggers.history', [id], { query }, options)
  }

  /** Read the state of a hook. `GET /v1/triggers/{id}/hook` */
  hook(id: string, options?: RequestOptions): ApiPromise<Data<'triggers.hook'>> {
    return this.sendCall('triggers.hook', [id], {}, options)
  }

  /** List triggers. `GET /v1/triggers` */
  list(query?: Query<'triggers.list'>, options?: RequestOptions): PagePromise<Item<'triggers.list'>> {
    return this.getPage('triggers.list', [], { query }, options)
  }

  /** List the next scheduled times. `GET /v1/triggers/{id}/preview` */
  preview(id: string, options?: RequestOptions): ApiPromise<Data<'triggers.preview'>> {
    return this.sendCall('triggers.preview', [id], {}, options)
  }

  /** Replay a firing. `POST /v1/triggers/{id}/runs/{firing_id}/replay` */
  replay(id: string, firingId: string, body?: Body<'triggers.replay'>, options?: RequestOptions): ApiPromise<Data<'triggers.replay'>> {
    return this.sendCall('triggers.replay', [id, firingId], { body }, options)
  }

  /** Restore a trigger. `POST /v1/triggers/{id}/restore` */
  restore(id: string, body?: Body<'triggers.restore'>, options?: RequestOptions): ApiPromise<Data<'triggers.restore'>> {
    return this.sendCall('triggers.restore', [id], { body }, options)
  }

  /** Set or rotate a signing secret. `POST /v1/triggers/{id}/rotate-secret` */
  rotateSecret(id: string, body?: Body<'triggers.rotateSecret'>, options?: RequestOptions): ApiPromise<Data<'triggers.rotateSecret'>> {
    return this.sendCall('triggers.rotateSecret', [id], { body }, options)
  }

  /** Create or replace a hook address. `POST /v1/triggers/{id}/rotate-token` */
  rotateToken(id: string, body?: Body<'triggers.rotateToken'>, options?: RequestOptions): ApiPromise<Data<'triggers.rotateToken'>> {
    return this.sendCall('triggers.rotateToken', [id], { body }, options)
  }

  /** List firings, latest first. `GET /v1/triggers/{id}/runs` */
  runs(id: string, query?: Query<'triggers.runs'>, options?: RequestOptions): PagePromise<Item<'triggers.runs'>> {
    return this.getPage('triggers.runs', [id], { query }, options)
  }

  /** Update a trigger. `PATCH /v1/triggers/{id}` */
  update(id: string, body: Body<'triggers.update'>, options?: RequestOptions): ApiPromise<Data<'triggers.update'>> {
    return this.sendCall('triggers.update', [id], { body }, options)
  }

  /** List references to a trigger. `GET /v1/triggers/{id}/used-by` */
  usedBy(id: string, query?: Query<'triggers.usedBy'>, options?: RequestOptions): PagePromise<Item<'triggers.usedBy'>> {
    return this.getPage('triggers.usedBy', [id], { query }, options)
  }
}

export class UsageOperations extends Resource {
  /** Aggregate usage. `GET /v1/usage` */
  get(query?: Query<'usage.get'>, options?: RequestOptions): PagePromise<Item<'usage.get'>> {
    return this.getPage('usage.get', [], { query }, options)
  }
}

export class WebhooksOperations extends Resource {
  /** Create a webhook. `POST /v1/webhooks` */
  create(body: Body<'webhooks.create'>, options?: RequestOptions): ApiPromise<Data<'webhooks.create'>> {
    return this.sendCall('webhooks.create', [], { body }, options)
  }

  /** Delete a webhook and its log. `DELETE /v1/webhooks/{id}` */
  delete(id: string, options?: RequestOptions): ApiPromise<Data<'webhooks.delete'>> {
    return this.sendCall('webhooks.delete', [id], {}, options)
  }

  /** List deliveries, latest first. `GET /v1/webhooks/{id}/deliveries` */
  deliveries(id: string, query?: Query<'webhooks.deliveries'>, options?: RequestOptions): PagePromise<Item<'webhooks.deliveries'>> {
    return this.getPage('webhooks.deliveries', [id], { query }, options)
  }

  /** Read a webhook. `GET /v1/webhooks/{id}` */
  get(id: string, options?: RequestOptions): ApiPromise<Data<'webhooks.get'>> {
    return this.sendCall('webhooks.get', [id], {}, options)
  }

  /** List webhooks, latest first. `GET /v1/webhooks` */
  list(query?: Query<'webhooks.list'>, options?: RequestOptions): PagePromise<Item<'webhooks.list'>> {
    return this.getPage('webhooks.list', [], { query }, options)
  }

  /** Replay a delivery. `POST /v1/webhooks/{id}/deliveries/{deliveryId}/replay` */
  replay(id: string, deliveryId: string, body?: Body<'webhooks.replay'>, options?: RequestOptions): ApiPromise<Data<'webhooks.replay'>> {
    return this.sendCall('webhooks.replay', [id, deliveryId], { body }, options)
  }

  /** Rotate a webhook secret. `POST /v1/webhooks/{id}/rotate-secret` */
  rotateSecret(id: string, body?: Body<'webhooks.rotateSecret'>, options?: RequestOptions): ApiPromise<Data<'webhooks.rotateSecret'>> {
    return this.sendCall('webhooks.rotateSecret', [id], { body }, options)
  }

  /** Send a test event. `POST /v1/webhooks/{id}/test` */
  test(id: string, body?: Body<'webhooks.test'>, options?: RequestOptions): ApiPromise<Data<'webhooks.test'>> {
    return this.sendCall('webhooks.test', [id], { body }, options)
  }

  /** Update a webhook. `PATCH /v1/webhooks/{id}` */
  update(id: string, body: Body<'webhooks.update'>, options?: RequestOptions): ApiPromise<Data<'webhooks.update'>> {
    return this.sendCall('webhooks.update', [id], { body }, options)
  }
}

/** All operations of the document, by noun and verb. */
export class Operations {
  readonly transport: Transport
  readonly absences: AbsencesOperations
  readonly activity: ActivityOperations
  readonly apiKeys: ApiKeysOperations
  readonly artifacts: ArtifactsOperations
  readonly assets: AssetsOperations
  readonly automations: AutomationsOperations
  readonly brains: BrainsOperations
  readonly browse: BrowseOperations
  readonly calendars: CalendarsOperations
  readonly channelAccounts: ChannelAccountsOperations
  readonly channels: ChannelsOperations
  readonly chat: ChatOperations
  readonly config: ConfigOperations
  readonly docs: DocsOperations
  readonly events: EventsOperations
  readonly files: FilesOperations
  readonly health: HealthOperations
  readonly interventions: InterventionsOperations
  readonly jobs: JobsOperations
  readonly mcpToolkits: McpToolkitsOperations
  readonly meetings: MeetingsOperations
  readonly members: MembersOperations
  readonly neurons: NeuronsOperations
  readonly notificationRules: NotificationRulesOperations
  readonly notifications: NotificationsOperations
  readonly openapi: OpenapiOperations
  readonly pathways: PathwaysOperations
  readonly public: PublicOperations
  readonly publishableKeys: PublishableKeysOperations
  readonly pushSubscriptions: PushSubscriptionsOperations
  readonly receptors: ReceptorsOperations
  readonly recollections: RecollectionsOperations
  readonly reflexes: ReflexesOperations
  readonly resources: ResourcesOperations
  readonly search: SearchOperations
  readonly secrets: SecretsOperations
  readonly session: SessionOperations
  readonly shareTokens: ShareTokensOperations
  readonly skills: SkillsOperations
  readonly stakeholders: StakeholdersOperations
  readonly tools: ToolsOperations
  readonly traces: TracesOperations
  readonly transcribe: TranscribeOperations
  readonly triggers: TriggersOperations
  readonly usage: UsageOperations
  readonly webhooks: WebhooksOperations

  constructor(transport: Transport) {
    this.transport = transport
    this.absences = new AbsencesOperations(transport)
    this.activity = new ActivityOperations(transport)
    this.apiKeys = new ApiKeysOperations(transport)
    this.artifacts = new ArtifactsOperations(transport)
    this.assets = new AssetsOperations(transport)
    this.automations = new AutomationsOperations(transport)
    this.brains = new BrainsOperations(transport)
    this.browse = new BrowseOperations(transport)
    this.calendars = new CalendarsOperations(transport)
    this.channelAccounts = new ChannelAccountsOperations(transport)
    this.channels = new ChannelsOperations(transport)
    this.chat = new ChatOperations(transport)
    this.config = new ConfigOperations(transport)
    this.docs = new DocsOperations(transport)
    this.events = new EventsOperations(transport)
    this.files = new FilesOperations(transport)
    this.health = new HealthOperations(transport)
    this.interventions = new InterventionsOperations(transport)
    this.jobs = new JobsOperations(transport)
    this.mcpToolkits = new McpToolkitsOperations(transport)
    this.meetings = new MeetingsOperations(transport)
    this.members = new MembersOperations(transport)
    this.neurons = new NeuronsOperations(transport)
    this.notificationRules = new NotificationRulesOperations(transport)
    this.notifications = new NotificationsOperations(transport)
    this.openapi = new OpenapiOperations(transport)
    this.pathways = new PathwaysOperations(transport)
    this.public = new PublicOperations(transport)
    this.publishableKeys = new PublishableKeysOperations(transport)
    this.pushSubscriptions = new PushSubscriptionsOperations(transport)
    this.receptors = new ReceptorsOperations(transport)
    this.recollections = new RecollectionsOperations(transport)
    this.reflexes = new ReflexesOperations(transport)
    this.resources = new ResourcesOperations(transport)
    this.search = new SearchOperations(transport)
    this.secrets = new SecretsOperations(transport)
    this.session = new SessionOperations(transport)
    this.shareTokens = new ShareTokensOperations(transport)
    this.skills = new SkillsOperations(transport)
    this.stakeholders = new StakeholdersOperations(transport)
    this.tools = new ToolsOperations(transport)
    this.traces = new TracesOperations(transport)
    this.transcribe = new TranscribeOperations(transport)
    this.triggers = new TriggersOperations(transport)
    this.usage = new UsageOperations(transport)
    this.webhooks = new WebhooksOperations(transport)
  }
}
