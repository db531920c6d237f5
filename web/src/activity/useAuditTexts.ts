import { useTranslation } from 'react-i18next'
import { formatDateTime, MISSING } from '../core/format.ts'
import { useLocations } from '../locations/publicApi.ts'
import { usePermissionTexts } from '../roles/publicApi.ts'
import { displayedSegments, fieldKey, levelOf, rangeOf } from './auditTexts.ts'
import type { Value } from './difference.ts'

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/

/** Wire units of measured values. */
const UNITS: Record<string, string> = {
  Speed: 'km/h',
  TotalLoad: 'kg',
  VehLength: 'cm',
  VehHeight: 'cm',
  OverloadSA: '%',
  OverloadMA: '%',
  OverloadTL: '%',
}

/** Texts of the audit log; never shows internal names. */
export function useAuditTexts() {
  const { t, i18n } = useTranslation('activity')
  const permission = usePermissionTexts()
  const { t: ofAlarms } = useTranslation('alarms')
  const { t: ofTickets } = useTranslation('tickets')
  const { t: ofStatistics } = useTranslation('statistics')
  const { t: ofVehicle } = useTranslation('vehicle')
  const { data: locations } = useLocations()
  /** Texts of enumerated values: namespace, translation function, key prefix. */
  const valueTexts: Record<string, [namespace: string, (key: string) => string, prefix: string]> = {
    alarm: ['alarms', ofAlarms, 'kind-'],
    status: ['tickets', ofTickets, 'status-'],
    healthKind: ['tickets', ofTickets, 'kind-'],
    ctg8p1: ['vehicle', ofVehicle, 'category-'],
    loadCtg8p1: ['vehicle', ofVehicle, 'category-'],
    orderByColumnName: ['vehicle', ofVehicle, 'sort-'],
    orderDirection: ['vehicle', ofVehicle, 'sort-'],
    statName: ['statistics', ofStatistics, 'stat-'],
    groupBy: ['statistics', ofStatistics, 'division-'],
    graphType: ['statistics', ofStatistics, 'chart-'],
    statResolutionUnit: ['statistics', ofStatistics, 'unit-'],
    eventTypes: ['activity', t, 'event-'],
    typesOfLists: ['activity', t, 'value-typeOfList-'],
    shows: ['activity', t, 'shows-'],
    selection: ['activity', t, 'value-selection-'],
    selections: ['activity', t, 'value-selection-'],
    hitReason: ['activity', t, 'value-hitReason-'],
    refused: ['errors', (key) => t(`errors:${key}`), ''],
  }
  const textOr = (key: string, fallback: string) => (i18n.exists(`activity:${key}`) ? t(key) : fallback)
  const segmentName = (part: string): string => {
    const key = fieldKey(part)
    if (!i18n.exists(key)) return t('field-other')
    const name = t(key as never, { level: levelOf(part)?.level }) as string
    const range = rangeOf(part)
    return range ? `${name[0]?.toLocaleUpperCase()}${name.slice(1)}, ${t(`ui:${range.end}`)}` : name
  }
  return {
    actionName: (action: string) => textOr(`action-${action}`, action),
    /** The subject of an export is a key; other subjects are names. */
    subjectName: (action: string, subject: string) =>
      action === 'report-ordered' || action === 'plate-searched' ? textOr(`report-${subject}`, subject) : subject,
    /** List entries are created; vehicles are measured. */
    fieldName: (field: string, action: string) =>
      field === 'createdAt' && /^wanted-(plate|contact)-/.test(action)
        ? t('created-at')
        : displayedSegments(field).map(segmentName).join(' · '),
    valueText: (path: string, value: Value): string => {
      if (value === null) return MISSING
      if (typeof value === 'boolean') return t(value ? 'ui:yes' : 'ui:no')
      const field = path.slice(path.lastIndexOf('.') + 1)
      const text = String(value)
      if (field === 'permissions') {
        const { name, number } = permission(text)
        return `${name} (${number})`
      }
      if (field === 'locations' || field === 'locationId')
        return locations?.find(({ id }) => String(id) === text)?.shortName ?? text
      if (field === 'reportType') return text.toUpperCase()
      if (field === 'similarity') return `${text} %`
      const measure = rangeOf(field)?.measure
      if (measure && UNITS[measure]) return `${text} ${UNITS[measure]}`
      const [namespace, translate, prefix] = valueTexts[levelOf(field)?.column ?? field] ?? [
        'activity',
        t,
        `value-${field}-`,
      ]
      if (i18n.exists(`${namespace}:${prefix}${text}`)) return translate(`${prefix}${text}`)
      return INSTANT.test(text) ? formatDateTime(text) : text
    },
  }
}
