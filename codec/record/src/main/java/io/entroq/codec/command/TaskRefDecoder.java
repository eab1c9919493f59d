package io.entroq.codec.command;

/** A TaskRef inside a Modify: a task to delete or to depend on. Its id is never nobody. */
public final class TaskRefDecoder {
  private static final int ID_TAG = 1 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int VERSION_TAG = 2 << 3 | WireReader.VARINT;
  private static final int QUEUE_TAG = 3 << 3 | WireReader.LENGTH_DELIMITED;

  private final IdDecoder id = new IdDecoder();
  private int version;
  private int queueOffset;
  private int queueLength;

  TaskRefDecoder() {}

  void read(WireReader reader, String field) {
    clear();
    int outer = reader.enter(field);
    while (reader.hasNext()) {
      int tag = reader.tag("TaskRef");
      switch (tag) {
        case ID_TAG -> id.read(reader, "TaskRef.id");
        case VERSION_TAG -> version = reader.int32("TaskRef.version");
        case QUEUE_TAG -> {
          queueLength = reader.text("TaskRef.queue", FieldLimits.TEXT_BYTES_MAX);
          queueOffset = reader.spanOffset();
        }
        default -> reader.skip(tag, 3, "TaskRef");
      }
    }
    reader.leave(outer);
    id.checkSomebody(reader, "TaskRef.id");
    if (version < 0) {
      throw reader.malformed("TaskRef.version", "negative: " + version);
    }
  }

  private void clear() {
    id.clear();
    version = 0;
    queueOffset = 0;
    queueLength = 0;
  }

  /** Upper half of the key. */
  public long idHigh() {
    return id.high();
  }

  /** Lower half of the key. */
  public long idLow() {
    return id.low();
  }

  /** Where the text of the id begins. */
  public int idTextOffset() {
    return id.textOffset();
  }

  /** Bytes of the text of the id; 0: the key gives it back. */
  public int idTextLength() {
    return id.textLength();
  }

  /** The version that the caller saw, not negative. */
  public int version() {
    return version;
  }

  /** Where the name of the queue begins. */
  public int queueOffset() {
    return queueOffset;
  }

  /** Bytes of the name of the queue that the task must be in; 0: any. */
  public int queueLength() {
    return queueLength;
  }
}
