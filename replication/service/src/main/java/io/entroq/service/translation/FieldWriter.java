package io.entroq.service.translation;

import com.google.protobuf.ByteString;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.MessageRules;
import io.entroq.codec.message.Slice;
import io.entroq.codec.message.ValueKinds;
import io.entroq.codec.wire.IdKey;
import io.entroq.codec.wire.InvalidValueException;
import io.entroq.codec.wire.Limits;
import io.entroq.codec.wire.Values;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.codec.wire.edge.TaskID;
import java.nio.charset.StandardCharsets;

/** Checks single fields of requests and prepares them for encoding. Reused; one thread. */
final class FieldWriter {
  /**
   * Stands for a name that a request left empty, where the engine needs one that nothing has: what
   * it names does not exist. The same in every process, so that a retry at another member is the
   * same command.
   */
  static final String NOWHERE = "nowhere-3d2c1c0e-5a0b-4f1e-9f51-7a4be0c86d13";

  private static final int TTL_NEVER = -1;
  private static final byte[] EMPTY = new byte[0];

  /** The start of messages about values. */
  private static final String VALUE = "value";

  private final IdFields id = new IdFields();
  private final TaskDataFields data = new TaskDataFields();
  private final Slice text = new Slice();
  private final Slice errText = new Slice();
  private final BytesView bytes = new BytesView();

  /** The id, valid until the next call of this method. */
  IdFields id(IdKey key) {
    return set(id, key);
  }

  static IdFields set(IdFields fields, IdKey key) {
    fields.set(key.high(), key.low());
    if (!key.text().isEmpty()) {
      fields.text().wrap(utf8(key.text()));
    }
    return fields;
  }

  /** The checked id of a task reference. */
  static IdKey taskId(Facade facade, TaskID task) {
    return itemId(facade, task.getId(), task.getVersion());
  }

  /** The checked id of a task or doc. */
  static IdKey itemId(Facade facade, String id, int version) {
    IdKey key = facade.readId("id", id);
    if (key.isNobody()) {
      throw RefusedException.invalid("id: missing");
    }
    if (version < 0) {
      throw RefusedException.invalid("version: negative: " + version);
    }
    return key;
  }

  /** A name, which may be empty. */
  Slice name(String field, String name) {
    return slice(checkedUtf8(field, name));
  }

  /** A name in a list, which may be empty. */
  Slice name(String list, int index, String name) {
    byte[] utf8 = utf8(name);
    boolean isLong = utf8.length > Limits.TEXT_BYTES_MAX;
    return slice(isLong ? checkedUtf8(list + "[" + index + "]", name) : utf8);
  }

  /** Checked bytes, valid until the next call of this method or {@link #name}. */
  Slice slice(byte[] utf8) {
    return text.wrap(utf8);
  }

  /** The data of a task, valid until the next call of this method. */
  TaskDataFields data(Facade facade, TaskData request, int valueBytesMax) {
    return data(facade, request, request.getQueue(), valueBytesMax);
  }

  /**
   * The data of a task, valid until the next call of this method.
   *
   * @param queue where the task will be, whatever its data says
   */
  TaskDataFields data(Facade facade, TaskData request, String queue, int valueBytesMax) {
    if (queue.isEmpty()) {
      throw RefusedException.invalid("queue: missing or empty");
    }
    data.clear();
    data.queue().wrap(checkedUtf8("queue", queue));
    data.arrivalMs(request.getAtMs());
    if (facade == Facade.V1) {
      // The number is free in the v0 API.
      data.byMs(request.getByMs());
      attributes(request);
    }
    value(facade, request, valueBytesMax);
    data.attempt(request.getAttempt());
    data.err().wrap(utf8(request.getErr()));
    return data;
  }

  private void attributes(TaskData request) {
    if (request.getTtlMs() < TTL_NEVER) {
      throw RefusedException.invalid("ttl_ms: below -1: " + request.getTtlMs());
    }
    byte[] trace = utf8(request.getTrace());
    if (trace.length > MessageRules.TRACE_BYTES_MAX) {
      throw RefusedException.invalid(
          "trace: %d bytes, the limit is %d".formatted(trace.length, MessageRules.TRACE_BYTES_MAX));
    }
    data.ttlMs(request.getTtlMs());
    data.trace().wrap(trace);
  }

  /** An error text of any length, valid until the next call of this method. */
  Slice err(String err) {
    return errText.wrap(utf8(err));
  }

  private void value(Facade facade, TaskData request, int bytesMax) {
    boolean isRaw = facade == Facade.V1 && request.hasRaw();
    if (isRaw && request.hasValue()) {
      throw RefusedException.invalid("raw: value is set too");
    }
    ByteString value = isRaw ? request.getRaw() : request.getValue();
    int kind = isRaw ? ValueKinds.BYTES : facade.kindOf(request.hasValue(), value);
    if (kind != ValueKinds.ABSENT) {
      checkValue(isRaw ? "raw" : VALUE, kind, value, bytesMax);
      data.valueKind(kind);
      bytes.show(value, data.value());
    }
  }

  /** Checks a value; errors name the field. */
  static void checkValue(String field, int kind, ByteString value, int bytesMax) {
    try {
      Values.checkSize(value.size(), bytesMax);
      if (kind == ValueKinds.JSON) {
        Values.check(value);
      }
    } catch (InvalidValueException e) {
      // The message gives the position in the value.
      throw RefusedException.invalid(field + e.getMessage().substring(VALUE.length()));
    }
  }

  /** How many tasks a claim asks for. */
  static int limit(ClaimRequest claim) {
    if (claim.getLimit() < 0 || claim.getLimit() > Limits.CLAIM_LIMIT_MAX) {
      throw RefusedException.invalid(
          "limit: %d is not from 0 to %d".formatted(claim.getLimit(), Limits.CLAIM_LIMIT_MAX));
    }
    return Math.max(1, claim.getLimit());
  }

  /** When a waiting claim ends without a task; 0: never. */
  static long deadlineMs(ClaimRequest claim) {
    if (claim.getDeadlineMs() < 0) {
      throw RefusedException.invalid("deadline_ms: negative: " + claim.getDeadlineMs());
    }
    return claim.getDeadlineMs();
  }

  /** Checks the duration of a lease. */
  static long leaseMs(long durationMs) {
    if (durationMs < 0) {
      throw RefusedException.invalid("duration_ms: negative: " + durationMs);
    }
    return durationMs;
  }

  static byte[] checkedUtf8(String field, String name) {
    byte[] utf8 = utf8(name);
    if (utf8.length > Limits.TEXT_BYTES_MAX) {
      throw RefusedException.invalid(
          "%s: %d bytes, the limit is %d".formatted(field, utf8.length, Limits.TEXT_BYTES_MAX));
    }
    return utf8;
  }

  private static byte[] utf8(String name) {
    return name.isEmpty() ? EMPTY : name.getBytes(StandardCharsets.UTF_8);
  }
}
