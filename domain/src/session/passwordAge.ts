/** Calendar months that a password stays valid. */
const VALID_MONTHS = 3

/** The same day and time so many months later (UTC); the last day of the month where it has no such day. */
const monthsLater = (date: Date, months: number): Date => {
  const later = new Date(date)
  later.setUTCMonth(later.getUTCMonth() + months)
  if (later.getUTCDate() !== date.getUTCDate()) later.setUTCDate(0)
  return later
}

/** Whether a password changed then is more than 3 calendar months old. A missing time is expired, an invalid one is not. */
export const passwordExpired = (updatedAt: Date | string | null | undefined, now: Date): boolean => {
  if (updatedAt == null || updatedAt === '') return true
  const changed = new Date(updatedAt)
  return !Number.isNaN(changed.getTime()) && now.getTime() > monthsLater(changed, VALID_MONTHS).getTime()
}
