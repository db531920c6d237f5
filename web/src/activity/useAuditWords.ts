import { useTranslation } from 'react-i18next'
import { formatDateTime, MISSING } from '../core/format.ts'
import { usePermissionWords } from '../roles/usePermissionWords.ts'
import type { Value } from './difference.ts'

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/

/** The words of the log of changes. Other rooms write there too: what has no word here stands as they wrote it. */
export function useAuditWords() {
  const { t, i18n } = useTranslation('activity')
  const permission = usePermissionWords()
  const word = (key: string, otherwise: string) => (i18n.exists(`activity:${key}`) ? t(key) : otherwise)
  const fieldName = (field: string) =>
    field
      .split('.')
      .map((part) => word(`field-${part}`, part))
      .join(' · ')
  return {
    actionName: (action: string) => word(`action-${action}`, action),
    /** What an export is of is a key; other subjects are names. */
    subjectName: (action: string, subject: string) =>
      action === 'report-ordered' ? word(`report-${subject}`, subject) : subject,
    fieldName,
    valueText: (field: string, value: Value): string => {
      if (value === null) return MISSING
      if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
      if (field === 'permissions') {
        const { name, number } = permission(String(value))
        return `${name} (${number})`
      }
      const text = String(value)
      if (field === 'shows') return word(`shows-${text}`, text)
      if (field === 'refused') return i18n.exists(`errors:${text}`) ? t(`errors:${text}`) : text
      return INSTANT.test(text) ? formatDateTime(text) : text
    },
  }
}
