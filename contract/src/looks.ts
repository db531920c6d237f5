/*
 * Kinds and purposes of looks at vehicles, as in the access trail, without schemas.
 */

/** What an answer shows; stored by their position from 1, so new ones are added at the end. */
export const lookKinds = [
  'list',
  'detail',
  'image',
  'file',
  'history',
  'plates',
  'live',
  'hits',
  'wanted',
  'signs',
  'alarms',
  'quarantine',
  'audit',
  'inspections',
  'offenders',
  'views',
  'imports',
  'tickets',
  'trail',
  'shift',
  'webhook',
] as const
export type LookKind = (typeof lookKinds)[number]

/** Why a user looks for plates; stored by their position from 1. */
export const purposes = [
  'roadside-check',
  'proceedings',
  'authority-request',
  'wanted-vehicle',
  'calibration',
  'data-quality',
  'person-request',
  'other',
] as const
export type Purpose = (typeof purposes)[number]

/** Plates of one answer that are kept one by one; of more only their number is. */
export const MAX_SHOWN_PLATES = 1_000
