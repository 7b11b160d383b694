// Some choices in a line, of which one holds.

interface ChoiceProps<T extends string> {
  name: string;
  label: string;
  value: T;
  choices: readonly (readonly [value: T, title: string])[];
  choose: (value: T) => void;
}

export function Choice<T extends string>({ name, label, value, choices, choose }: ChoiceProps<T>) {
  return (
    <span class="one-of" role="radiogroup" aria-label={label}>
      {choices.map(([each, title]) => (
        <label key={each}>
          <input type="radio" name={name} value={each} checked={each === value} onChange={() => choose(each)} />
          <span class="face">{title}</span>
        </label>
      ))}
    </span>
  );
}
