package io.entroq.api;

import java.time.Instant;
import java.util.Objects;

/**
 * A value stored beside the tasks, as it was when it was read, claimed, inserted or changed. Docs
 * and tasks can be written atomically together. Docs of one key are a {@linkplain DocSet set},
 * which is claimed as a whole: version, claimant and arrival time are those of the set. Immutable.
 *
 * <p>All times are the engine's, in whole milliseconds.
 *
 * @param id namespace and id
 * @param version the version of its set
 * @param claimant who holds the set until its arrival time; empty if nobody does
 * @param arrivalTime the end of the lease if the set was claimed; otherwise when it was last made
 *     available
 * @param key the key of its set; may be empty
 * @param secondaryKey its place in the set; may be empty
 * @param value the value; {@link Value#absent()} if there is none or the query omitted it
 * @param created when it was inserted
 * @param modified when it was last written itself
 */
public record Doc(
    Id id,
    int version,
    String claimant,
    Instant arrivalTime,
    String key,
    String secondaryKey,
    Value value,
    Instant created,
    Instant modified) {
  public Doc {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(claimant, "claimant");
    Objects.requireNonNull(arrivalTime, "arrivalTime");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(secondaryKey, "secondaryKey");
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(created, "created");
    Objects.requireNonNull(modified, "modified");
  }

  /** This doc at the version of its set. */
  public Ref ref() {
    return new Ref(id, version);
  }

  /** The value as text: {@link Value#asText()}. */
  public String text() {
    return value.asText();
  }

  /** Whether anybody holds the set at a time of the engine's clock. */
  public boolean isHeldAt(Instant time) {
    return arrivalTime.isAfter(time) && !claimant.isEmpty();
  }

  /**
   * Identifies a doc by namespace and an id that is unique there. Immutable.
   *
   * @param namespace 1 to 1,024 bytes of UTF-8; a namespace exists while it has docs
   * @param id 1 to 1,024 bytes of UTF-8
   */
  public record Id(String namespace, String id) {
    /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
    public Id {
      Checks.namespace(namespace);
      Checks.docId(id);
    }

    @Override
    public String toString() {
      return namespace + "/" + id;
    }
  }

  /**
   * A doc at a version, as a change, delete or dependency names it.
   *
   * @param id the id
   * @param version the version of its {@linkplain DocSet set}, from 0
   */
  public record Ref(Id id, int version) {
    public Ref {
      Objects.requireNonNull(id, "id");
      Checks.inRange("version", version, 0, Integer.MAX_VALUE);
    }

    @Override
    public String toString() {
      return id + "@" + version;
    }
  }
}
