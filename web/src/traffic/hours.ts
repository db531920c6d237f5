/** Vehicles of each hour on all weekdays. */
export const countsByHour = (weekdays: readonly (readonly number[])[]): number[] =>
  Array.from({ length: 24 }, (_, hour) => weekdays.reduce((sum, hours) => sum + (hours[hour] ?? 0), 0))
