import type { components, operations } from './generated/api.ts'
import type { OPERATIONS } from './generated/operations.ts'

/** Name of an operation in the OpenAPI document, such as `jobs.cancel`. */
export type OperationId = keyof typeof OPERATIONS & keyof operations

/** A named API schema: `Schema<'Pathway'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

type Json<T> = T extends { content: infer Content }
  ? Content extends { 'application/json': infer Body }
    ? Body
    : never
  : undefined

type Form<T> = T extends { content: { 'multipart/form-data': unknown } } ? FormData : never

type AnyMedia<T> = T extends { content: { '*/*': unknown } } ? object : never

type BodyOf<T> = T extends { requestBody?: infer R } ? Bodies<NonNullable<R>> : never
type Bodies<T> = Json<T> | Form<T> | AnyMedia<T>

/** The body of a request. */
export type Body<Id extends OperationId> = BodyOf<operations[Id]>

/** Query parameters that the client adds: the share token, and the position in a stream. */
type OfClient<Id extends OperationId> = 't' | 'share' | (Responses<Id> extends { 200: Events } ? 'after' : never)

/** The query parameters of a request. */
export type Query<Id extends OperationId> = Omit<NonNullable<operations[Id]['parameters']['query']>, OfClient<Id>>

type Responses<Id extends OperationId> = operations[Id]['responses']
type Success<Id extends OperationId> = Extract<keyof Responses<Id>, 200 | 201 | 202 | 204 | 207>

/** The body of a successful response, or undefined if the response has none. */
export type Data<Id extends OperationId> = { [Status in Success<Id>]: Json<Responses<Id>[Status]> }[Success<Id>]

interface Events {
  content: { 'text/event-stream': { type: string } }
}

/** An event in the stream that an operation returns. */
export type StreamEvent<Id extends OperationId> =
  Responses<Id> extends { 200: Events } ? Responses<Id>[200]['content']['text/event-stream'] : never

/** An element of a list. */
export type Item<Id extends OperationId> =
  Data<Id> extends { data: (infer T)[] } ? T : Data<Id> extends { jobs: (infer T)[] } ? T : never

/** An event in a run stream. A newer service may send types that are not listed here. */
export type JobEvent = Schema<'JobEvent'>
/** An event in the workspace stream. */
export type WorkspaceEvent = Schema<'WorkspaceEvent'>
/** An event in the stream of a visitor's run. A newer service may send types that are not listed here. */
export type PublicEvent = Schema<'PublicEvent'>
/** An event delivered by a webhook. */
export type WebhookEvent = Exclude<WorkspaceEvent, { type: 'position' | 'gap' }>

export type Job = Schema<'Job'>
export type JobDetail = Schema<'JobDetail'>
/** The cause of a run's current state. */
export type Diagnosis = Schema<'Diagnosis'>
export type Pathway = Schema<'Pathway'>
export type PathwayDefinition = Schema<'PathwayDefinition'>
export type Neuron = Schema<'Neuron'>
export type Intervention = Schema<'Intervention'>
/** An open task in a run. */
export type Question = Schema<'WaitingFor'>

/** A person's answer to a task. */
export type PersonAnswer = Omit<Body<'jobs.answer'>['input'], 'type' | 'interventionId'>

export type { RequestOptions } from './core/transport.ts'
export type { StreamOptions } from './core/event-stream.ts'
