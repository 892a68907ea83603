import type { About } from '../../src/api/messages.js';
import { about } from '../state/page-state.js';
import { SafeText } from '../texts/safe-text.js';
import { WideTable } from '../texts/wide-table.js';

/** The settings of the agent: files, what is wrong with them, and hooks that are switched off. */
export function SettingsView() {
  const known = about.value;
  if (known === undefined) return <p class="note view">Loading …</p>;
  const { source, files, diagnostics, hooks } = known;
  const off = hooks.filter((hook) => hook.off !== undefined);
  return (
    <section class="view" tabIndex={0} aria-labelledby="settings-title">
      <h2 id="settings-title">Settings</h2>
      {source.notes.map((note, index) => (
        <p key={index} class="note">
          <SafeText text={note} longest={1_000} />
        </p>
      ))}
      {!source.canBeAsked && <p class="note">The settings cannot be asked for here. Only what the bus carries is shown.</p>}
      <Diagnostics diagnostics={diagnostics} />
      <h3>Files</h3>
      {files.length === 0 ? <p class="note">No file is known.</p> : <Files files={files} />}
      <h3>Hooks that are switched off</h3>
      {off.length === 0 && <p class="note">None.</p>}
      <ul>
        {off.map(({ hookId, name, off: by = '' }) => (
          <li key={hookId}>
            <strong>
              <SafeText text={name ?? hookId} longest={120} />
            </strong>
            {': '}
            <SafeText text={by} longest={500} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const severityMarks = { error: '✗ error', warning: '⚠ warning', note: 'ℹ note' } as const;

function Diagnostics({ diagnostics }: Pick<About, 'diagnostics'>) {
  return (
    <>
      <h3>Problems</h3>
      {diagnostics.length === 0 && <p class="note">None.</p>}
      <ul class="diagnostics">
        {diagnostics.map(({ severity, message, remedy, file, line, path, code }, index) => (
          <li key={index}>
            <span class={`severity severity-${severity}`}>{severityMarks[severity]}</span>{' '}
            {file !== undefined && (
              <>
                <SafeText text={line === undefined ? file : `${file}:${line}`} longest={300} />{' '}
              </>
            )}
            {path !== undefined && (
              <>
                <code>
                  <SafeText text={path} longest={200} />
                </code>
                {': '}
              </>
            )}
            <SafeText text={message} longest={2_000} />
            {remedy !== undefined && (
              <p class="remedy">
                <SafeText text={remedy} longest={2_000} />
              </p>
            )}{' '}
            <span class="note">
              <SafeText text={code} longest={60} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Files({ files }: Pick<About, 'files'>) {
  return (
    <WideTable label="Settings files" heads={['File', 'Level', 'Format', 'State']}>
      {files.map(({ file, source, dialect, state }, index) => (
        <tr key={index}>
          <th scope="row">
            <SafeText text={file} longest={400} />
          </th>
          <td>
            <SafeText text={source} longest={60} />
          </td>
          <td>
            <SafeText text={dialect ?? '–'} longest={60} />
          </td>
          <td>
            <SafeText text={state} longest={200} />
          </td>
        </tr>
      ))}
    </WideTable>
  );
}
