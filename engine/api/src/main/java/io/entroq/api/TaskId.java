package io.entroq.api;

import io.entroq.codec.wire.IdKey;
import io.entroq.codec.wire.Ids;
import io.entroq.codec.wire.InvalidIdException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/**
 * Identifies a task, across all queues. Immutable.
 *
 * <p>Any text of 1 to 1,024 bytes of UTF-8. Lower-case UUIDs and 16 lower-case hex digits take 16
 * bytes of memory; other texts take their length in addition.
 *
 * <p>Choose the id yourself if an insert may be repeated, for example one {@linkplain #derive
 * derived} from the parent task: inserting the same id again fails with a collision.
 */
public final class TaskId implements Comparable<TaskId> {
  private final IdKey key;

  /** Computed lazily; a benign race, since every thread computes the same text. */
  private String text;

  private TaskId(IdKey key) {
    this.key = key;
  }

  /**
   * Creates an id from a text.
   *
   * @throws EntroQException.InvalidArgument if the text is empty, longer than 1,024 bytes of UTF-8,
   *     or has an unpaired surrogate
   */
  public static TaskId of(String text) {
    try {
      return of(Ids.ofV1(text));
    } catch (InvalidIdException e) {
      throw new EntroQException.InvalidArgument("task id: " + e.getMessage(), e);
    }
  }

  public static TaskId of(UUID uuid) {
    return of(uuid.toString());
  }

  /**
   * Creates an id from its internal key. For engines.
   *
   * @throws EntroQException.InvalidArgument if the key is the empty one
   */
  public static TaskId of(IdKey key) {
    if (key.isNobody()) {
      throw new EntroQException.InvalidArgument("task id must not be empty");
    }
    return new TaskId(key);
  }

  /** A random UUID. */
  public static TaskId random() {
    return new TaskId(Ids.randomV0());
  }

  /**
   * Derives an id from this one and a label, always the same for the same two.
   *
   * <p>Use it for a task that work on this one inserts: it is then inserted once, however often the
   * work is repeated.
   *
   * @param label distinguishes the tasks derived from this one; may be empty
   */
  public TaskId derive(String label) {
    ByteBuffer hash = ByteBuffer.wrap(sha256(text().length() + ":" + text() + label));
    // Version 8, variant 2: a custom UUID.
    long high = (hash.getLong() & ~0xF000L) | 0x8000L;
    long low = (hash.getLong() & ~(3L << 62)) | (1L << 63);
    return new TaskId(new IdKey(high, low, ""));
  }

  private static byte[] sha256(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return digest.digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java platform lacks SHA-256", e);
    }
  }

  public String text() {
    String known = text;
    if (known == null) {
      known = key.v1Text();
      text = known;
    }
    return known;
  }

  /** The internal key. For engines. */
  public IdKey key() {
    return key;
  }

  /** Compares by text. */
  @Override
  public int compareTo(TaskId other) {
    return text().compareTo(other.text());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TaskId that && key.equals(that.key);
  }

  @Override
  public int hashCode() {
    return key.hashCode();
  }

  @Override
  public String toString() {
    return text();
  }
}
