import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, type TextareaHTMLAttributes, useId } from 'react';
import classes from './field.module.css';

interface Labelled {
  readonly label: string;
  /** What it is for, below it. */
  readonly help?: ReactNode;
  /** The label is there for those who do not see; others see what it is. */
  readonly isLabelHidden?: boolean;
}

const Frame = ({ id, label, help, isLabelHidden = false, children }: Labelled & { id: string; children: ReactNode }) => (
  <div className={classes.field}>
    <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : classes.label}>
      {label}
    </label>
    {children}
    {help !== undefined && (
      <p className={classes.help} id={`${id}-help`}>
        {help}
      </p>
    )}
  </div>
);

export const TextField = ({ label, help, isLabelHidden, ...rest }: Labelled & InputHTMLAttributes<HTMLInputElement>) => {
  const id = useId();
  return (
    <Frame id={id} label={label} help={help} isLabelHidden={isLabelHidden ?? false}>
      <input id={id} className={classes.input} aria-describedby={help === undefined ? undefined : `${id}-help`} {...rest} />
    </Frame>
  );
};

export const TextArea = ({ label, help, isLabelHidden, ...rest }: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) => {
  const id = useId();
  return (
    <Frame id={id} label={label} help={help} isLabelHidden={isLabelHidden ?? false}>
      <textarea id={id} className={classes.input} rows={3} {...rest} />
    </Frame>
  );
};

export const Select = ({ label, help, isLabelHidden, children, ...rest }: Labelled & SelectHTMLAttributes<HTMLSelectElement>) => {
  const id = useId();
  return (
    <Frame id={id} label={label} help={help} isLabelHidden={isLabelHidden ?? false}>
      <select id={id} className={classes.input} {...rest}>
        {children}
      </select>
    </Frame>
  );
};

export const Checkbox = ({ label, help, ...rest }: Labelled & InputHTMLAttributes<HTMLInputElement>) => {
  const id = useId();
  return (
    <div className={classes.check}>
      <input id={id} type="checkbox" aria-describedby={help === undefined ? undefined : `${id}-help`} {...rest} />
      <div>
        <label htmlFor={id}>{label}</label>
        {help !== undefined && (
          <p className={classes.help} id={`${id}-help`}>
            {help}
          </p>
        )}
      </div>
    </div>
  );
};

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string; readonly disabledBecause?: string | undefined }[];
  readonly onChange: (value: T) => void;
}

/** One of a few, all in sight. */
export const Choice = <T extends string>({ label, value, options, onChange }: ChoiceProps<T>) => {
  const name = useId();
  return (
    <fieldset className={classes.choice}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={classes.option} title={option.disabledBecause}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            disabled={option.disabledBecause !== undefined}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
};
