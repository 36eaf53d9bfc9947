import { THEMES, theme } from "../state/theme.ts";
import { words } from "../words/words.ts";

export function ThemeChoice() {
  return (
    <fieldset class="choice">
      <legend>{words.theme.label}</legend>
      {THEMES.map((name) => (
        <label key={name}>
          <input
            type="radio"
            name="theme"
            value={name}
            checked={theme.value === name}
            onChange={() => {
              theme.value = name;
            }}
          />
          <span>{words.theme[name]}</span>
        </label>
      ))}
    </fieldset>
  );
}
