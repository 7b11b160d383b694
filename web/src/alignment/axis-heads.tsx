// The head of a table whose columns are the result's axes, for screen readers. Others see the axes in the cells.

/** @param titles The name of each axis. */
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
