/** The integral of a function by Simpson's rule; the number of steps is even. */
export function integral(f: (x: number) => number, from: number, to: number, steps = 2_000): number {
  const width = (to - from) / steps
  let sum = f(from) + f(to)
  for (let step = 1; step < steps; step++) sum += (step % 2 ? 4 : 2) * f(from + step * width)
  return (sum * width) / 3
}
