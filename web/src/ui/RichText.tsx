/** A text of which one part stands between <b> and </b>. */
export function RichText({ text }: { text: string }) {
  const [before, bold, after] = text.split(/<\/?b>/)
  return (
    <>
      {before}
      <b>{bold}</b>
      {after}
    </>
  )
}
