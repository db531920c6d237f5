const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const MONTH = MONTHS.join('|')
const CLOCK = '(?<clock>\\d\\d:\\d\\d:\\d\\d)'

/** The three forms that RFC 9110 5.6.7 obliges recipients to read. */
const FORMS = [
  `^[A-Z][a-z]{2}, (?<day>\\d\\d) (?<month>${MONTH}) (?<year>\\d{4}) ${CLOCK} GMT$`,
  `^[A-Z][a-z]{5,8}, (?<day>\\d\\d)-(?<month>${MONTH})-(?<year>\\d\\d) ${CLOCK} GMT$`,
  `^[A-Z][a-z]{2} (?<month>${MONTH}) (?<day>[ \\d]\\d) ${CLOCK} (?<year>\\d{4})$`,
].map((form) => new RegExp(form))

/** A year of two digits more than 50 years ahead is of the last century. */
const MAX_YEARS_AHEAD = 50

/** The time of an HTTP date; null if it is not one. */
export function parseHttpDate(text: string, now: Date): Date | null {
  const { day, month, year, clock } = FORMS.map((form) => form.exec(text)?.groups).find(Boolean) ?? {}
  if (!day || !month || !year || !clock) return null
  const numbers = [fullYear(year, now), MONTHS.indexOf(month) + 1, Number(day)]
  const [yyyy, mm, dd] = numbers.map((number, index) => String(number).padStart(index === 0 ? 4 : 2, '0'))
  const iso = `${yyyy}-${mm}-${dd}T${clock}.000Z`
  const date = new Date(iso)
  // A day that the month does not have becomes another one.
  return !Number.isNaN(date.getTime()) && date.toISOString() === iso ? date : null
}

function fullYear(year: string, now: Date): number {
  if (year.length === 4) return Number(year)
  const thisYear = now.getUTCFullYear()
  const ofCentury = thisYear - (thisYear % 100) + Number(year)
  return ofCentury > thisYear + MAX_YEARS_AHEAD ? ofCentury - 100 : ofCentury
}
