package io.entroq.system.history;

/** What is asked for. */
public enum Kind {
  /** Inserts, changes and deletes in one step, and maybe a claim behind them. */
  MODIFY,
  /** A claim, whether it waits or not. */
  CLAIM,
  /** The tasks with some ids. */
  READ,
  /** All tasks, asked when nobody writes and all members are the same. */
  AUDIT
}
