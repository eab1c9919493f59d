package io.entroq.engine.task;

import org.agrona.DirectBuffer;

/**
 * A read-only view of a task, valid only during the callback that receives it. If the task has
 * changed since and a receipt supplies the reply, id text, queue, value, attempt and err are empty:
 * the request itself contains them.
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
}
