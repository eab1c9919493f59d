package io.entroq.engine.space;

/** What is refused because disk space is low. */
public enum SpaceLevel {
  /** Nothing. */
  ENOUGH,
  /** Inserts; claims, changes, deletes and reads continue. */
  LOW,
  /** Every command that needs a record; reads continue. */
  FULL
}
