import { ROLE_NAMES } from '../../domain/access/permissions.ts'
import { GROUP_SCHEMA, USER_SCHEMA } from '../../services/access/scim/resources.ts'

/** The largest page of users or groups. */
export const MAX_COUNT = 200

export const buildServiceProviderConfig = (base: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_COUNT },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'API key',
      description: 'An API key with the permission members:provision, as a bearer token',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

const buildResourceType = (base: string, id: 'User' | 'Group', schema: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id,
  name: id,
  endpoint: `/${id}s`,
  description: id === 'User' ? 'Members of the workspace' : 'Groups of members',
  schema,
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${id}` },
})

export const listResourceTypes = (base: string) => [
  buildResourceType(base, 'User', USER_SCHEMA),
  buildResourceType(base, 'Group', GROUP_SCHEMA),
]

interface AttributeOptions {
  type?: 'string' | 'boolean' | 'complex' | 'reference'
  multiValued?: boolean
  required?: boolean
  caseExact?: boolean
  mutability?: 'readWrite' | 'readOnly' | 'immutable'
  uniqueness?: 'none' | 'server'
  canonicalValues?: readonly string[]
  referenceTypes?: string[]
  subAttributes?: object[]
}

function attribute(name: string, description: string, options: AttributeOptions = {}) {
  const { type = 'string', ...more } = options
  return {
    name,
    type,
    multiValued: false,
    description,
    required: false,
    ...(type === 'complex' ? {} : { caseExact: false }),
    mutability: 'readWrite',
    returned: 'default',
    ...(type === 'complex' || type === 'boolean' ? {} : { uniqueness: 'none' }),
    ...more,
  }
}

const values = (name: string, description: string, value: object, types?: string[]) =>
  attribute(name, description, {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      value,
      attribute('display', 'Name of the value'),
      attribute('type', 'Kind of the value', types && { canonicalValues: types }),
      attribute('primary', 'Whether this is the preferred value', { type: 'boolean' }),
    ],
  })

const readOnly = { mutability: 'readOnly' } as const
const immutable = { mutability: 'immutable' } as const

const USER_ATTRIBUTES = [
  attribute('userName', 'Name of the user', { required: true, uniqueness: 'server' }),
  attribute('externalId', 'Id of the user at the client', { caseExact: true }),
  attribute('name', 'Parts of the name', {
    type: 'complex',
    subAttributes: [
      attribute('formatted', 'Full name'),
      attribute('familyName', 'Family name'),
      attribute('givenName', 'Given name'),
    ],
  }),
  attribute('displayName', 'Name that people see'),
  attribute('active', 'Whether the user is a member and can sign in', { type: 'boolean' }),
  values('emails', 'Email addresses. The member gets the primary or first address', attribute('value', 'Address'), [
    'work',
    'home',
    'other',
  ]),
  values(
    'photos',
    'Pictures with an https URL. The member gets the primary or first picture',
    attribute('value', 'URL', { type: 'reference', referenceTypes: ['external'], caseExact: true }),
    ['photo', 'thumbnail'],
  ),
  attribute('roles', 'Roles in the workspace. The member gets the highest role', {
    type: 'complex',
    multiValued: true,
    subAttributes: [attribute('value', 'Role', { canonicalValues: ROLE_NAMES })],
  }),
  attribute('groups', 'Groups of the user', {
    type: 'complex',
    multiValued: true,
    ...readOnly,
    subAttributes: [
      attribute('value', 'Id of the group', readOnly),
      attribute('$ref', 'URI of the group', { ...readOnly, type: 'reference', referenceTypes: ['Group'] }),
      attribute('display', 'Name of the group', readOnly),
      attribute('type', 'Kind of membership', { ...readOnly, canonicalValues: ['direct'] }),
    ],
  }),
]

const GROUP_ATTRIBUTES = [
  attribute('displayName', 'Name of the group', { required: true }),
  attribute('externalId', 'Id of the group at the client', { caseExact: true }),
  attribute('members', 'Users in the group', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'Id of the user', immutable),
      attribute('$ref', 'URI of the user', { ...immutable, type: 'reference', referenceTypes: ['User'] }),
      attribute('type', 'Kind of member', { ...immutable, canonicalValues: ['User'] }),
    ],
  }),
]

const buildSchema = (base: string, id: string, name: string, attributes: object[]) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  id,
  name,
  description: name === 'User' ? 'Member of the workspace' : 'Group of members',
  attributes,
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
})

/** @param nameAttribute the attribute that names members, and can't be changed */
export const listSchemas = (base: string, nameAttribute: string) => [
  buildSchema(
    base,
    USER_SCHEMA,
    'User',
    USER_ATTRIBUTES.map(entry => (entry.name === nameAttribute ? Object.assign({}, entry, immutable) : entry)),
  ),
  buildSchema(base, GROUP_SCHEMA, 'Group', GROUP_ATTRIBUTES),
]
