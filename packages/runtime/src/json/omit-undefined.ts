type Given<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** The fields that have a value: an optional field that is not there is left out, so that a result looks the same as its JSON. */
export function omitUndefined<Fields extends object>(fields: Fields): Given<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>;
}
