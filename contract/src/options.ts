/*
 * Options of searches, without schemas: the page reads them from its address at the start, before it loads those.
 */

/** Plate lists: black for wanted vehicles, white for vehicles whose violations are not marked. */
export const BLACK = 0
export const WHITE = 1
export const typesOfList = [BLACK, WHITE] as const
export type TypeOfList = (typeof typesOfList)[number]

/** Sort orders of entries of plate lists; ties newest first. */
export const plateOrders = ['createdAt', 'plateLpr', 'description', 'expiresAt', 'hits'] as const
export type PlateOrder = (typeof plateOrders)[number]

/** Sort orders of users and roles; ties by name. */
export const userOrders = ['username', 'name', 'role', 'enabled', 'lastLogin'] as const
export type UserOrder = (typeof userOrders)[number]
export const roleOrders = ['name', 'permissions', 'users'] as const
export type RoleOrder = (typeof roleOrders)[number]

/** Second factors of an account. */
export const signInFactors = ['authenticator', 'passkey'] as const
export type SignInFactor = (typeof signInFactors)[number]
/** Which second factor the users of a role need; `provider`: any, after a sign-in through a provider. */
export const requiredFactors = ['none', 'any', 'passkey', 'provider'] as const
export type RequiredFactor = (typeof requiredFactors)[number]
/** Second factors with which a session was opened; `provider`: that of the provider which signed the user in. */
export const sessionFactors = ['authenticator', 'passkey', 'provider', 'recovery-code'] as const
export type SessionFactor = (typeof sessionFactors)[number]

/** Where a passkey is: in a device, copied by its maker to others, or on a key of its own. */
export const passkeyKinds = ['device', 'synced', 'security-key'] as const
export type PasskeyKind = (typeof passkeyKinds)[number]

/** Entries of plate lists by their end. Valid ones include those that expire within seven days. */
export const entryStates = ['valid', 'expiring', 'expired'] as const
export type EntryState = (typeof entryStates)[number]

/** 1 web login, 2 live list of a station (preselection), 3 sign enabled. */
export const eventTypes = [1, 2, 3] as const

/** Resolutions of the calibration page, in hours; 24 and more are calendar days in Polish time. */
export const calibrationHours = [2, 4, 6, 8, 12, 24, 48, 72, 168] as const
export type CalibrationHours = (typeof calibrationHours)[number]

/** Statistics. Speeds in km/h, loads in kg, density in vehicles per km. */
export const statNames = [
  'traffic',
  'trafficDensity',
  'minSpeed',
  'avgSpeed',
  'maxSpeed',
  'minTotalLoad',
  'avgTotalLoad',
  'maxTotalLoad',
] as const
export type StatName = (typeof statNames)[number]

/** Groupings of vehicles into series. */
export const divisions = ['lane', 'category', 'violation', 'speedRange', 'overSpeed'] as const
export type Division = (typeof divisions)[number]

export const graphTypes = ['barPlot', 'linePlot'] as const
export type GraphType = (typeof graphTypes)[number]

/** Earlier periods of statistics: the same weekdays just before, or a year earlier. */
export const comparisons = ['before', 'year'] as const
export type Comparison = (typeof comparisons)[number]

export const resolutionUnits = ['minute', 'hour', 'day', 'month', 'year'] as const
export type ResolutionUnit = (typeof resolutionUnits)[number]

/** States of an inspection (`inspections.ts`), which cards of vehicles show too. */
export const inspectionStates = ['announced', 'takenOver', 'weighed', 'closed', 'withdrawn', 'passedBy'] as const
export type InspectionState = (typeof inspectionStates)[number]

/** Kinds of static scales. */
export const scaleKinds = ['platform', 'axle', 'pads'] as const
export type ScaleKind = (typeof scaleKinds)[number]

/** Why a vehicle was stopped for an inspection. */
export const selections = ['preselected', 'random', 'complaint', 'reference'] as const
export type Selection = (typeof selections)[number]

/** Default selections of pairs: without bias. */
export const UNBIASED_SELECTIONS = ['random', 'reference'] as const satisfies readonly Selection[]

/** Lists of repeat offenders. */
export const offenderGroups = ['plate', 'carrier'] as const
export type OffenderGroup = (typeof offenderGroups)[number]

export const offenderSorts = ['overloads', 'share', 'lastSeen', 'worst'] as const
export type OffenderSort = (typeof offenderSorts)[number]

/** Maximum length of a plate, from stations, on lists and in searches. */
export const MAX_PLATE_LENGTH = 20
/** Of a plate with its nationality, `WGM4K281:PL`. */
export const MAX_READING_LENGTH = MAX_PLATE_LENGTH + 4
/** Plates of a search of the archive by several. */
export const MAX_PLATES = 100
/** Countries of a filter. */
export const MAX_NATIONALITIES = 100

/** Hours for which a vehicle that passed by can still be taken over. */
export const PASSED_BY_HOURS = 12

/** A vehicle has at most one inspection in one of these states. */
export const openStates = ['announced', 'takenOver', 'weighed'] as const satisfies readonly InspectionState[]

/** Pages that have saved views (`views.ts`). */
export const viewPages = ['current', 'archive', 'statistics'] as const
export type ViewPage = (typeof viewPages)[number]
export const MAX_VIEW_NAME = 60

/** Presets of the statistics page. */
export const presetNames = ['basic', 'current', 'last24', 'last7', 'last31', 'overSpeed'] as const
export type PresetName = (typeof presetNames)[number]

/** Lane id, unique over all locations: 100 · location + lane number. */
export const laneId = (locationId: number, laneNumber: number): number => 100 * locationId + laneNumber

/** Location and lane number of a lane id. */
export const laneOfId = (id: number): { locationId: number; laneNumber: number } => ({
  locationId: Math.floor(id / 100),
  laneNumber: id % 100,
})
