import { useState } from 'react';
import { addressOf } from '../client/ask.ts';
import type { Diff, DiffFile } from '../client/types.ts';
import { useWorkspaceId } from '../client/workspace.tsx';
import { ButtonLink } from '../parts/button.tsx';
import classes from './pictures.module.css';

interface SidesProps {
  readonly file: DiffFile;
  readonly from: Diff['from'];
  readonly to: Diff['to'];
}

interface Side {
  readonly name: 'Before' | 'After';
  /** Undefined where the file was not there. */
  readonly address: string | undefined;
  readonly absent: string;
}

/** Where the bytes of both sides are. */
const useSides = ({ file: { path, pathBase64, status }, from, to }: SidesProps): readonly Side[] => {
  const workspace = useWorkspaceId();
  const query = pathBase64 === undefined ? { path } : { pathBase64 };
  const address = (checkpoint: string): string => addressOf('getFile', { params: { checkpoint }, query, workspace });
  return [
    {
      name: 'Before',
      address: status === 'added' || from?.id == null ? undefined : address(from.id),
      absent: 'It was not there before.',
    },
    { name: 'After', address: status === 'deleted' ? undefined : address(to.id ?? '@'), absent: 'It is not there any more.' },
  ];
};

/** A picture before and after. */
export const Pictures = (props: SidesProps) => {
  const sides = useSides(props);
  return (
    <div className={classes.pictures}>
      {sides.map(({ name, address, absent }) => (
        <figure key={name} className={classes.side}>
          <figcaption>{name}</figcaption>
          {/* Another state is another picture at the same address. */}
          {address === undefined ? <p>{absent}</p> : <Picture key={props.to.tree} address={address} name={name} />}
        </figure>
      ))}
    </div>
  );
};

const Picture = ({ address, name }: { address: string; name: string }) => {
  const [size, setSize] = useState<string>();
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <p>It can not be shown as a picture.</p>;
  return (
    <>
      <img
        className={classes.picture}
        src={address}
        alt={name}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setSize(`${naturalWidth} × ${naturalHeight}`)}
        onError={() => setBroken(true)}
      />
      {size !== undefined && <span className={classes.size}>{size}</span>}
    </>
  );
};

/** What has neither lines nor a look. */
export const BinaryFile = (props: SidesProps) => (
  <div className={classes.binary}>
    <p>A binary file: it has no lines to show.</p>
    <div className={classes.links}>
      {useSides(props).map(({ name, address, absent }) =>
        address === undefined ? (
          <p key={name}>{absent}</p>
        ) : (
          <ButtonLink key={name} href={address} icon="download" isSmall>
            {name === 'Before' ? 'Save what it was' : 'Save what it became'}
          </ButtonLink>
        ),
      )}
    </div>
  </div>
);
