/** 45 min · 3 h 25 min · 2 d 3 h 25 min: SI units, the same in every language. A day is 24 hours. */
export function durationText(minutes: number): string {
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60]
  const parts = [days > 0 && `${days} d`, hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean)
  return parts.join(' ') || '0 min'
}
