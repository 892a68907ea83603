import type { ComponentChildren } from 'preact';

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly (readonly [name: Name, title: string])[];
  readonly selected: Name;
  readonly onSelect: (name: Name) => void;
  readonly children: ComponentChildren;
}

/** Tabs with one panel. The arrow keys go from tab to tab, so that one press of Tab leads into the panel. */
export function Tabs<Name extends string>({ label, tabs, selected, onSelect, children }: TabsProps<Name>) {
  const go = (index: number, list: HTMLElement) => {
    const next = (index + tabs.length) % tabs.length;
    onSelect((tabs[next] as (typeof tabs)[number])[0]);
    list.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <>
      <div role="tablist" aria-label={label} class="tabs">
        {tabs.map(([name, title], index) => (
          <button
            key={name}
            id={`tab-${name}`}
            type="button"
            role="tab"
            aria-selected={name === selected}
            aria-controls="tab-panel"
            tabIndex={name === selected ? 0 : -1}
            onClick={() => onSelect(name)}
            onKeyDown={(event) => {
              const list = event.currentTarget.parentElement as HTMLElement;
              if (event.key === 'ArrowRight') go(index + 1, list);
              else if (event.key === 'ArrowLeft') go(index - 1, list);
              else if (event.key === 'Home') go(0, list);
              else if (event.key === 'End') go(tabs.length - 1, list);
              else return;
              event.preventDefault();
            }}
          >
            {title}
          </button>
        ))}
      </div>
      <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${selected}`} tabIndex={0} class="tab-panel">
        {children}
      </div>
    </>
  );
}
