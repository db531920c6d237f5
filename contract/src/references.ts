import { activityReference } from './activity-reference.ts'
import { alarmsReference } from './alarms-reference.ts'
import { archiveReference } from './archive-reference.ts'
import { calibrationReference } from './calibration-reference.ts'
import { certificatesReference } from './certificates-reference.ts'
import { currentReference } from './current-reference.ts'
import { datexReference } from './datex-reference.ts'
import { devicesReference } from './devices-reference.ts'
import type { Endpoint } from './endpoint.ts'
import { evidenceReference } from './evidence-reference.ts'
import { importsReference } from './imports-reference.ts'
import { ingestReference } from './ingest-reference.ts'
import { inspectionsFiguresReference } from './inspections-figures-reference.ts'
import { inspectionsQueueReference } from './inspections-queue-reference.ts'
import { inspectionsReference } from './inspections-reference.ts'
import { locationsReference } from './locations-reference.ts'
import { locationsUpkeepReference } from './locations-upkeep-reference.ts'
import { offendersReference } from './offenders-reference.ts'
import { overviewReference } from './overview-reference.ts'
import { preferencesReference, preferencesSelfReference } from './preferences-reference.ts'
import type { Reference, Tag } from './reference.ts'
import { reportsReference } from './reports-reference.ts'
import { rolesReference } from './roles-reference.ts'
import {
  sessionFactorsReference,
  sessionPasskeysReference,
  sessionProvidersReference,
  sessionReference,
} from './session-reference.ts'
import { shiftsReference } from './shifts-reference.ts'
import { statisticsDistributionsReference } from './statistics-distributions-reference.ts'
import { statisticsReference } from './statistics-reference.ts'
import { systemsReference } from './systems-reference.ts'
import { ticketsHealthReference } from './tickets-health-reference.ts'
import { ticketsReference } from './tickets-reference.ts'
import { trailReference } from './trail-reference.ts'
import { usersReference } from './users-reference.ts'
import { vehicleReference } from './vehicle-reference.ts'
import { viewsReference } from './views-reference.ts'
import { vmsReference } from './vms-reference.ts'
import { vmsUpkeepReference } from './vms-upkeep-reference.ts'
import { wantedHitsReference } from './wanted-hits-reference.ts'
import { wantedReference } from './wanted-reference.ts'
import { webhooksReference } from './webhooks-reference.ts'

/** Tags of the OpenAPI document, in its order. */
export const tags: Record<Tag, string> = {
  Session: 'Sign in and out, reset a password, and what is known before sign-in.',
  'Own account': 'Account, password, sessions and settings of the caller.',
  Users: 'Accounts, for administrators.',
  Roles: 'Roles with their rights. A user has one role.',
  History: 'Activity history, audit log and outgoing messages.',
  Stations: 'Stations with their lanes, and keys with which they send measurements.',
  Measurements: 'What stations send: vehicles and their images, and what was rejected.',
  'Live vehicles': 'Vehicles between station and checkpoint: list, stream, details, images and tags.',
  Archive: 'Past vehicles: search, history of a plate, reports and tags.',
  Overview: 'The condition of all stations at a glance.',
  Statistics: 'Figures over time, and traffic figures with distributions.',
  Calibration: 'First-axle loads against the reference of each lane, and finished calibrations.',
  'Failure reports': 'Reports of failures of stations and signs, with attachments.',
  'Station health': 'Checks of stations and lanes, and their availability.',
  Alarms: 'Alarms of stations, signs, vehicles and the portal: acknowledge and shelve.',
  Shifts: 'What happened in a shift, for those who hand it over.',
  Signs: 'Variable message signs: what they show, commands, groups and contents.',
  'Plate lists': 'Black and white lists, their hits, and contacts that are notified.',
  Inspections: 'Inspections from announcement to closing, queue, figures and accuracy.',
  Certificates: 'Static scales and certificates of lanes.',
  'Repeat offenders': 'Plates and carriers by their overloads.',
  'Saved views': 'Filters that users save, and share.',
  Reports: 'Files of reports, by the link that their request returned.',
  Imports: 'Vehicles from files of other systems.',
  'Other systems': 'Keys with which other systems read.',
  'DATEX II': 'Vehicles of the last minutes, sites and signs as DATEX II v3.7.',
  Webhooks: 'Subscriptions to events, and their deliveries.',
  'Wall screens': 'Screens without a user.',
}

const references: readonly Reference[] = [
  ...sessionReference,
  ...sessionFactorsReference,
  ...sessionPasskeysReference,
  ...sessionProvidersReference,
  ...preferencesReference,
  ...preferencesSelfReference,
  ...usersReference,
  ...rolesReference,
  ...activityReference,
  ...locationsReference,
  ...locationsUpkeepReference,
  ...ingestReference,
  ...currentReference,
  ...vehicleReference,
  ...archiveReference,
  ...overviewReference,
  ...statisticsReference,
  ...statisticsDistributionsReference,
  ...calibrationReference,
  ...ticketsReference,
  ...ticketsHealthReference,
  ...alarmsReference,
  ...shiftsReference,
  ...vmsReference,
  ...vmsUpkeepReference,
  ...wantedReference,
  ...wantedHitsReference,
  ...inspectionsReference,
  ...inspectionsQueueReference,
  ...inspectionsFiguresReference,
  ...certificatesReference,
  ...offendersReference,
  ...trailReference,
  ...viewsReference,
  ...reportsReference,
  ...evidenceReference,
  ...importsReference,
  ...systemsReference,
  ...datexReference,
  ...webhooksReference,
  ...devicesReference,
]
const byEndpoint = new Map(references.map((entry) => [entry.endpoint, entry]))

/** The reference of an endpoint; undefined without one, which a test refuses. */
export const referenceOf = (endpoint: Endpoint): Reference | undefined => byEndpoint.get(endpoint)
