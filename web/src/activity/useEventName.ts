import { useTranslation } from 'react-i18next'

/** Name of an event type: 1 web login, 2 preselection of a station, 3 sign. */
export function useEventName(): (eventType: number) => string {
  const { t } = useTranslation('activity')
  return (eventType) => (eventType >= 1 && eventType <= 3 ? t(`event-${eventType}`) : String(eventType))
}
