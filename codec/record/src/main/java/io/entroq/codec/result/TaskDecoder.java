package io.entroq.codec.result;

import io.entroq.codec.command.FieldLimits;
import io.entroq.codec.command.IdDecoder;
import io.entroq.codec.command.ValueKinds;
import io.entroq.codec.command.WireReader;

/** A Task inside a Result. Offsets refer to the buffer of the {@link ResultDecoder}. */
public final class TaskDecoder {
  private static final int ID_TAG = 1 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int VERSION_TAG = 2 << 3 | WireReader.VARINT;
  private static final int QUEUE_TAG = 3 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int ARRIVAL_MS_TAG = 4 << 3 | WireReader.FIXED64;
  private static final int CLAIMANT_TAG = 5 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int VALUE_KIND_TAG = 6 << 3 | WireReader.VARINT;
  private static final int VALUE_TAG = 7 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int CREATED_MS_TAG = 8 << 3 | WireReader.FIXED64;
  private static final int MODIFIED_MS_TAG = 9 << 3 | WireReader.FIXED64;
  private static final int CLAIMS_TAG = 10 << 3 | WireReader.VARINT;
  private static final int ATTEMPT_TAG = 11 << 3 | WireReader.VARINT;
  private static final int ERR_TAG = 12 << 3 | WireReader.LENGTH_DELIMITED;

  private final IdDecoder id = new IdDecoder();
  private final IdDecoder claimant = new IdDecoder();
  private int version;
  private int queueOffset;
  private int queueLength;
  private long arrivalMs;
  private int valueKind;
  private int valueOffset;
  private int valueLength;
  private long createdMs;
  private long modifiedMs;
  private int claims;
  private int attempt;
  private int errOffset;
  private int errLength;

  TaskDecoder() {}

  void read(WireReader reader, String field) {
    clear();
    int outer = reader.enter(field);
    while (reader.hasNext()) {
      readField(reader);
    }
    reader.leave(outer);
    id.checkSomebody(reader, "Task.id");
    claimant.check(reader, "Task.claimant");
    if (valueKind == ValueKinds.ABSENT && valueLength != 0) {
      throw reader.malformed("Task.value", valueLength + " bytes of an absent value");
    }
  }

  private void clear() {
    id.clear();
    claimant.clear();
    version = 0;
    queueOffset = 0;
    queueLength = 0;
    arrivalMs = 0;
    valueKind = 0;
    valueOffset = 0;
    valueLength = 0;
    createdMs = 0;
    modifiedMs = 0;
    claims = 0;
    attempt = 0;
    errOffset = 0;
    errLength = 0;
  }

  private void readField(WireReader reader) {
    int tag = reader.tag("Task");
    switch (tag) {
      case ID_TAG -> id.read(reader, "Task.id");
      case VERSION_TAG -> version = reader.int32("Task.version");
      case QUEUE_TAG -> {
        queueLength = reader.text("Task.queue", FieldLimits.TEXT_BYTES_MAX);
        queueOffset = reader.spanOffset();
      }
      case ARRIVAL_MS_TAG -> arrivalMs = reader.fixed64("Task.arrival_ms");
      case CLAIMANT_TAG -> claimant.read(reader, "Task.claimant");
      case VALUE_KIND_TAG -> valueKind = reader.enumeration("Task.value_kind", ValueKinds.JSON);
      case VALUE_TAG -> {
        valueLength = reader.bytes("Task.value");
        valueOffset = reader.spanOffset();
      }
      case CREATED_MS_TAG -> createdMs = reader.fixed64("Task.created_ms");
      case MODIFIED_MS_TAG -> modifiedMs = reader.fixed64("Task.modified_ms");
      case CLAIMS_TAG -> claims = reader.int32("Task.claims");
      case ATTEMPT_TAG -> attempt = reader.int32("Task.attempt");
      case ERR_TAG -> {
        errLength = reader.text("Task.err", FieldLimits.UNBOUNDED);
        errOffset = reader.spanOffset();
      }
      default -> reader.skip(tag, 12, "Task");
    }
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

  /** The version, from 0. */
  public int version() {
    return version;
  }

  /** Where the name of the queue begins. */
  public int queueOffset() {
    return queueOffset;
  }

  /** Bytes of the name of the queue; 0 where it was left out. */
  public int queueLength() {
    return queueLength;
  }

  /** Earliest time of the next claim, milliseconds since the epoch. */
  public long arrivalMs() {
    return arrivalMs;
  }

  /** Upper half of the claimant's key; both halves 0: nobody. */
  public long claimantHigh() {
    return claimant.high();
  }

  /** Lower half of the claimant's key. */
  public long claimantLow() {
    return claimant.low();
  }

  /** Where the claimant's text begins. */
  public int claimantTextOffset() {
    return claimant.textOffset();
  }

  /** Bytes of the claimant's text; 0: the key gives it back. */
  public int claimantTextLength() {
    return claimant.textLength();
  }

  /** One of {@link ValueKinds}. */
  public int valueKind() {
    return valueKind;
  }

  /** Where the value begins. */
  public int valueOffset() {
    return valueOffset;
  }

  /** Bytes of the value; 0 if it is absent. */
  public int valueLength() {
    return valueLength;
  }

  /** Log time of the insert. */
  public long createdMs() {
    return createdMs;
  }

  /** Log time of the last write. */
  public long modifiedMs() {
    return modifiedMs;
  }

  /** How often it was claimed. */
  public int claims() {
    return claims;
  }

  /** How often the work failed. */
  public int attempt() {
    return attempt;
  }

  /** Where the text of the last failure begins. */
  public int errOffset() {
    return errOffset;
  }

  /** Bytes of the text of the last failure. */
  public int errLength() {
    return errLength;
  }
}
