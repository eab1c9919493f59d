package io.entroq.engine.space;

/** What is refused for want of room on the disk. */
public enum SpaceLevel {
  /** Nothing is. */
  ENOUGH,
  /** What inserts tasks is; claims, changes, deletes and reads go on. */
  LOW,
  /** Every command that would have a record is; reads go on. */
  FULL
}
