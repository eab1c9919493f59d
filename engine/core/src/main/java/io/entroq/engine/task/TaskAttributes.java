package io.entroq.engine.task;

import io.entroq.codec.message.AttributesDecoder;
import io.entroq.codec.message.AttributesEncoder;
import io.entroq.codec.message.DeadReasons;
import org.agrona.ExpandableArrayBuffer;

/**
 * The attributes of one task, between {@link #read} and {@link #write}. Defaults are those of a
 * task without attributes. Reused; allocates nothing.
 */
public final class TaskAttributes {

  /** {@link #expiresMs} of a task that never expires, whatever the policy of its queue says. */
  public static final long NEVER = -1;

  private static final int CAPACITY_BYTES = 2048;

  private final AttributesDecoder decoder = new AttributesDecoder();
  private final AttributesEncoder encoder = new AttributesEncoder();
  private final ExpandableArrayBuffer encoded = new ExpandableArrayBuffer(CAPACITY_BYTES);
  private final Bytes stored = new Bytes();
  private final Bytes trace = new Bytes();
  private final Bytes origin = new Bytes();
  private long expiresMs;
  private int lapses;
  private int reason;
  private long deadAtMs;

  public TaskAttributes clear() {
    expiresMs = 0;
    lapses = 0;
    reason = DeadReasons.NONE;
    deadAtMs = 0;
    trace.clear();
    origin.clear();
    return this;
  }

  /** Reads those of a task; texts refer to it. */
  public TaskAttributes read(TaskStore tasks, int task) {
    tasks.attributes(task, stored);
    return read(stored);
  }

  /** Reads encoded ones; texts refer to them. */
  public TaskAttributes read(Bytes from) {
    if (from.length() == 0) {
      return clear();
    }
    decoder.wrap(from.buffer(), from.offset(), from.length());
    expiresMs = decoder.expiresMs();
    lapses = decoder.lapses();
    reason = decoder.reason();
    deadAtMs = decoder.deadAtMs();
    trace.set(decoder.buffer(), decoder.traceOffset(), decoder.traceLength());
    origin.set(decoder.buffer(), decoder.originOffset(), decoder.originLength());
    return this;
  }

  /** Encodes them; the result is valid until the next call. */
  public Bytes encode() {
    encoder.wrap(encoded, 0);
    encoder.expiresMs(expiresMs);
    encoder.trace(trace.buffer(), trace.offset(), trace.length());
    encoder.lapses(lapses);
    encoder.origin(origin.buffer(), origin.offset(), origin.length());
    encoder.reason(reason);
    encoder.deadAtMs(deadAtMs);
    return stored.set(encoded, 0, encoder.length());
  }

  /** Stores them in a task that is out of the digest. */
  public void write(TaskStore tasks, int task) {
    tasks.replaceAttributes(task, encode());
  }

  /** When it expires, in milliseconds since the epoch; 0: not; {@link #NEVER}: never. */
  public long expiresMs() {
    return expiresMs;
  }

  public TaskAttributes expiresMs(long timeMs) {
    expiresMs = timeMs;
    return this;
  }

  /**
   * How often its lease has ended without a word about the work, up to {@link Integer#MAX_VALUE}.
   */
  public int lapses() {
    return lapses;
  }

  public TaskAttributes lapses(int count) {
    lapses = count;
    return this;
  }

  /** Context for traces; at most 64 bytes. */
  public Bytes trace() {
    return trace;
  }

  /** The queue that the server moved it from; empty if it did not. */
  public Bytes origin() {
    return origin;
  }

  /** One of {@link DeadReasons}. */
  public int reason() {
    return reason;
  }

  /** When the server moved it, in milliseconds since the epoch; 0 if it did not. */
  public long deadAtMs() {
    return deadAtMs;
  }

  /** Records that the server moved it, for a reason; {@link #origin} is set beside. */
  public TaskAttributes died(int why, long nowMs) {
    reason = why;
    deadAtMs = nowMs;
    return this;
  }
}
