import { type KeyboardEvent, type ReactNode, type RefObject, useId, useState } from 'react';
import { Link } from 'wouter';
import type { Scope } from '../client/types.ts';
import { Badge } from '../parts/badge.tsx';
import { Button, IconButton } from '../parts/button.tsx';
import { Choice } from '../parts/field.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Time } from '../parts/time.tsx';
import { number, shortId, visible } from '../parts/words.ts';
import { useGo, usePlaces } from '../shell/places.ts';
import classes from './branch-panel.module.css';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { CodeChanges } from './code-changes.tsx';
import { type Branch, type Fork, titleOf } from './fork-tree.ts';
import { BranchCode, codeWords } from './tree-items.tsx';
import { useForkPlans } from './use-fork-plans.ts';

interface BranchPanelProps {
  /** The session that is looked at. */
  readonly session: string;
  readonly branch: Branch;
  readonly parent: Branch | undefined;
  readonly root: Branch | undefined;
  /** The branch that is gone on with, where it is of the same conversation. */
  readonly present: Branch | undefined;
  readonly fork: Fork | undefined;
  readonly heading: RefObject<HTMLHeadingElement | null>;
  readonly onCompare: () => void;
  readonly onClose: () => void;
}

/** One branch: what there is to know of it, and what can be done with it. */
export const BranchPanel = ({ session, branch, parent, root, present, fork, heading, onCompare, onClose }: BranchPanelProps) => {
  const places = usePlaces();
  const go = useGo();
  const { switchTo, merge } = useForkPlans();
  const [isShown, setShown] = useState(false);
  const compareWith = (other: Branch): void => go(places.compare(session, other.branch, branch.branch));
  const { sessionId, current } = branch;
  return (
    <aside className={classes.panel} aria-label="Branch" onKeyDown={(event) => onPanelKey(event, onClose)}>
      <header className={classes.head}>
        <h2 ref={heading} tabIndex={-1}>
          <bdi>{titleOf(branch)}</bdi>
        </h2>
        <IconButton icon="cross" label="Close the panel" onClick={onClose} />
      </header>
      {current && (
        <p>
          <Badge tone="accent">You are here</Badge>
        </p>
      )}
      <Breadcrumbs session={sessionId} branch={branch.branch} />
      <Facts branch={branch} fork={fork} />
      <div className={classes.actions}>
        <PlaceLink icon="message" href={places.session(sessionId, branch.branch)}>
          Open its timeline
        </PlaceLink>
        <AttributedChange
          icon="forward"
          onChoose={() => switchTo(branch)}
          disabledBecause={current ? 'It is the present one.' : unrecorded(branch)}
        >
          Switch to it
        </AttributedChange>
        {present !== undefined && !current && (
          <AttributedChange icon="fork" onChoose={() => merge(present, branch)} disabledBecause={unrecorded(branch)}>
            Merge into “<bdi>{titleOf(present)}</bdi>”
          </AttributedChange>
        )}
        {parent !== undefined && (
          <AttributedChange icon="copy" onChoose={() => compareWith(parent)}>
            Compare with parent
          </AttributedChange>
        )}
        {root !== undefined && root !== parent && root !== branch && (
          <AttributedChange icon="copy" onChoose={() => compareWith(root)}>
            Compare with root
          </AttributedChange>
        )}
        <AttributedChange icon="copy" onChoose={onCompare}>
          Compare with another …
        </AttributedChange>
      </div>
      <ForkPoint branch={branch} fork={fork} />
      {parent === undefined && fork === undefined ? (
        branch.begin !== null &&
        branch.tip !== null && <Link href={places.diff(sessionId, branch.begin, branch.tip)}>Code changes on it</Link>
      ) : (
        <section className={classes.part}>
          <Button isSmall icon={isShown ? 'down' : 'right'} aria-expanded={isShown} onClick={() => setShown(!isShown)}>
            Code changes on it
          </Button>
          {isShown && <CodeChanges branch={branch} />}
        </section>
      )}
    </aside>
  );
};

/** Arrows are for what has the focus here, not for the tree. */
const onPanelKey = (event: KeyboardEvent, onClose: () => void): void => {
  if (event.key.startsWith('Arrow')) event.stopPropagation();
  if (event.key !== 'Escape' || event.defaultPrevented) return;
  event.stopPropagation();
  onClose();
};

const unrecorded = ({ tip }: Branch): string | undefined => (tip === null ? 'Retake has no record of its code.' : undefined);

const Facts = ({ branch, fork }: { branch: Branch; fork: Fork | undefined }) => {
  const places = usePlaces();
  const { turns, steps, checkpoints, startedAt, lastAt, sessionId, sessions, branch: id } = branch;
  return (
    <dl className={classes.facts}>
      <Fact name="Turns">{number(turns)}</Fact>
      <Fact name="Steps">{number(steps)}</Fact>
      <Fact name="Checkpoints">{number(checkpoints)}</Fact>
      <Fact name="Code">
        <BranchCode branch={branch} />
      </Fact>
      {startedAt !== null && (
        <Fact name="Began">
          <Time at={startedAt} />
        </Fact>
      )}
      {lastAt !== null && (
        <Fact name="Last">
          <Time at={lastAt} />
        </Fact>
      )}
      <Fact name={sessions.length > 1 ? 'Sessions' : 'Session'}>
        {(sessions.length === 0 ? [sessionId] : sessions).map((one) => (
          <span key={one}>
            <Link href={places.session(one)}>{shortId(visible(one))}</Link>{' '}
          </span>
        ))}
      </Fact>
      <Fact name="Branch">
        <code title={visible(id)}>{shortId(visible(id))}</code>
      </Fact>
      <Fact name="Fork point">
        {fork === undefined ? (
          'it begins at no fork'
        ) : fork.checkpoint === null ? (
          codeWords(fork)
        ) : (
          <>
            code at <Link href={places.checkpoint(sessionId, fork.checkpoint)}>{shortId(fork.checkpoint)}</Link>
          </>
        )}
      </Fact>
    </dl>
  );
};

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={classes.fact}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const SCOPES: readonly { readonly value: Scope; readonly label: string }[] = [
  { value: 'both', label: 'Both' },
  { value: 'code', label: 'Code' },
  { value: 'conversation', label: 'Conversation' },
];

/** Going back to where the branch parted from the others. */
const ForkPoint = ({ branch: { sessionId }, fork }: { branch: Branch; fork: Fork | undefined }) => {
  const [scope, setScope] = useState<Scope>('both');
  const { backTo } = useForkPlans();
  if (fork === undefined) return null;
  return (
    <section className={classes.part} aria-label="Fork point">
      <h3>Back to where it parted from the others</h3>
      {fork.checkpoint !== null && <Choice label="What goes back to the fork point" value={scope} options={SCOPES} onChange={setScope} />}
      <AttributedChange
        icon="back"
        onChoose={() => backTo(fork, sessionId, scope)}
        disabledBecause={fork.checkpoint === null ? `There is no going back to it: ${codeWords(fork)}.` : undefined}
      >
        Roll back to its fork point
      </AttributedChange>
    </section>
  );
};

interface DeedProps {
  readonly icon: IconName;
  readonly disabledBecause?: string | undefined;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}

/** Something to do; where it can not be done, why. */
const AttributedChange = ({ icon, disabledBecause, onChoose, children }: DeedProps) => {
  const id = useId();
  const isDisabled = disabledBecause !== undefined;
  return (
    <div>
      <Button
        isSmall
        icon={icon}
        aria-disabled={isDisabled || undefined}
        aria-describedby={isDisabled ? id : undefined}
        onClick={() => {
          if (!isDisabled) onChoose();
        }}
      >
        <span className={classes.label}>{children}</span>
      </Button>
      {isDisabled && (
        <p id={id} className={classes.why}>
          {disabledBecause}
        </p>
      )}
    </div>
  );
};

const PlaceLink = ({ icon, href, children }: { icon: IconName; href: string; children: ReactNode }) => (
  <Link href={href} className={classes.place ?? ''}>
    <Icon name={icon} /> {children}
  </Link>
);
