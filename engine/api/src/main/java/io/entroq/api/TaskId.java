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
 * The name of a task, unique over all queues of one store. Immutable.
 *
 * <p>Any text of 1 to 1,024 bytes of UTF-8. Texts that are a lower-case UUID or 16 lower-case hex
 * digits are stored in 16 bytes; any other text is kept whole beside them.
 *
 * <p>Give a task an id of your own, for example one {@linkplain #derive derived} from the task that
 * it comes from, when its insertion may be repeated: the second insertion of one id fails with a
 * collision.
 */
public final class TaskId implements Comparable<TaskId> {
  private final IdKey key;

  /** Made when first asked for; any thread that makes it makes the same. */
  private String text;

  private TaskId(IdKey key) {
    this.key = key;
  }

  /**
   * Names a task by a text.
   *
   * @throws EntroQException.InvalidArgument if the text is empty, longer than 1,024 bytes of UTF-8,
   *     or has half of a surrogate pair
   */
  public static TaskId of(String text) {
    try {
      return of(Ids.ofV1(text));
    } catch (InvalidIdException e) {
      throw new EntroQException.InvalidArgument("task id: " + e.getMessage(), e);
    }
  }

  /** Names a task by a UUID. */
  public static TaskId of(UUID uuid) {
    return of(uuid.toString());
  }

  /**
   * Names a task by the key that stands for its text. For engines.
   *
   * @throws EntroQException.InvalidArgument if the key stands for nobody
   */
  public static TaskId of(IdKey key) {
    if (key.isNobody()) {
      throw new EntroQException.InvalidArgument("task id must not be empty");
    }
    return new TaskId(key);
  }

  /** A new id that nobody else has: a random UUID. */
  public static TaskId random() {
    return new TaskId(Ids.randomV0());
  }

  /**
   * An id that is a function of this one and a label: always the same for the same two.
   *
   * <p>A task that another one gives rise to gets an id like this, so that it comes into being once
   * however often the work is repeated.
   *
   * @param label tells apart the tasks that come from one task; may be empty
   */
  public TaskId derive(String label) {
    ByteBuffer hash = ByteBuffer.wrap(sha256(text().length() + ":" + text() + label));
    // Version 8, variant 2: a UUID of the caller's own making.
    long high = (hash.getLong() & ~0xF000L) | 0x8000L;
    long low = (hash.getLong() & ~(3L << 62)) | (1L << 63);
    return new TaskId(new IdKey(high, low, ""));
  }

  private static byte[] sha256(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return digest.digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** The text of this id. */
  public String text() {
    String known = text;
    if (known == null) {
      known = key.v1Text();
      text = known;
    }
    return known;
  }

  /** The key that stands for the text. For engines. */
  public IdKey key() {
    return key;
  }

  /** By text. */
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
