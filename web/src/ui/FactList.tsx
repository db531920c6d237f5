type Props = {
  facts: readonly (readonly [name: string, value: string | null | undefined])[]
  className?: string | undefined
}

/** Names and values; those without a value are left out. */
export const FactList = ({ facts, className }: Props) => (
  <dl className={className}>
    {facts
      .filter(([, value]) => value)
      .map(([name, value]) => (
        <div key={`${name} ${value}`}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)
