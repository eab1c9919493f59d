package io.entroq.engine.memory;

/** Something that has work for the state machine at certain times, even without a command. */
public interface DeadlineSource {

  /** The earliest of its times; {@link Long#MAX_VALUE} if there is none. */
  long firstDeadlineMs();
}
