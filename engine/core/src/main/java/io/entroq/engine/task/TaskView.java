package io.entroq.engine.task;

import org.agrona.DirectBuffer;

/**
 * A read-only view of a task, valid only during the callback that receives it. If the task has
 * changed since and a receipt supplies the reply, id text, queue, value, attempt and err are empty:
 * the request itself contains them. Then it also lacks attributes, unless the reply is to fails.
 */
public interface TaskView {

  long idHigh();

  long idLow();

  /** The text of the id; empty if its key determines it. */
  DirectBuffer idTextBuffer();

  int idTextOffset();

  int idTextLength();

  int version();

  /** Milliseconds since the epoch. */
  long arrivalMs();

  /** Both halves are 0 if there is no claimant. */
  long claimantHigh();

  long claimantLow();

  DirectBuffer claimantTextBuffer();

  int claimantTextOffset();

  int claimantTextLength();

  DirectBuffer queueBuffer();

  int queueOffset();

  int queueLength();

  /** 0 absent, 1 bytes, 2 a serialized protobuf Value. */
  int valueKind();

  DirectBuffer valueBuffer();

  int valueOffset();

  int valueLength();

  long createdMs();

  long modifiedMs();

  int claims();

  int attempt();

  DirectBuffer errBuffer();

  int errOffset();

  int errLength();

  /**
   * The step that inserted it, which tells successive tasks with the same id apart; 0 if it is from
   * a receipt.
   */
  long insertSequence();

  /** Whether somebody works on it, as far as its writes tell. */
  boolean isInFlight();

  /** Whether the texts of id, claimant or error, or any of what follows, may be set. */
  boolean hasExtras();

  /** How often its lease ended without a word about the work. */
  int lapses();

  /** When it expires, in milliseconds since the epoch; 0 not, -1 never. */
  long expiresMs();

  DirectBuffer traceBuffer();

  int traceOffset();

  int traceLength();

  DirectBuffer originBuffer();

  int originOffset();

  /** 0 unless the server has moved it. */
  int originLength();

  /** Why the server has moved it: one of {@link io.entroq.codec.message.DeadReasons}. */
  int reason();

  /** When it did, in milliseconds since the epoch; 0 if it did not. */
  long deadAtMs();
}
