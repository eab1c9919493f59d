package io.entroq.engine.task;

import org.agrona.DirectBuffer;

/**
 * What the outside sees of a task, valid only inside the callback that hands it out. Where a
 * receipt answers for a task that has moved on, queue, value, attempt and err are not set, which
 * the request itself says, nor the text of its id.
 */
public interface TaskView {

  long idHigh();

  long idLow();

  /** The text of an id whose key does not give it back; of length 0 else. */
  DirectBuffer idTextBuffer();

  int idTextOffset();

  int idTextLength();

  int version();

  /** Milliseconds since the epoch. */
  long arrivalMs();

  /** Both halves are 0 for nobody. */
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
