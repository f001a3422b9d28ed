/** A window above the page that keeps the keys to itself until it is closed. */

import { useEffect, useId, useRef, type ReactNode } from "react";
import { Icon } from "./icons";

interface Props {
  title: string;
  open: boolean;
  onClose: () => void;
  children: ReactNode;
}

export function Dialog({ title, open, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (open && !element.open) element.showModal();
    if (!open && element.open) element.close();
  }, [open]);
  return (
    <dialog ref={dialog} className="dialog" onClose={onClose} aria-labelledby={id}>
      <header className="dialog-head">
        <h2 id={id} className="grow">
          {title}
        </h2>
        <button type="button" className="quiet" onClick={onClose} aria-label="Close">
          <Icon name="close" />
        </button>
      </header>
      {open && children}
    </dialog>
  );
}
