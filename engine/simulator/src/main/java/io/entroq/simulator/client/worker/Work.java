package io.entroq.simulator.client.worker;

import io.entroq.api.EntroQException;
import io.entroq.api.TaskId;
import io.entroq.api.Value;
import io.entroq.api.codec.ValueCodec;
import io.entroq.codec.wire.IdKey;
import io.entroq.simulator.virtual.SeededRandom;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A work item, which is the value of a task.
 *
 * @param number unique, from 0
 */
record Work(long number, WorkKind kind) {
  private static final long ID_HIGH = 0x776f726b00000000L;
  private static final long RESULT_HIGH = 0x6465656400000000L;

  TaskId id() {
    return TaskId.of(new IdKey(ID_HIGH, SeededRandom.mix(number + 1), ""));
  }

  /** The id of the task that reports the work as done. */
  TaskId resultId() {
    return TaskId.of(new IdKey(RESULT_HIGH, SeededRandom.mix(number + 1), ""));
  }

  Value value() {
    byte[] name = kind.name().getBytes(StandardCharsets.US_ASCII);
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + name.length);
    return Value.bytes(bytes.putLong(number).put(name).array());
  }

  /** Decodes a value, readable or not. */
  static Work of(Value value) {
    byte[] bytes = value.unwrap();
    int length = bytes.length - Long.BYTES;
    String name = new String(bytes, Long.BYTES, length, StandardCharsets.US_ASCII);
    return new Work(ByteBuffer.wrap(bytes).getLong(), WorkKind.valueOf(name));
  }

  /**
   * Encodes and decodes values.
   *
   * @param isLenient whether to decode unreadable values as well
   */
  record Codec(boolean isLenient) implements ValueCodec<Work> {
    @Override
    public Value encode(Work work) {
      return work.value();
    }

    @Override
    public Work decode(Value value) {
      Work work = of(value);
      if (work.kind == WorkKind.UNREADABLE && !isLenient) {
        throw new EntroQException.Codec("it is not meant to be read");
      }
      return work;
    }
  }
}
