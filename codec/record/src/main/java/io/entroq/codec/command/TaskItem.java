package io.entroq.codec.command;

/**
 * An item of a Modify that names a task and its data: an insert or a change. Offsets refer to the
 * buffer of the {@link ModifyDecoder}.
 */
public sealed interface TaskItem permits InsertDecoder, ChangeDecoder {
  long idHigh();

  long idLow();

  int idTextOffset();

  /** 0 if the key encodes the text. */
  int idTextLength();

  int queueOffset();

  /** From 1 to 1,024. */
  int queueLength();

  /** Arrival time as set by the caller, in milliseconds since the epoch. */
  long arrivalMs();

  /** If not 0, the arrival time counted from the log time, in milliseconds. */
  long byMs();

  /** One of {@link io.entroq.codec.message.ValueKinds}. */
  int valueKind();

  int valueOffset();

  /** 0 if the value is absent. */
  int valueLength();

  int attempt();

  int errOffset();

  int errLength();

  /** Milliseconds from the log time until it expires; 0: not set; -1: never. */
  long ttlMs();

  int traceOffset();

  /** From 0 to {@link io.entroq.codec.message.MessageRules#TRACE_BYTES_MAX}; 0: not set. */
  int traceLength();
}
