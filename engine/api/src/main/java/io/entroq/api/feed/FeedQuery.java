package io.entroq.api.feed;

import io.entroq.api.EntroQException;
import io.entroq.api.TaskId;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Where a feed begins and what it shows. Immutable; made by a {@link Builder}.
 *
 * <p>An effect is shown if it passes each filter that is not empty; queues, prefixes and namespaces
 * are one filter. A task passes by its queue or by the one that it has left. Without queues,
 * prefixes and namespaces, effects on everything pass.
 *
 * @param start where it begins
 * @param until it ends after the step of this position; empty: never
 * @param untilTime it ends after the last step of this time of the engine's clock: with the first
 *     one of a later time, or else when none of this time can come any more, which an engine knows
 *     up to two seconds later, and a member of a cluster when it has heard of nothing else for the
 *     heartbeat timeout; empty: never
 * @param queues tasks of these queues; a server accepts at most 1,000
 * @param prefixes tasks of queues whose names begin with one of these; a server accepts at most 100
 * @param namespaces docs of these namespaces; a server accepts at most 100
 * @param kinds effects of these kinds
 * @param ids tasks with these ids; a server accepts at most 1,000
 * @param hasValues whether tasks and docs have their values
 */
public record FeedQuery(
    Start start,
    Optional<FeedPosition> until,
    Optional<Instant> untilTime,
    Set<String> queues,
    Set<String> prefixes,
    Set<String> namespaces,
    Set<EffectKind> kinds,
    Set<TaskId> ids,
    boolean hasValues) {
  public FeedQuery {
    Objects.requireNonNull(start, "start");
    Objects.requireNonNull(until, "until");
    Objects.requireNonNull(untilTime, "untilTime");
    queues = Set.copyOf(queues);
    prefixes = Set.copyOf(prefixes);
    namespaces = Set.copyOf(namespaces);
    kinds = Set.copyOf(kinds);
    ids = Set.copyOf(ids);
  }

  /** This query with another begin. */
  public FeedQuery withStart(Start other) {
    return new FeedQuery(
        other, until, untilTime, queues, prefixes, namespaces, kinds, ids, hasValues);
  }

  /** Where a feed begins. */
  public sealed interface Start {
    /**
     * With the next step. A feed that loses its connection before it has a position begins again
     * with the step that is next then.
     */
    record Now() implements Start {}

    /**
     * After a position.
     *
     * @param position the last one seen
     */
    record After(FeedPosition position) implements Start {
      public After {
        Objects.requireNonNull(position, "position");
      }
    }

    /**
     * With the first step at or after a time.
     *
     * @param time of the engine's clock
     */
    record At(Instant time) implements Start {
      public At {
        Objects.requireNonNull(time, "time");
      }
    }

    /**
     * With the state as it is, as if each task, doc and policy had just been inserted, and then
     * with the next step.
     */
    record Snapshot() implements Start {}
  }

  /** Begins with the next step. */
  public static Builder fromNow() {
    return new Builder(new Start.Now());
  }

  /** Begins after a position. */
  public static Builder after(FeedPosition position) {
    return new Builder(new Start.After(position));
  }

  /** Begins with the first step at or after a time of the engine's clock. */
  public static Builder from(Instant time) {
    return new Builder(new Start.At(time));
  }

  /** Begins with the state, as if everything had just been inserted. */
  public static Builder fromSnapshot() {
    return new Builder(new Start.Snapshot());
  }

  /** Builds a query. What is not set does not filter. Not thread-safe. */
  public static final class Builder {
    private final Start start;
    private final Set<String> queues = new LinkedHashSet<>();
    private final Set<String> prefixes = new LinkedHashSet<>();
    private final Set<String> namespaces = new LinkedHashSet<>();
    private final Set<EffectKind> kinds = EnumSet.noneOf(EffectKind.class);
    private final Set<TaskId> ids = new LinkedHashSet<>();
    private FeedPosition until;
    private Instant untilTime;
    private boolean hasValues;

    private Builder(Start start) {
      this.start = start;
    }

    /** Ends after the step of this position. */
    public Builder until(FeedPosition last) {
      until = Objects.requireNonNull(last, "until");
      return this;
    }

    /** Ends after the last step of this time of the engine's clock. */
    public Builder until(Instant last) {
      untilTime = Objects.requireNonNull(last, "until");
      return this;
    }

    /** Also tasks that are in one of these queues, or leave it. */
    public Builder queues(String... names) {
      queues.addAll(Arrays.asList(names));
      return this;
    }

    /** Also tasks that are in a queue whose name begins with one of these, or leave it. */
    public Builder prefixes(String... beginnings) {
      prefixes.addAll(Arrays.asList(beginnings));
      return this;
    }

    /** Also docs and doc sets of these namespaces. */
    public Builder namespaces(String... names) {
      namespaces.addAll(Arrays.asList(names));
      return this;
    }

    /**
     * Only effects of these kinds.
     *
     * @throws EntroQException.InvalidArgument for {@link EffectKind#UNKNOWN}
     */
    public Builder kinds(EffectKind... some) {
      kinds.addAll(Arrays.asList(some));
      if (kinds.contains(EffectKind.UNKNOWN)) {
        throw new EntroQException.InvalidArgument("a feed cannot ask for kinds that are unknown");
      }
      return this;
    }

    /** Only effects on these tasks. */
    public Builder ids(Collection<TaskId> some) {
      ids.addAll(some);
      return this;
    }

    /** With the values of tasks and docs. */
    public Builder withValues() {
      hasValues = true;
      return this;
    }

    /** Builds the query. */
    public FeedQuery build() {
      return new FeedQuery(
          start,
          Optional.ofNullable(until),
          Optional.ofNullable(untilTime),
          queues,
          prefixes,
          namespaces,
          kinds,
          ids,
          hasValues);
    }
  }
}
