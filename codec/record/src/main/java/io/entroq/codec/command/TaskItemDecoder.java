package io.entroq.codec.command;

/** An item of a Modify that names a task and says what it holds. */
public abstract class TaskItemDecoder {
  private static final int QUEUE_TAG = 1 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int ARRIVAL_MS_TAG = 2 << 3 | WireReader.FIXED64;
  private static final int VALUE_KIND_TAG = 3 << 3 | WireReader.VARINT;
  private static final int VALUE_TAG = 4 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int ATTEMPT_TAG = 5 << 3 | WireReader.VARINT;
  private static final int ERR_TAG = 6 << 3 | WireReader.LENGTH_DELIMITED;

  final IdDecoder id = new IdDecoder();
  private int queueOffset;
  private int queueLength;
  private long arrivalMs;
  private int valueKind;
  private int valueOffset;
  private int valueLength;
  private int attempt;
  private int errOffset;
  private int errLength;

  TaskItemDecoder() {}

  final void clearTask() {
    id.clear();
    queueOffset = 0;
    queueLength = 0;
    arrivalMs = 0;
    valueKind = 0;
    valueOffset = 0;
    valueLength = 0;
    attempt = 0;
    errOffset = 0;
    errLength = 0;
  }

  final void readData(WireReader reader, String field) {
    int outer = reader.enter(field);
    while (reader.hasNext()) {
      int tag = reader.tag("TaskData");
      switch (tag) {
        case QUEUE_TAG -> {
          queueLength = reader.text("TaskData.queue", FieldLimits.TEXT_BYTES_MAX);
          queueOffset = reader.spanOffset();
        }
        case ARRIVAL_MS_TAG -> arrivalMs = reader.fixed64("TaskData.arrival_ms");
        case VALUE_KIND_TAG ->
            valueKind = reader.enumeration("TaskData.value_kind", ValueKinds.JSON);
        case VALUE_TAG -> {
          valueLength = reader.bytes("TaskData.value");
          valueOffset = reader.spanOffset();
        }
        case ATTEMPT_TAG -> attempt = reader.int32("TaskData.attempt");
        case ERR_TAG -> {
          errLength = reader.text("TaskData.err", FieldLimits.UNBOUNDED);
          errOffset = reader.spanOffset();
        }
        default -> reader.skip(tag, 6, "TaskData");
      }
    }
    reader.leave(outer);
  }

  final void checkData(WireReader reader) {
    if (queueLength == 0) {
      throw reader.malformed("TaskData.queue", "missing or empty");
    }
    if (valueKind == ValueKinds.ABSENT && valueLength != 0) {
      throw reader.malformed("TaskData.value", valueLength + " bytes of an absent value");
    }
  }

  /** Upper half of the key. */
  public final long idHigh() {
    return id.high();
  }

  /** Lower half of the key. */
  public final long idLow() {
    return id.low();
  }

  /** Where the text of the id begins. */
  public final int idTextOffset() {
    return id.textOffset();
  }

  /** Bytes of the text of the id; 0: the key gives it back. */
  public final int idTextLength() {
    return id.textLength();
  }

  /** Where the name of the queue begins. */
  public final int queueOffset() {
    return queueOffset;
  }

  /** Bytes of the name of the queue, 1 to 1,024. */
  public final int queueLength() {
    return queueLength;
  }

  /** Earliest time of a claim, milliseconds since the epoch, as it was asked for. */
  public final long arrivalMs() {
    return arrivalMs;
  }

  /** One of {@link ValueKinds}. */
  public final int valueKind() {
    return valueKind;
  }

  /** Where the value begins. */
  public final int valueOffset() {
    return valueOffset;
  }

  /** Bytes of the value; 0 if it is absent. */
  public final int valueLength() {
    return valueLength;
  }

  /** How often the work failed. */
  public final int attempt() {
    return attempt;
  }

  /** Where the text of the last failure begins. */
  public final int errOffset() {
    return errOffset;
  }

  /** Bytes of the text of the last failure. */
  public final int errLength() {
    return errLength;
  }
}
