package io.entroq.api;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * The rules of queues and limiters, and what is paused. Thread-safe.
 *
 * <p>Each write is a {@link Modification} of its own. To write several policies, or policies and
 * tasks, in one step, use {@link Modification#put}, {@link Modification#deletePolicy}, {@link
 * Modification#pause} and {@link Modification#resume}.
 *
 * <p>Rules and a pause are independent: whoever replaces or sets rules does not end a pause. A
 * delete ends both. An entry exists while it has one of them; its version is 1 first, and each
 * write adds one. It is 0 in the answer to a resume that removed the entry.
 *
 * <p>All methods fail as those of {@link EntroQ} do; with {@link EntroQException.InvalidArgument}
 * if the log or server has no policies.
 */
public final class Policies {
  private final EntroQ queue;

  Policies(EntroQ queue) {
    this.queue = queue;
  }

  /** What rules belong to. */
  public enum Kind {
    /** The queue of this exact name. */
    QUEUE,
    /** Each queue whose name begins with this. */
    PREFIX,
    /** A limiter. */
    LIMITER
  }

  /**
   * Names an entry.
   *
   * @param kind what the name names
   * @param name 1 to 1,024 bytes of UTF-8
   */
  public record Target(Kind kind, String name) {
    /** Throws {@link EntroQException.InvalidArgument} if the name is empty or too long. */
    public Target {
      Checks.name(Objects.requireNonNull(kind, "kind").name().toLowerCase(Locale.ROOT), name);
    }

    public static Target queue(String name) {
      return new Target(Kind.QUEUE, name);
    }

    public static Target prefix(String prefix) {
      return new Target(Kind.PREFIX, prefix);
    }

    public static Target limiter(String name) {
      return new Target(Kind.LIMITER, name);
    }

    @Override
    public String toString() {
      return kind.name().toLowerCase(Locale.ROOT) + " " + name;
    }
  }

  /** Rules of a queue, of queues with a prefix, or of a limiter. */
  public sealed interface Rules permits QueuePolicy, Limiter {
    /** What the rules belong to. */
    Target target();
  }

  /** A write to an entry, as an item of a {@link Modification}. */
  public sealed interface Write {
    /** The entry that is written. */
    Target target();

    /** The version that the entry must have; empty for any, 0 if it must not exist. */
    Optional<Integer> expected();
  }

  /**
   * Sets or replaces rules.
   *
   * @param rules all rules; those left out are removed
   * @param expected the version that the entry must have; empty for any, 0 if it must not exist
   */
  public record Put(Rules rules, Optional<Integer> expected) implements Write {
    public Put {
      Objects.requireNonNull(rules, "rules");
      Checks.version(expected);
    }

    @Override
    public Target target() {
      return rules.target();
    }
  }

  /**
   * Removes rules and pause. The entry must exist.
   *
   * @param expected the version that the entry must have; empty for any
   */
  public record Delete(Target target, Optional<Integer> expected) implements Write {
    public Delete {
      Objects.requireNonNull(target, "target");
      Checks.version(expected);
    }
  }

  /**
   * Begins or ends a pause, or sets another end.
   *
   * @param length for how long from now on, at most 366 days; {@link Claim#FOREVER} until resumed;
   *     zero resumes
   */
  public record Pause(Target target, Duration length) implements Write {
    public Pause {
      Objects.requireNonNull(target, "target");
      if (!length.equals(Claim.FOREVER)) {
        Checks.duration("pause", length);
      }
    }

    @Override
    public Optional<Integer> expected() {
      return Optional.empty();
    }

    /** Whether it lasts until it is resumed. */
    public boolean isUntilResumed() {
      return length.equals(Claim.FOREVER);
    }
  }

  /**
   * An entry as it was when it was read or written. Immutable.
   *
   * @param target what it belongs to
   * @param rules its rules; empty if it is only paused
   * @param version its version, from 1
   * @param pausedUntil the end of its pause, {@link Instant#MAX} if it lasts until resumed; empty
   *     if it is not paused
   * @param inFlight tasks in flight that a limiter counts; 0 for others
   * @param nextStart when the rate of a limiter lets the next task start; empty if it would now,
   *     and for others
   */
  public record Entry(
      Target target,
      Optional<Rules> rules,
      int version,
      Optional<Instant> pausedUntil,
      int inFlight,
      Optional<Instant> nextStart) {
    public Entry {
      Objects.requireNonNull(target, "target");
      Objects.requireNonNull(rules, "rules");
      Objects.requireNonNull(pausedUntil, "pausedUntil");
      Objects.requireNonNull(nextStart, "nextStart");
    }
  }

  /**
   * Which entries to read. Immutable.
   *
   * @param kind entries of this kind; empty for all
   * @param prefix entries whose names begin with this; empty for all
   * @param limit how many at most, 0 for all
   */
  public record Query(Optional<Kind> kind, String prefix, int limit) {
    /** Throws {@link EntroQException.InvalidArgument} if the limit is negative. */
    public Query {
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(prefix, "prefix");
      Checks.inRange("limit", limit, 0, Integer.MAX_VALUE);
    }

    public static Query all() {
      return new Query(Optional.empty(), "", 0);
    }

    public static Query of(Kind kind) {
      return new Query(Optional.of(kind), "", 0);
    }

    public Query startingWith(String newPrefix) {
      return new Query(kind, newPrefix, limit);
    }

    public Query withLimit(int newLimit) {
      return new Query(kind, prefix, newLimit);
    }
  }

  /** Sets or replaces rules. A pause stays. */
  public Entry put(Rules rules) {
    return written(Modification.put(rules));
  }

  /**
   * Sets or replaces rules if the entry has this version. A pause stays.
   *
   * @param expected the version that the entry must have; 0 if it must not exist
   * @throws EntroQException.Dependency if it has another
   */
  public Entry put(Rules rules, int expected) {
    return written(Modification.builder().write(new Put(rules, Optional.of(expected))).build());
  }

  /** Reads an entry; empty if it does not exist. */
  public Optional<Entry> get(Target target) {
    return list(Query.of(target.kind()).startingWith(target.name())).stream()
        .filter(entry -> entry.target().equals(target))
        .findFirst();
  }

  /**
   * Removes rules and pause.
   *
   * @throws EntroQException.Dependency if there are none
   */
  public void delete(Target target) {
    queue.modify(Modification.deletePolicy(target)).orThrow();
  }

  /** Reads entries, in no particular order. */
  public List<Entry> list(Query query) {
    return queue.policyEntries(query);
  }

  /** Pauses until resumed: no claim gets a task. Everything else goes on. */
  public Entry pause(Target target) {
    return pause(target, Claim.FOREVER);
  }

  /**
   * Pauses for a time: no claim gets a task. Everything else goes on.
   *
   * @param length counted from now, more than zero and at most 366 days
   */
  public Entry pause(Target target, Duration length) {
    if (length.isZero()) {
      throw new EntroQException.InvalidArgument("pause must be more than zero, is " + length);
    }
    return written(Modification.pause(target, length));
  }

  /** Ends a pause; does nothing if there is none. */
  public void resume(Target target) {
    queue.modify(Modification.resume(target)).orThrow();
  }

  private Entry written(Modification write) {
    return queue.modify(write).orThrow().policies().get(0);
  }
}
