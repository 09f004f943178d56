import { useAnswer } from '../client/queries.ts';
import { Choice } from '../parts/field.tsx';
import { Page } from '../parts/page.tsx';
import { useSearchParams } from '../shell/address.ts';
import { HealthPart } from './health-part.tsx';
import { ReflogPart } from './reflog-part.tsx';
import { useFresh } from './use-fresh.ts';

type Part = 'reflog' | 'health';

/** Where the user's git has been, and how git, the store and the program are doing (GIT-7, PRF-9). */
export const GitView = () => {
  const [search, setSearch] = useSearchParams();
  const part: Part = search.get('show') === 'health' ? 'health' : 'reflog';
  useFresh('getHealth');
  const { data } = useAnswer('getHealth', {});
  const worst = [data?.git?.verdict, data?.store?.verdict].includes('critical')
    ? 'critical'
    : [data?.git?.verdict, data?.store?.verdict].includes('warning')
      ? 'warning'
      : undefined;
  return (
    <Page
      title="Reflog and health"
      actions={
        <Choice
          label="What is shown"
          value={part}
          options={[
            { value: 'reflog', label: 'Reflog' },
            { value: 'health', label: worst === undefined ? 'Health' : `Health: ${worst}` },
          ]}
          onChange={(value) => setSearch(value === 'reflog' ? {} : { show: value })}
        />
      }
    >
      {part === 'reflog' ? <ReflogPart /> : <HealthPart />}
    </Page>
  );
};
