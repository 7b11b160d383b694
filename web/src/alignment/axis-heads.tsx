// The head of a table whose columns are the result's axes, for those who hear it: what is seen stands in the cells.

/** @param titles Of each axis what it is called. */
export function AxisHeads({ titles }: { titles: readonly string[] }) {
  return (
    <thead>
      <tr>
        <th class="corner" scope="col">
          <span class="unseen">operand</span>
        </th>
        {(titles.length === 0 ? ['no axes'] : titles).map((title, axis) => (
          <th key={axis} scope="col">
            <span class="unseen">{title}</span>
          </th>
        ))}
      </tr>
    </thead>
  );
}
