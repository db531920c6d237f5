/** Parts of a day of the Polish general traffic measurement (GPR 2025), in local hours: 06-18, 18-22, 22-06. */
export const dayparts = ['day', 'evening', 'night'] as const
export type Daypart = (typeof dayparts)[number]

/** First hours of the day and of the evening, and of the night. */
export const DAYPART_HOURS = [6, 18, 22] as const

/** The part of the day of a local hour. */
export function daypartOf(hour: number): Daypart {
  const [day, evening, night] = DAYPART_HOURS
  if (hour < day || hour >= night) return 'night'
  return hour < evening ? 'day' : 'evening'
}
